"""Wrong answers to 00.3. A docstring holds the words that only this fault's feedback contains."""


def _right(V, C, T, hidden):
    return (
        V * C
        + T * C
        + 4 * (C * C + C)
        + (C * hidden + hidden)
        + (hidden * C + C)
        + 2 * 2 * C
        + C * V
        + V
    )


def no_last_bias(V, C, T, hidden):
    """the last step has no bias"""
    return _right(V, C, T, hidden) - V


def one_table_of_words(V, C, T, hidden):
    """are two matrices, and one is missing"""
    return _right(V, C, T, hidden) - V * C - V


def no_places(V, C, T, hidden):
    """the place table is missing"""
    return _right(V, C, T, hidden) - T * C


def no_attention_biases(V, C, T, hidden):
    """the four C × C matrices have no biases"""
    return _right(V, C, T, hidden) - 4 * C


def three_matrices(V, C, T, hidden):
    """only three are counted"""
    return _right(V, C, T, hidden) - C * C - C


def half_the_norms(V, C, T, hidden):
    """half of them is missing"""
    return _right(V, C, T, hidden) - 2 * C


def no_way_back(V, C, T, hidden):
    """leads to hidden and not back"""
    return _right(V, C, T, hidden) - hidden * C - C


def no_bias_on_the_way_back(V, C, T, hidden):
    """the step from hidden back to C has no bias"""
    return _right(V, C, T, hidden) - C


def same_bias_both_ways(V, C, T, hidden):
    """see the way back"""
    return _right(V, C, T, hidden) - C + hidden


def only_this_model(V, C, T, hidden):
    """the same number whatever the sizes are"""
    return 13772
