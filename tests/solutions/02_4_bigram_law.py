from itertools import pairwise

import torch


def bigram_law(sentences, V):
    """Return the shares of next words, [V, V]: row = current word, column = next word.

    sentences: a list of id lists. The row of a word that never comes before another one is zeros.
    """
    counts = torch.zeros(V, V)
    for sentence in sentences:
        for now, following in pairwise(sentence):
            counts[now, following] += 1
    return counts / counts.sum(dim=1, keepdim=True).clamp(min=1)  # never 0 / 0
