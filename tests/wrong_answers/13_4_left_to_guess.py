"""Wrong answers to 13.4. A docstring holds the words that only this fault's feedback contains."""

import math
from collections import defaultdict


def _groups(sentences, probabilities, place, seen):
    found = defaultdict(lambda: defaultdict(float))
    for sentence, p in zip(sentences, probabilities, strict=True):
        found[tuple(sentence[s] for s in seen)][sentence[place]] += p
    return [list(law.values()) for law in found.values()]


def _entropy(law):
    return -sum(p / sum(law) * math.log(p / sum(law)) for p in law)


def in_bits(sentences, probabilities, place, seen):
    """it is measured in bits"""
    groups = _groups(sentences, probabilities, place, seen)
    return sum(sum(law) * _entropy(law) for law in groups) / math.log(2)


def groups_alike(sentences, probabilities, place, seen):
    """every group counts the same"""
    groups = _groups(sentences, probabilities, place, seen)
    return sum(_entropy(law) for law in groups) / len(groups)


def sentences_alike(sentences, probabilities, place, seen):
    """every sentence counts the same"""
    even = [1 / len(sentences)] * len(sentences)
    return sum(sum(law) * _entropy(law) for law in _groups(sentences, even, place, seen))


def not_divided(sentences, probabilities, place, seen):
    """is not divided by the group's own"""
    groups = _groups(sentences, probabilities, place, seen)
    return -sum(p * math.log(p) for law in groups for p in law)


def blind(sentences, probabilities, place, seen):
    """what is seen makes no difference"""
    return sum(sum(law) * _entropy(law) for law in _groups(sentences, probabilities, place, []))


def looks_left(sentences, probabilities, place, seen):
    """what stands before the place, not the places in seen"""
    if place in seen:
        return 0.0
    before = range(place)
    return sum(sum(law) * _entropy(law) for law in _groups(sentences, probabilities, place, before))


def a_bag_of_words(sentences, probabilities, place, seen):
    """have lost their places"""
    bags = [[*sorted(s[t] for t in seen), s[place]] for s in sentences]
    groups = _groups(bags, probabilities, -1, range(len(seen)))
    return 0.0 if place in seen else sum(sum(law) * _entropy(law) for law in groups)


def added_without_weights(sentences, probabilities, place, seen):
    """added up without their probabilities"""
    return sum(_entropy(law) for law in _groups(sentences, probabilities, place, seen))


def the_last_one_seen(sentences, probabilities, place, seen):
    """only the last one is used"""
    groups = _groups(sentences, probabilities, place, seen[-1:])
    return 0.0 if place in seen else sum(sum(law) * _entropy(law) for law in groups)


EQUAL = {
    "True  ->  False": "there is one probability a sentence, so the two lists are equally long",
}
