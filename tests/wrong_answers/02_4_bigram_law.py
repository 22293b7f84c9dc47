"""Wrong answers to 02.4. A docstring holds the words that only this fault's feedback contains."""

import torch

EQUAL = {"1  ->  2": "every pair counts twice, which leaves the shares as they are"}


def _counts(sentences, V):
    counts = torch.zeros(V, V)
    for sentence in sentences:
        for t in range(1, len(sentence)):
            counts[sentence[t - 1], sentence[t]] += 1
    return counts


def _rows(counts):
    return counts / counts.sum(dim=1, keepdim=True).clamp(min=1)


def only_counts(sentences, V):
    """these are counts"""
    return _counts(sentences, V)


def zero_by_zero(sentences, V):
    """0 divided by 0"""
    counts = _counts(sentences, V)
    return counts / counts.sum(dim=1, keepdim=True)


def swapped(sentences, V):
    """rows and columns are swapped"""
    return _rows(_counts(sentences, V).T)


def columns(sentences, V):
    """it divides each column"""
    counts = _counts(sentences, V)
    return counts / counts.sum(dim=0).clamp(min=1)


def all_pairs(sentences, V):
    """the number of all pairs"""
    counts = _counts(sentences, V)
    return counts / counts.sum()


def repeated_pairs_once(sentences, V):
    """each kind of pair counts once"""
    counts = torch.zeros(V, V)
    now = [token for sentence in sentences for token in sentence[:-1]]
    following = [token for sentence in sentences for token in sentence[1:]]
    counts[now, following] += 1
    return _rows(counts)


def across_sentences(sentences, V):
    """a pair reaches from one sentence into the next"""
    return _rows(_counts([[token for sentence in sentences for token in sentence]], V))


def last_pair_missing(sentences, V):
    """the last pair of a sentence"""
    return _rows(_counts([sentence[:-1] for sentence in sentences], V))


def even_where_nothing_follows(sentences, V):
    """gets an even row"""
    counts = _counts(sentences, V)
    counts[counts.sum(dim=1) == 0] = 1
    return _rows(counts)
