import torch


def batch_mask(token_mask, queries):
    """Return the causal and padding mask of a batch, bool [B, 1, queries, T], True = may attend.

    token_mask: bool [B, T], True = real token; in each row the padding stands on one side.
    queries: how many of the last positions ask, 1 to T. Entry (b, 0, i, s) says whether
    query i may see key s.
    """
    # With padding on the left the first query is a padding token. All it could see is itself, and
    # padding is hidden: it sees nothing, and is a blind row.
    T = token_mask.shape[1]
    key_at = torch.arange(T)
    query_at = key_at[T - queries :]  # the queries are the last positions
    causal = key_at[None, :] <= query_at[:, None]  # [queries, T]
    real = token_mask[:, None, None, :]  # [B, 1, 1, T]
    return causal & real
