def cheapest_split(blocks, S, N, C):
    """Count every split word by word, and take the first of the cheapest."""
    projection, pair = C * C, C + C
    feed_forward = 2 * (C * 4 * C)

    def total(encoder):
        decoder = blocks - encoder
        work = encoder * (S * (4 * projection + feed_forward) + S * S * pair)
        work += decoder * 2 * S * projection  # keys and values of the source
        for word in range(1, N + 1):
            work += decoder * (6 * projection + feed_forward + (word + S) * pair)
        return work

    best = min(range(1, blocks), key=total)
    return [best, blocks - best]
