def wrong_one_choice(batch, length):
    """the choice is always one word, however many prompts travel together

    Feedback: station 7, choice: one word for each prompt
    """
    # wrong for: shapes(2, 3) gives [1] at the end, right [2]
    states = [batch, length, 32]
    return [[batch, length], states, states, states, [batch, 32], [batch, 12], [1]]


def wrong_nine_places(batch, length):
    """a prompt longer than the nine places is cut, though the statement says never mind

    Feedback: station 1, tokens: one id for each token of each prompt
    """
    # wrong for: shapes(1, 10) gives [1, 9], .., right [1, 10], ..
    length = min(length, 9)
    states = [batch, length, 32]
    return [[batch, length], states, states, states, [batch, 32], [batch, 12], [batch]]


def right_letters_in_a_text(batch, length):
    """the table's letters are read from a text and looked up; tuples for lists"""
    sizes = {"B": batch, "T": length, "C": 32, "V": 12}
    return tuple(
        tuple(map(sizes.__getitem__, letters)) for letters in "BT BTC BTC BTC BC BV B".split()
    )


# STATEMENT: clear.
