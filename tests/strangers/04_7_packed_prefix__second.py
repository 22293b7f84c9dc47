import torch


def wrong_counted_from_the_row(document_ids, prefix_lengths):
    """the question is counted from the beginning of the row, so only the first text's is found

    Feedback: a text gets another block than it would get alone
    """
    # wrong for: ids [0, 0, 1, 1, 1], lengths [0, 2]: token 2 must see token 3, here it does not
    T = len(document_ids)
    place = torch.arange(T)
    question = place < torch.tensor(prefix_lengths)[document_ids]
    same = document_ids[:, None] == document_ids[None, :]
    causal = place[:, None] >= place[None, :]
    return same & (causal | question[None, :])


def wrong_questions_see_each_other(document_ids, prefix_lengths):
    """two question tokens may see each other also where they are of different texts

    Feedback: questions of different texts see each other
    """
    # wrong for: ids [0, 0, 1, 1], lengths [1, 1]: token 0 sees token 2
    ids = document_ids.tolist()
    T = len(ids)
    question = [i - ids.index(d) < prefix_lengths[d] for i, d in enumerate(ids)]
    asks = torch.tensor(question)
    same = document_ids[:, None] == document_ids[None, :]
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    return (same & causal) | (asks[:, None] & asks[None, :])


def right_blocks(document_ids, prefix_lengths):
    """one square a text, set on the diagonal by block_diag"""
    squares = []
    for d, n in enumerate(torch.bincount(document_ids).tolist()):
        square = torch.ones(n, n).tril()
        square[:, : prefix_lengths[d]] = 1
        squares.append(square)
    return torch.block_diag(*squares).bool()


# STATEMENT: clear.
