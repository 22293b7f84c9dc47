import math


def _split(blocks, encoder, decoder):
    return [blocks - 1, 1] if encoder < decoder else [1, blocks - 1]


def wrong_square_for_the_text(blocks, S, N, C):
    """The text's self-attention is counted as N rows that look at N rows, not row i at i.

    Feedback: with a cache word i looks at i words: N (N + 1) / 2 pairs, not N squared
    """
    # wrong for: f(12, 30, 20, 1) gives [11, 1], right [1, 11]
    encoder = 12 * S * C * C + 2 * C * S * S
    decoder = 2 * S * C * C + 14 * N * C * C + 2 * C * (N * N + N * S)
    return _split(blocks, encoder, decoder)


def wrong_row_looks_at_those_before(blocks, S, N, C):
    """Row i looks at i - 1 rows: itself is forgotten.

    Feedback: another split needs fewer multiply-adds
    """
    # wrong for: f(12, 7, 5, 4) gives [1, 11], right [11, 1]
    encoder = 12 * S * C * C + 2 * C * S * S
    decoder = 2 * S * C * C + 14 * N * C * C + 2 * C * (N * (N - 1) // 2 + N * S)
    return _split(blocks, encoder, decoder)


def wrong_tie_to_the_decoder(blocks, S, N, C):
    """Where all splits cost the same there is one decoder block, not one encoder block.

    Feedback: at a tie it is not the split with one encoder block
    """
    # wrong for: f(12, 25, 18, 4) gives [11, 1], right [1, 11]
    encoder = 12 * S * C * C + 2 * C * S * S
    decoder = 2 * S * C * C + 14 * N * C * C + C * N * (N + 1) + 2 * C * N * S
    return [blocks - 1, 1] if encoder <= decoder else [1, blocks - 1]


def wrong_four_more_projections(blocks, S, N, C):
    """Each word pays four projections for cross-attention: key and value of words, too.

    Feedback: another split needs fewer multiply-adds
    """
    # wrong for: f(12, 30, 20, 64) gives [11, 1], right [1, 11]
    encoder = 12 * S * C * C + 2 * C * S * S
    decoder = 2 * S * C * C + 16 * N * C * C + C * N * (N + 1) + 2 * C * N * S
    return _split(blocks, encoder, decoder)


def wrong_memory_forgotten(blocks, S, N, C):
    """Keys and values of the source rows cost nothing.

    Feedback: the memory of each decoder block is left out: keys and values of S rows
    """
    # wrong for: f(12, 4, 3, 4) gives [1, 11], right [11, 1]
    encoder = 12 * S * C * C + 2 * C * S * S
    decoder = 14 * N * C * C + C * N * (N + 1) + 2 * C * N * S
    return _split(blocks, encoder, decoder)


def wrong_near_is_equal(blocks, S, N, C):
    """Costs within a thousandth of each other count as the same, because floats are compared
    loosely.

    Feedback: another split needs fewer multiply-adds
    """
    # wrong for: f(12, 2000, 1429, 100_000) gives [1, 11], right [11, 1]
    encoder = 12 * S * C * C + 2 * C * S * S
    decoder = 2 * S * C * C + 14 * N * C * C + C * N * (N + 1) + 2 * C * N * S
    if math.isclose(encoder, decoder, rel_tol=1e-3):
        return [1, blocks - 1]
    return _split(blocks, encoder, decoder)


def right_tries_every_split(blocks, S, N, C):
    """The bills of one and of two encoder blocks, row by row; the others lie on their line; min over all."""

    def work(encoders):
        read = S * 12 * C**2 + S * S * 2 * C
        steps = sum(14 * C**2 + 2 * C * (i + S) for i in range(1, N + 1))
        return encoders * read + (blocks - encoders) * (2 * S * C**2 + steps)

    one, two = work(1), work(2)  # the bill is a straight line in the number of encoder blocks
    best = min(range(1, blocks), key=lambda e: (one + (e - 1) * (two - one), e))
    return [best, blocks - best]


def right_sign_of_one_difference(blocks, S, N, C):
    """The difference of one encoder and one decoder block, divided by C, as one polynomial."""
    more = 10 * C * S - 14 * C * N + 2 * S * (S - N) - N * (N + 1)
    encoders = 1 if more >= 0 else blocks - 1
    return [encoders, blocks - encoders]


# STATEMENT: S, N and C of 0 are neither allowed nor excluded. "Computes all pairs of two rows" can be read as
# S (S - 1) / 2 pairs, or S (S + 1) / 2; the S x S of the lesson is meant. Whether "row i" is counted from 1 stands
# only in "looks at i rows".
