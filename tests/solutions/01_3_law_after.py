from collections import defaultdict


def law_after(sentences, weights, prefix):
    """Return the law of the token after a prefix, as a dict from token to probability.

    sentences: a list of different id lists. weights: one positive number for each of them.
    prefix: an id list that begins with <bos>. Tokens that cannot follow are left out, so where no
    sentence goes on from the prefix the dict is empty.
    """
    n = len(prefix)
    mass = defaultdict(float)
    for sentence, weight in zip(sentences, weights, strict=True):
        if sentence[:n] == prefix and len(sentence) > n:
            mass[sentence[n]] += weight
    return {token: value / sum(mass.values()) for token, value in mass.items()}
