import math
from collections import Counter, defaultdict


def wrong_joined_text(cases):
    """Pairs are counted as joined text, so "a" + "bc" and "ab" + "c" are one pair.

    Feedback: two cases that differ are counted as the same one
    """
    # wrong for: f([["a", "bc"], ["a", "d"], ["ab", "c"], ["ab", "d"]]) gives 0.34657359, right 0.693147181
    pairs = Counter(seen + followed for seen, followed in cases)
    sights = Counter(seen for seen, _ in cases)
    loss = -sum(math.log(pairs[seen + followed] / sights[seen]) for seen, followed in cases) / len(
        cases
    )
    return max(0.0, loss)


def wrong_each_sight_counts_once(cases):
    """The entropies of the sights are averaged, each counted once however often it was seen.

    Feedback: it is another floor
    """
    # wrong for: f([["a", "plus"], ["a", "circle"], ["b", "plus"], ["b", "plus"], ["b", "plus"]]) gives 0.34657359,
    # right 0.277258872
    after = defaultdict(Counter)
    for seen, followed in cases:
        after[seen][followed] += 1
    entropies = [
        -sum(n / law.total() * math.log(n / law.total()) for n in law.values())
        for law in after.values()
    ]
    return sum(entropies) / len(entropies)


def wrong_words_not_texts(cases):
    """What was seen is split into words and joined again, so spaces at its ends and double ones
    are lost.

    Feedback: texts that differ in their spaces are taken for equal
    """
    # wrong for: f([["a b", "x"], ["a  b", "y"]]) gives 0.693147181, right 0.0
    tidy = [(" ".join(seen.split()), followed) for seen, followed in cases]
    pairs, sights = Counter(tidy), Counter(seen for seen, _ in tidy)
    return 0.0 - sum(n * math.log(n / sights[seen]) for (seen, _), n in pairs.items()) / len(cases)


def wrong_surprise_of_the_favourite(cases):
    """Each sight costs minus the log of its most frequent sequel's share, right for even and for
    sure ones.

    Feedback: it rises when the sights say more
    """
    # wrong for: f([["a", "x"], ["a", "x"], ["a", "x"], ["a", "y"]]) gives 0.287682072, right 0.562335145
    after = defaultdict(Counter)
    for seen, followed in cases:
        after[seen][followed] += 1
    return sum(
        law.total() * math.log(law.total() / max(law.values())) for law in after.values()
    ) / len(cases)


def wrong_empty_sight_left_out(cases):
    """Cases in which nothing was seen, an empty text, are left out.

    Feedback: cases in which nothing was seen are left out
    """
    # wrong for: f([["", "x"], ["", "y"], ["a", "x"], ["a", "x"]]) gives 0.0, right 0.34657359
    cases = [case for case in cases if case[0]]
    if not cases:
        return 0.0
    pairs, sights = Counter(map(tuple, cases)), Counter(seen for seen, _ in cases)
    return 0.0 - sum(n * math.log(n / sights[seen]) for (seen, _), n in pairs.items()) / len(cases)


def wrong_neighbours_only(cases):
    """Equal sights are put together only where they stand next to each other.

    Feedback: it is not the mean loss of who bets by the shares
    """
    # wrong for: f([["a", "x"], ["b", "x"], ["a", "y"], ["b", "x"]]) gives 0.0, right 0.34657359
    total, i = 0.0, 0
    while i < len(cases):
        j = i
        while j < len(cases) and cases[j][0] == cases[i][0]:
            j += 1
        law = Counter(followed for _, followed in cases[i:j])
        total += sum(n * math.log((j - i) / n) for n in law.values())
        i = j
    return total / len(cases)


def right_two_entropies(cases):
    """The entropy of the pairs less that of the sights: the chain rule."""

    def entropy(things):
        counts = Counter(things).values()
        return math.log(len(cases)) - math.fsum(n * math.log(n) for n in counts) / len(cases)

    return max(
        0.0,
        entropy((seen, followed) for seen, followed in cases) - entropy(seen for seen, _ in cases),
    )


def right_sorted_and_log1p(cases):
    """Sorts the cases, walks through the runs, and takes each log of a share by log1p."""
    ordered = sorted((case[0], case[1]) for case in cases)
    runs, laws = [], {}
    for seen, followed in ordered:
        law = laws.setdefault(seen, [])
        if law and law[-1][0] == followed:
            law[-1][1] += 1
        else:
            law.append([followed, 1])
    for law in laws.values():
        total = sum(n for _, n in law)
        runs += [n * math.log1p((total - n) / n) for _, n in law]
    return math.fsum(runs) / len(cases)


# STATEMENT: a tolerance is not given (2 ln 2 / 4 or its rounding). An empty text as sight or as sequel is "a text";
# it is not said that this is meant. "A float": an int 0 for a sure reader is not mentioned.
