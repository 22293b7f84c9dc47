import torch


def packed_positions(document_ids):
    """Return each token's position in its own text, int64 [B, T], counted from 0.

    document_ids: int64 [B, T]. Texts stand one behind the other, each with an id of its own.
    """
    column = torch.arange(document_ids.shape[1])  # [T]
    begins = torch.zeros_like(document_ids)  # [B, T]: the column's number where a text begins
    new = document_ids[:, 1:] != document_ids[:, :-1]  # [B, T - 1]
    begins[:, 1:] = torch.where(new, column[1:], 0)
    latest = begins.cummax(dim=1).values  # [B, T]
    return column - latest
