"""Wrong answers to 12.3. A docstring holds the words that only this fault's feedback contains."""

import math
from collections import Counter


def _counts(cases):
    return Counter(seen for seen, _ in cases), Counter(map(tuple, cases))


def _floor(cases):
    sights, pairs = _counts(cases)
    return sum(n * math.log(sights[seen] / n) for (seen, _), n in pairs.items()) / len(cases)


def in_bits(cases):
    """it counts in bits"""
    return _floor(cases) / math.log(2)


def sum_of_all(cases):
    """it is the sum over all cases"""
    return _floor(cases) * len(cases)


def sights_not_used(cases):
    """what was seen is not used"""
    return _floor([["", outcome] for _, outcome in cases])


def mean_over_sights(cases):
    """however rare it is"""
    sights, _ = _counts(cases)
    floors = [_floor([case for case in cases if case[0] == seen]) for seen in sights]
    return sum(floors) / len(floors)


def equal_cases_once(cases):
    """equal cases are counted once"""
    _, pairs = _counts(cases)
    return _floor([list(pair) for pair in pairs])


def the_other_way_round(cases):
    """how well the sight is known"""
    return _floor([[outcome, seen] for seen, outcome in cases])


def sight_guessed_too(cases):
    """the sight itself is guessed too"""
    _, pairs = _counts(cases)
    return sum(n * math.log(len(cases) / n) for n in pairs.values()) / len(cases)


def kinds_of_cases(cases):
    """each kind of case counts once"""
    sights, pairs = _counts(cases)
    return sum(math.log(sights[seen] / n) for (seen, _), n in pairs.items()) / len(pairs)


def likeliest_only(cases):
    """only the likeliest outcome"""
    sights, pairs = _counts(cases)
    best = {seen: max(n for (s, _), n in pairs.items() if s == seen) for seen in sights}
    return sum(math.log(sights[seen] / best[seen]) for seen, _ in cases) / len(cases)


def sign_lost(cases):
    """it is below 0"""
    return -_floor(cases)


def joined_texts(cases):
    """counted as the same one"""
    sights, _ = _counts(cases)
    pairs = Counter(seen + outcome for seen, outcome in cases)
    return sum(math.log(sights[s] / pairs[s + o]) for s, o in cases) / len(cases)
