import math
from collections import defaultdict
from fractions import Fraction


def _entropy(sentences, probabilities, asked, known):
    mass = defaultdict(lambda: defaultdict(float))
    for sentence, p in zip(sentences, probabilities, strict=True):
        mass[known(sentence)][asked(sentence)] += p
    return sum(p * math.log(sum(law.values()) / p) for law in mass.values() for p in law.values())


def wrong_digits_joined(sentences, probabilities, place, seen):
    """What is known is joined as text without a gap, so 1, 11 and 11, 1 look alike.

    Feedback: ids are joined as digits: 1, 11 is not 11, 1
    """
    # wrong for: f([[1, 11, 0], [11, 1, 2]], [0.5, 0.5], 2, [0, 1]) gives 0.693147181, right 0.0
    return _entropy(
        sentences, probabilities, lambda s: s[place], lambda s: "".join(str(s[i]) for i in seen)
    )


def wrong_words_as_a_set(sentences, probabilities, place, seen):
    """The known words are a set, so where each of them stands is lost.

    Feedback: something is left although the place itself is seen
    """
    # wrong for: f([[1, 2, 0], [2, 1, 5]], [0.5, 0.5], 2, [0, 1]) gives 0.693147181, right 0.0
    return _entropy(
        sentences, probabilities, lambda s: s[place], lambda s: frozenset(s[i] for i in seen)
    )


def wrong_everything_up_to_the_last_seen(sentences, probabilities, place, seen):
    """All places up to the last one seen are taken as known, not only those that are listed.

    Feedback: it gives another value
    """
    # wrong for: f([[0, 7, 0], [1, 7, 1]], [0.5, 0.5], 2, [1]) gives 0.0, right 0.693147181
    if place in seen:
        return 0.0
    end = max(seen, default=-1) + 1
    return _entropy(
        sentences,
        probabilities,
        lambda s: s[place],
        lambda s: tuple(s[i] for i in range(end) if i != place),
    )


def wrong_every_sight_weighs_the_same(sentences, probabilities, place, seen):
    """The entropies behind the sights are averaged evenly, not by how probable each sight is.

    Feedback: every group counts the same, whatever its probability
    """
    # wrong for: f([[0, 5], [1, 5], [1, 6]], [0.8, 0.1, 0.1], 1, [0]) gives 0.34657359, right 0.138629436
    mass = defaultdict(lambda: defaultdict(float))
    for sentence, p in zip(sentences, probabilities, strict=True):
        mass[tuple(sentence[i] for i in seen)][sentence[place]] += p
    left = [
        sum(p * math.log(sum(law.values()) / p) for p in law.values()) / sum(law.values())
        for law in mass.values()
    ]
    return sum(left) / len(left)


def wrong_rare_sentences_dropped(sentences, probabilities, place, seen):
    """Sentences rarer than one in a million are dropped, as if they had no share in the entropy.

    Feedback: a rare sentence is left out
    """
    # wrong for: f([[0], [1]], [1 - 1e-7, 1e-7], 0, []) gives 0.0, right 1.71180956e-06
    kept = [(s, p) for s, p in zip(sentences, probabilities, strict=True) if p >= 1e-6]
    return _entropy(
        [s for s, _ in kept],
        [p for _, p in kept],
        lambda s: s[place],
        lambda s: tuple(s[i] for i in seen),
    )


def wrong_sentences_equally_likely(sentences, probabilities, place, seen):
    """Sentences are counted, and their probabilities only give the weight of a sight.

    Feedback: the sum over all places is not the entropy of the language
    """
    # wrong for: f([[0], [1]], [0.9, 0.1], 0, []) gives 0.693147181, right 0.325082973
    groups = defaultdict(list)
    for sentence, p in zip(sentences, probabilities, strict=True):
        groups[tuple(sentence[i] for i in seen)].append((sentence[place], p))
    total = 0.0
    for group in groups.values():
        words = [word for word, _ in group]
        even = sum(math.log(len(words) / words.count(word)) for word in words) / len(words)
        total += even * sum(p for _, p in group)
    return total


def right_two_entropies(sentences, probabilities, place, seen):
    """The entropy of place and seen together less that of seen: the chain rule, kept from falling under 0."""

    def entropy(places):
        law = defaultdict(list)
        for sentence, p in zip(sentences, probabilities, strict=True):
            law[tuple(sentence[i] for i in places)].append(p)
        return -math.fsum(math.fsum(part) * math.log(math.fsum(part)) for part in law.values())

    if place in seen:
        return 0.0
    return max(0.0, entropy([*seen, place]) - entropy(seen))


def right_exact_fractions(sentences, probabilities, place, seen):
    """Adds the probabilities exactly as fractions; each sentence pays the log of its group over its own part."""
    exact = [Fraction(p) for p in probabilities]
    group, part = {}, {}
    for sentence, p in zip(sentences, exact, strict=True):
        known = tuple([sentence[i] for i in sorted(set(seen))])
        group[known] = group.get(known, 0) + p
        part[known, sentence[place]] = part.get((known, sentence[place]), 0) + p
    return math.fsum(
        float(p) * math.log1p(float((group[known] - p) / p)) for (known, _), p in part.items()
    )


# STATEMENT: it does not say that ids are whole numbers of 0 or more (they might run together as digits), whether a
# place may be named twice in seen (it is said in 13.6 only: "different"), whether place or seen may count from the end
# (-1), or how near to 1 the sum is.
