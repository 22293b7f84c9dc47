def best_by_beams(laws, beams):
    """Return the best texts that a beam search meets, at most `beams`: [text, probability] pairs.

    laws: a list of [prefix, law] pairs; prefix: a list of ids that begins with 1; law: V numbers,
    the probability of each id after it. A text goes from 1 to 2. The likeliest text comes first.
    """
    law_after = {tuple(prefix): law for prefix, law in laws}

    def likeliest(pairs):
        return sorted(pairs, key=lambda pair: -pair[1])[:beams]

    running, finished = [((1,), 1.0)], []
    while running:
        candidates = [
            ((*text, token), probability * p)
            for text, probability in running
            for token, p in enumerate(law_after[text])
            if p > 0
        ]
        finished += [pair for pair in likeliest(candidates) if pair[0][-1] == 2]
        # of all candidates: a text that has ended must not take the place of one that goes on, or
        # the search becomes narrower with each end
        running = likeliest([pair for pair in candidates if pair[0][-1] != 2])
    return [[list(text), probability] for text, probability in likeliest(finished)]
