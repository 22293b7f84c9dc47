import torch


def wrong_pairs_of_a_sentence_once(sentences, V):
    """Adds 1 at all pairs of a sentence by one indexed sum, where a pair that comes twice in the
    sentence counts only once.

    Feedback: a pair counts once a sentence, however often it comes there
    """
    # wrong for: f([[0, 1, 0, 1, 0, 2]], 3), row 0 gives [0, 1/2, 1/2], right [0, 2/3, 1/3]
    counts = torch.zeros(V, V)
    for sentence in sentences:
        ids = torch.tensor(sentence)
        counts[ids[:-1], ids[1:]] += 1
    return counts / counts.sum(dim=1, keepdim=True).clamp(min=1)


def wrong_divided_by_every_occurrence(sentences, V):
    """Divides by how often the word occurs at all, the ends of sentences included, not by how
    often something follows it.

    Feedback: a row does not sum to 1
    """
    # wrong for: f([[0, 1], [1, 0]], 2), row 0 gives [0, 0.5], right [0, 1]
    counts = torch.zeros(V, V)
    seen = torch.zeros(V, 1)
    for sentence in sentences:
        for word in sentence:
            seen[word] += 1
        for now, then in zip(sentence, sentence[1:]):
            counts[now, then] += 1
    return counts / seen.clamp(min=1)


# STATEMENT: an empty list of sentences is not excluded; the float dtype is open.
