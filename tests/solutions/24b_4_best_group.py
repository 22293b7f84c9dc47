import math


def best_group(blocks, inside):
    """Return [g, states]: blocks in a group, and the states kept at the most.

    blocks: 1 to 1,000. inside: states inside a block, a number above 0.
    """

    def states(g):
        return math.ceil(blocks / g) + inside * g

    g = min(range(1, blocks + 1), key=states)
    return [g, states(g)]
