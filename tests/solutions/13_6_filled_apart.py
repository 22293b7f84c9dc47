import math
from collections import defaultdict


def filled_apart(sentences, probabilities, hidden):
    """Return the probability that hidden words, each drawn by itself, make a sentence.

    Independent words always fit: the law of one is the same whatever the other is, so each pair
    that two draws can give is a pair that the language has.
    """
    shown = [t for t in range(len(sentences[0])) if t not in hidden]
    groups = defaultdict(list)  # words that are shown -> [(sentence, probability)]
    for sentence, p in zip(sentences, probabilities, strict=True):
        groups[tuple(sentence[t] for t in shown)].append((sentence, p))
    fits = 0.0
    for group in groups.values():
        total = sum(p for _, p in group)
        laws = defaultdict(float)  # (place, word) -> probability, given the words that are shown
        for sentence, p in group:
            for place in hidden:
                laws[place, sentence[place]] += p / total
        for sentence, _ in group:
            fits += total * math.prod(laws[place, sentence[place]] for place in hidden)
    return fits
