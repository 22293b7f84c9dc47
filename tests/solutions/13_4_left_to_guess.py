import math
from collections import defaultdict


def left_to_guess(sentences, probabilities, place, seen):
    """Return the entropy in nats of the word at place, for someone who knows the words at seen."""
    groups = defaultdict(lambda: defaultdict(float))  # seen words -> word at place -> probability
    for sentence, p in zip(sentences, probabilities, strict=True):
        known = tuple(sentence[s] for s in seen)
        groups[known][sentence[place]] += p
    nats = 0.0
    for law in groups.values():
        total = sum(law.values())
        nats += sum(p * math.log(total / p) for p in law.values())
    return nats
