from collections import Counter
from fractions import Fraction

import torch


def wrong_pairs_across_sentences(sentences, V):
    """All sentences are laid in one row, so the end of one is followed by the beginning of the
    next.

    Feedback: a pair reaches from one sentence into the next
    """
    # wrong for: f([[1, 2], [3, 2]], 4) gives [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0,
    # 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 0.0]], right [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0],
    # [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]
    row = [token for sentence in sentences for token in sentence]
    counts = torch.zeros(V, V)
    for now, following in zip(row, row[1:]):
        counts[now, following] += 1
    return counts / counts.sum(dim=1, keepdim=True).clamp(min=1)


def wrong_same_sentence_once(sentences, V):
    """A sentence that occurs several times is counted once.

    Feedback: a sentence that comes twice is counted once
    """
    # wrong for: f([[1, 2], [1, 2], [1, 3]], 4) gives [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5],
    # [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], right [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0,
    # 0.666666687, 0.333333343], [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    counts = torch.zeros(V, V)
    for sentence in set(map(tuple, sentences)):
        for now, following in zip(sentence, sentence[1:]):
            counts[now, following] += 1
    return counts / counts.sum(dim=1, keepdim=True).clamp(min=1)


def wrong_same_pair_once_a_sentence(sentences, V):
    """counts[now, next] += 1 with whole index tensors adds 1 only once for a repeated pair.

    Feedback: a pair counts once a sentence
    """
    # wrong for: f([[1, 2, 1, 2, 1, 3]], 4) gives [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5], [0.0,
    # 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], right [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.666666687,
    # 0.333333343], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    counts = torch.zeros(V, V)
    for sentence in sentences:
        ids = torch.tensor(sentence, dtype=torch.long)
        counts[ids[:-1], ids[1:]] += 1
    return counts / counts.sum(dim=1, keepdim=True).clamp(min=1)


def wrong_divided_by_all_occurrences(sentences, V):
    """A row is divided by how often its word occurs, the last word of a sentence included.

    Feedback: it divides by how often the word comes
    """
    # wrong for: f([[1, 2, 1]], 3) gives [[0.0, 0.0, 0.0], [0.0, 0.0, 0.5], [0.0, 1.0, 0.0]], right
    # [[0.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]]
    counts, occurs = torch.zeros(V, V), torch.zeros(V)
    for sentence in sentences:
        for token in sentence:
            occurs[token] += 1
        for now, following in zip(sentence, sentence[1:]):
            counts[now, following] += 1
    return counts / occurs[:, None].clamp(min=1)


def wrong_nought_is_padding(sentences, V):
    """Pairs with id 0 are left out as padding, though 0 is a word like any other here.

    Feedback: pairs with id 0 are left out
    """
    # wrong for: f([[1, 0, 2]], 3) gives [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]], right
    # [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    counts = torch.zeros(V, V)
    for sentence in sentences:
        for now, following in zip(sentence, sentence[1:]):
            if now and following:
                counts[now, following] += 1
    return counts / counts.sum(dim=1, keepdim=True).clamp(min=1)


def wrong_cut_to_the_shortest(sentences, V):
    """All sentences are cut to the length of the shortest, to fit into one tensor.

    Feedback: all sentences are cut to the length of the shortest
    """
    # wrong for: f([[1, 2], [1, 3, 2]], 4) gives [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5], [0.0,
    # 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]], right [[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5],
    # [0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]
    counts = torch.zeros(V, V)
    columns = list(zip(*sentences))
    for now, following in zip(columns, columns[1:]):
        for a, b in zip(now, following):
            counts[a, b] += 1
    return counts / counts.sum(dim=1, keepdim=True).clamp(min=1)


def right_counted_by_bincount(sentences, V):
    """A pair is one number, now * V + next; bincount counts all of them at once."""
    pairs = [a * V + b for s in sentences for a, b in zip(s[:-1], s[1:])]
    counts = torch.bincount(torch.tensor(pairs, dtype=torch.int64), minlength=V * V).view(V, V)
    total = counts.sum(dim=1, keepdim=True)
    return torch.where(total > 0, counts.double() / total, 0.0).float()


def right_exact_shares(sentences, V):
    """Count pairs in a Counter, divide as fractions, and write the shares that there are."""
    pairs = Counter(pair for s in sentences for pair in zip(s, s[1:]))
    before = Counter()
    for (now, _), n in pairs.items():
        before[now] += n
    law = torch.zeros((V, V))
    for (now, following), n in pairs.items():
        law[now, following] = float(Fraction(n, before[now]))
    return law


# STATEMENT: whether an id of 0 is a word or padding is not said (by the words it is a word). Empty
# sentences, sentences of one word and no sentence at all are allowed by "may differ in length".
# Tuples instead of lists, and the dtype ("float tensor"), are open.
