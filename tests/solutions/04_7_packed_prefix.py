import torch


def packed_prefix(document_ids, prefix_lengths):
    """Return who may see whom, bool [T, T], True = may attend.

    document_ids: int64 [T], numbered 0, 1, ... from the left. prefix_lengths: a list of ints;
    prefix_lengths[d] says how many of text d's first tokens are its question.
    """
    column = torch.arange(len(document_ids))  # [T]
    begins = torch.searchsorted(document_ids, document_ids)  # [T]: where each token's text begins
    place = column - begins  # [T]: the token's position in its text
    question = place < torch.tensor(prefix_lengths)[document_ids]  # [T]: is it in the question?
    same = document_ids[:, None] == document_ids[None, :]  # [T, T]
    causal = column[None, :] <= column[:, None]
    both_ways = question[:, None] & question[None, :]
    return same & (causal | both_ways)
