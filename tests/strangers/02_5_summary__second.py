from itertools import permutations, product


def wrong_pair_by_its_sum(prefix):
    """after `the` the two shapes are told by the sum of their ids, but 9 + 12 is 10 + 11

    Feedback: after `the` two different pairs of shapes have the same number
    """
    # wrong for: plus and star, circle and square, both before `the`: the same number, different
    # laws
    last, n = prefix[-1], len(prefix)
    if last in (7, 8):
        return 0 if n == 3 else 5 if n == 12 else prefix[3] - 8
    if last == 5:
        return prefix[3] + prefix[7] - 19
    if last == 6:
        return prefix[2 if prefix[3] == prefix[9] else 6] - 7
    if last >= 9:
        return {4: 0, 8: 1, 10: 2}[n]
    return 0


def wrong_eight_numbers(prefix):
    """every word is told apart rightly, but after `is` with the numbers 7 and 8, which makes eight
    in all

    Feedback: it uses more than six numbers, though never more than six after one word: use the
    """
    # wrong for: all prefixes together, 8 different numbers, allowed 6
    last, n = prefix[-1], len(prefix)
    if last in (7, 8):
        return 0 if n == 3 else 5 if n == 12 else prefix[3] - 8
    if last == 5:
        pairs = [(9, 10), (9, 11), (9, 12), (10, 11), (10, 12), (11, 12)]
        return pairs.index(tuple(sorted((prefix[3], prefix[7]))))
    if last == 6:
        return prefix[2] if prefix[3] == prefix[9] else prefix[6]
    if last >= 9:
        return {4: 0, 8: 1, 10: 2}[n]
    return 0


def right_whole_language_inside(prefix):
    """the 96 sentences are built and the law after the prefix gets its rank among the laws after
    its last word
    """
    rows = [
        (1, 3, s, a, 4, 3, z, b, 5, q, 6, s if q == a else z, 2)
        for (a, b), s, z in product(permutations((9, 10, 11, 12), 2), (7, 8), (7, 8))
        for q in (a, b)
    ]
    follow = {}
    for row in rows:
        for t in range(1, len(row)):
            follow.setdefault(row[:t], []).append(row[t])

    def law(words):
        return tuple(sorted((w, words.count(w) / len(words)) for w in set(words)))

    prefix = tuple(prefix)
    rivals = {law(words) for p, words in follow.items() if p[-1] == prefix[-1]}
    return sorted(rivals).index(law(follow[prefix]))


# STATEMENT: clear. (That the two shapes of a sentence differ is not said in the exercise.)
