import math
import random


def count_valid(prefixes, logits, captions, temperature, seed):
    """Twenty rows side by side, with the dice of random and weights in place of a law."""
    dice = random.Random(seed)
    rows = logits.tolist()
    texts = [[1] for _ in range(20)]
    for _ in range(max(len(caption) for caption in captions) - 1):
        for text in texts:
            if text in prefixes:
                row = rows[prefixes.index(text)]
                weights = [math.exp((logit - max(row)) / temperature) for logit in row]
                text += dice.choices(range(len(row)), weights)
    return sum(text in captions for text in texts)
