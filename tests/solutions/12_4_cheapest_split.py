def cheapest_split(blocks, S, N, C):
    """Return [encoder blocks, decoder blocks] with the fewest multiply-adds.

    blocks: 2 or more in all. S: rows of the source. N: words to write, with a cache. C: width;
    the feed-forward is four times as wide. Where all splits cost the same: one encoder block.
    """
    # a block more in the encoder: S rows, all pairs
    encoder = S * 12 * C**2 + S * S * 2 * C
    # a block more in the decoder: its memory once, then N rows, which look back and at the source
    decoder = S * 2 * C**2 + N * 14 * C**2 + (N * (N + 1) // 2 + N * S) * 2 * C
    # the total is a straight line in the number of encoder blocks, so an end is the cheapest
    return [1, blocks - 1] if encoder >= decoder else [blocks - 1, 1]


# Why hardly ever something between? Each block that moves changes the total by the same amount,
# encoder - decoder, however many have moved before. So the total rises all the way or falls all the
# way, and one of the two ends is the cheapest. Only where that amount is exactly 0, as for S = 25,
# N = 18, C = 4, do all splits cost the same. The border is not at S = N: a word passes two more
# projections than a source row and looks at two sequences. At S = N = 500 and C = 512 the cheapest
# of twelve blocks is [11, 1], since a word is dearer than a source row.
