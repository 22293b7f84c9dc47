def greedy_and_best(laws):
    """Return [greedy sentence, its probability, likeliest sentence, its probability].

    laws: a list of [prefix, law] pairs; prefix: a list of ids that begins with 1; law: V numbers,
    the probability of each id after it. A sentence is a list of ids from 1 to 2.

    A small table where the likeliest (0.4) has more than twice what greedy finds (0.6 / 4): 3 comes
    first with 0.6 and leads to four ends with a quarter each; 4 has 0.4 and one sure end.
    """
    law_after = {tuple(prefix): law for prefix, law in laws}

    def longer(text, probability):
        """All possible texts with one token more, by id: pairs (text, probability)."""
        pairs = [((*text, token), probability * p) for token, p in enumerate(law_after[text])]
        return [pair for pair in pairs if pair[0][-1] == 2 or pair[0] in law_after]

    def probability(pair):
        return pair[1]

    greedy = ((1,), 1.0)
    while greedy[0] in law_after:
        greedy = max(longer(*greedy), key=probability)  # the first of equal ones

    sentences, waiting = [], [((1,), 1.0)]
    while waiting:
        pair = waiting.pop()
        if pair[0] in law_after:
            waiting += longer(*pair)
        else:
            sentences.append(pair)
    best = max(sentences, key=probability)
    return [list(greedy[0]), greedy[1], list(best[0]), best[1]]
