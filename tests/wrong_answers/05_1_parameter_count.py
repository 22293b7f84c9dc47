"""Wrong answers to 05.1. A docstring holds the words that only this fault's feedback contains."""


def no_bias(V, T, C, blocks):
    """it counts no bias at all"""
    return V * C + T * C + blocks * (12 * C * C + 4 * C) + C * V


def tied(V, T, C, blocks):
    """this decoder is untied"""
    return V * C + T * C + blocks * (12 * C * C + 13 * C) + V


def no_positions(V, T, C, blocks):
    """the table of positions is missing"""
    return V * C + blocks * (12 * C * C + 13 * C) + C * V + V


def no_norms(V, T, C, blocks):
    """the two LayerNorms of a block are missing"""
    return V * C + T * C + blocks * (12 * C * C + 9 * C) + C * V + V


def no_output_projection(V, T, C, blocks):
    """attention has four matrices"""
    return V * C + T * C + blocks * (11 * C * C + 12 * C) + C * V + V


def tables_in_every_block(V, T, C, blocks):
    """stand around the blocks"""
    return blocks * (V * C + T * C + 12 * C * C + 13 * C + C * V + V)


def one_block_only(V, T, C, blocks):
    """it counts one block, however many"""
    return V * C + T * C + 12 * C * C + 13 * C + C * V + V


def a_block_of_32(V, T, C, blocks):
    """right for C = 32 only"""
    return 2 * V * C + T * C + V + 12_704 * blocks


def in_floats(V, T, C, blocks):
    """floating-point numbers lose digits"""
    return int(V * C + T * C + blocks * (12 * C**2.0 + 13 * C) + C * V + V)


def one_block_at_least(V, T, C, blocks):
    """counts one all the same"""
    return V * C + T * C + max(1, blocks) * (12 * C * C + 13 * C) + C * V + V


def norms_once(V, T, C, blocks):
    """the norms are counted once"""
    return V * C + T * C + blocks * (12 * C * C + 9 * C) + (4 * C if blocks else 0) + C * V + V


def bias_of_twelve(V, T, C, blocks):
    """not always 12"""
    return V * C + T * C + blocks * (12 * C * C + 13 * C) + C * V + 12
