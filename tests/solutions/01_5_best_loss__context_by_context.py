import math
from collections import Counter


def best_loss(sentences, weights, k, position):
    """The entropy of each context, weighted with how often it comes."""
    total = sum(weights)
    following = {}
    for sentence, weight in zip(sentences, weights, strict=True):
        for t in range(len(sentence) - 1):
            past = sentence[: t + 1]
            seen = past[len(past) - min(k, len(past)) :]
            key = str(seen) + (f" at {t}" if position else "")
            following.setdefault(key, Counter())[sentence[t + 1]] += weight / total

    def entropy(masses):
        whole = math.fsum(masses)
        return -math.fsum(m / whole * math.log(m / whole) for m in masses)

    each = [(sum(law.values()), entropy(law.values())) for law in following.values()]
    return sum(p * h for p, h in each) / sum(p for p, _ in each)
