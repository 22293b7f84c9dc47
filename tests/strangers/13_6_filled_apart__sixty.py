import itertools
import math
from collections import defaultdict


def wrong_filling_known_from_elsewhere(sentences, probabilities, hidden):
    """Accepts a filling if these hidden words stand together in any sentence, not only in one with
    the same visible words.

    Feedback: it gives another probability
    """
    # wrong for: f([[0, 0, 0], [0, 1, 1], [1, 0, 1]], [0.25, 0.25, 0.5], [1, 2]) gives 0.875,
    # right 0.75
    fillings = {tuple(s[h] for h in hidden) for s in sentences}
    groups = defaultdict(list)
    for s, p in zip(sentences, probabilities):
        groups[tuple(w for i, w in enumerate(s) if i not in hidden)].append((s, p))
    answer = 0.0
    for group in groups.values():
        mass = sum(p for _, p in group)
        laws = []
        for h in hidden:
            law = defaultdict(float)
            for s, p in group:
                law[s[h]] += p / mass
            laws.append(law)
        for words in itertools.product(*laws):
            if words in fillings:
                answer += mass * math.prod(law[w] for law, w in zip(laws, words))
    return answer


def wrong_divided_by_a_power_that_vanishes(sentences, probabilities, hidden):
    """Multiplies first and divides by a power of the visible words' probability afterwards: for
    very rare visible words that power is 0.

    Feedback: a power of a tiny probability vanishes: divide before you multiply
    """
    # wrong for: f([[0, 0, 0], [1, 1, 1]], [1.0, 1e-200], [1, 2]) divides by 0
    # (ZeroDivisionError), right 1
    mass = defaultdict(float)
    joint = defaultdict(float)
    for s, p in zip(sentences, probabilities):
        key = tuple(w for i, w in enumerate(s) if i not in hidden)
        mass[key] += p
        for h in hidden:
            joint[key, h, s[h]] += p
    answer = 0.0
    for s in sentences:
        key = tuple(w for i, w in enumerate(s) if i not in hidden)
        product = math.prod(joint[key, h, s[h]] for h in hidden)
        answer += mass[key] * product / mass[key] ** len(hidden)
    return answer
