from itertools import permutations, product


def summary(prefix):
    """List the sentences, look up the set of next words, and number these sets per last word."""
    sentences = set()
    for first, second in permutations((9, 10, 11, 12), 2):
        for one, two in product((7, 8), repeat=2):
            for shape, size in ((first, one), (second, two)):
                tail = (5, shape, 6, size, 2)
                sentences.add((1, 3, one, first, 4, 3, two, second, *tail))
    following, kinds = {}, []
    for sentence in sentences:
        for t in range(1, len(sentence)):
            following.setdefault(sentence[:t], set()).add(sentence[t])
    for beginning in following:
        if beginning[-1] == prefix[-1]:
            kinds.append(tuple(sorted(following[beginning])))
    return sorted(set(kinds)).index(tuple(sorted(following[tuple(prefix)])))
