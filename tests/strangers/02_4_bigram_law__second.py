import torch
import torch.nn.functional as F


def wrong_index_adds_once(sentences, V):
    """counts[now, next] += 1 with lists of ids adds a pair that comes twice in a sentence only
    once

    Feedback: a pair counts once a sentence, however often it comes there
    """
    # wrong for: bigram_law([[1, 3, 1, 3, 1, 2]], 4): row 1 is [0, 0, 1/2, 1/2], right [0, 0, 1/3,
    # 2/3]
    counts = torch.zeros(V, V)
    for sentence in sentences:
        ids = torch.tensor(sentence)
        counts[ids[:-1], ids[1:]] += 1
    return counts / counts.sum(dim=1, keepdim=True).clamp(min=1)


def wrong_zero_is_padding(sentences, V):
    """pairs with id 0 are left out as padding, though 0 is a word here

    Feedback: a row does not sum to 1
    """
    # wrong for: bigram_law([[1, 0, 1]], 2) is all 0, right [[0, 1], [1, 0]]
    counts = torch.zeros(V, V)
    for sentence in sentences:
        for now, following in zip(sentence, sentence[1:]):
            if now != 0 and following != 0:
                counts[now, following] += 1
    return counts / counts.sum(dim=1, keepdim=True).clamp(min=1)


def right_one_hot_product(sentences, V):
    """one-hot rows of the words times one-hot rows of the next words"""
    counts = torch.zeros(V, V, dtype=torch.float64)
    for sentence in sentences:
        hot = F.one_hot(torch.tensor(sentence, dtype=torch.long), V).double()
        counts += hot[:-1].T @ hot[1:]
    return F.normalize(counts, p=1, dim=1)


# STATEMENT: "float tensor": float16 too? To how many digits? No sentences at all?
