"""Wrong answers to 12.4. A docstring holds the words that only this fault's feedback contains."""


def _split(blocks, S, N, C, memory=2, rows=14, pairs=None, reading=None):
    encoder = S * 12 * C**2 + (S * S if reading is None else reading) * 2 * C
    pairs = N * (N + 1) // 2 + N * S if pairs is None else pairs
    decoder = S * memory * C**2 + N * rows * C**2 + pairs * 2 * C
    return [1, blocks - 1] if encoder >= decoder else [blocks - 1, 1]


def longer_side(blocks, S, N, C):
    """the longer sequence alone does not decide"""
    return [1, blocks - 1] if S >= N else [blocks - 1, 1]


def no_memory(blocks, S, N, C):
    """the memory of each decoder block is left out"""
    return _split(blocks, S, N, C, memory=0)


def no_cross_projections(blocks, S, N, C):
    """the query and output of cross-attention"""
    return _split(blocks, S, N, C, rows=12)


def memory_for_each_word(blocks, S, N, C):
    """made anew for each word"""
    return _split(blocks, S, N, C, memory=2 * N)


def no_pairs_with_the_source(blocks, S, N, C):
    """pairs with the source"""
    return _split(blocks, S, N, C, pairs=N * (N + 1) // 2)


def square_of_words(blocks, S, N, C):
    """not N squared"""
    return _split(blocks, S, N, C, pairs=N * N + N * S)


def causal_encoder(blocks, S, N, C):
    """every source row looks at every other"""
    return _split(blocks, S, N, C, reading=S * (S + 1) // 2)


def no_attention(blocks, S, N, C):
    """attention is left out"""
    return _split(blocks, S, N, C, reading=0, pairs=0)


def upside_down(blocks, S, N, C):
    """that costs most"""
    return _split(blocks, S, N, C)[::-1]


def none_in_the_decoder(blocks, S, N, C):
    """one side has no block"""
    return [1, blocks - 1] if S >= N else [blocks, 0]


def half_and_half(blocks, S, N, C):
    """neither end of the scale"""
    return [blocks // 2, blocks - blocks // 2]


def tie_to_the_encoder(blocks, S, N, C):
    """at a tie it is not the split"""
    split = _split(blocks, S, N, C)
    encoder = S * 12 * C**2 + S * S * 2 * C
    decoder = S * 2 * C**2 + N * 14 * C**2 + (N * (N + 1) // 2 + N * S) * 2 * C
    return [blocks - 1, 1] if encoder == decoder else split
