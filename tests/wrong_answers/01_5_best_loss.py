"""Wrong answers to 01.5. A docstring holds the words that only this fault's feedback contains."""

import math
from collections import defaultdict

EQUAL = {
    "True  ->  False": "strict= only guards against lists of different lengths",
    "0  ->  1": "without <bos> a context at the beginning is shorter than k, and so still its own",
}


def _cut(sentence, t, k):
    return sentence[max(0, t - k) : t]


def _surprises(sentences, weights, k, position, cut=_cut):
    pair, context = defaultdict(float), defaultdict(float)
    steps = []
    for sentence, weight in zip(sentences, weights, strict=True):
        steps.append([])
        for t in range(1, len(sentence)):
            seen = (tuple(cut(sentence, t, k)), t if position else None)
            steps[-1].append((seen, sentence[t]))
            pair[seen, sentence[t]] += weight
            context[seen] += weight
    return [sum(-math.log(pair[s, x] / context[s]) for s, x in row) for row in steps]


def _loss(sentences, weights, each, lengths):
    above = sum(w * s for w, s in zip(weights, each, strict=True))
    return above / sum(w * n for w, n in zip(weights, lengths, strict=True))


def _tokens(sentences):
    return [len(sentence) - 1 for sentence in sentences]


def no_weights(sentences, weights, k, position):
    """leaves out the weights"""
    weights = [1] * len(weights)
    each = _surprises(sentences, weights, k, position)
    return _loss(sentences, weights, each, _tokens(sentences))


def averages_sentences_first(sentences, weights, k, position):
    """it averages over sentences first"""
    each = _surprises(sentences, weights, k, position)
    means = [a / b for a, b in zip(each, _tokens(sentences), strict=True)]
    return _loss(sentences, weights, means, [1] * len(means))


def weights_only_in_the_counts(sentences, weights, k, position):
    """the weights are missing in the average"""
    each = _surprises(sentences, weights, k, position)
    return _loss(sentences, [1] * len(weights), each, _tokens(sentences))


def counts_bos(sentences, weights, k, position):
    """counted as a predicted token"""
    each = _surprises(sentences, weights, k, position)
    return _loss(sentences, weights, each, map(len, sentences))


def last_k_of_a_list(sentences, weights, k, position):
    """in Python row[-0:]"""
    each = _surprises(sentences, weights, k, position, lambda s, t, k: s[:t][-k:])
    return _loss(sentences, weights, each, _tokens(sentences))


def negative_start(sentences, weights, k, position):
    """a slice from a negative index"""
    each = _surprises(sentences, weights, k, position, lambda s, t, k: s[t - k : t])
    return _loss(sentences, weights, each, _tokens(sentences))


def bits(sentences, weights, k, position):
    """this is in bits"""
    each = _surprises(sentences, weights, k, position)
    return _loss(sentences, weights, each, _tokens(sentences)) / math.log(2)


def never_divides(sentences, weights, k, position):
    """this is the loss of a sentence"""
    each = _surprises(sentences, weights, k, position)
    return _loss(sentences, weights, each, [1] * len(each))


def context_as_joined_text(sentences, weights, k, position):
    """two contexts are taken for one"""
    each = _surprises(
        sentences, weights, k, position, lambda s, t, k: "".join(map(str, s[max(0, t - k) : t]))
    )
    return _loss(sentences, weights, each, _tokens(sentences))
