import torch


def wrong_top_left(token_mask, queries):
    """the triangle is lined up at the top left, so the last queries are treated as the first;
    right only for all queries

    Feedback: the triangle starts at the top left, not at the bottom right
    """
    # wrong for: T = 4, queries = 1: sees key 0 only
    B, T = token_mask.shape
    causal = torch.ones(queries, T, dtype=torch.bool).tril()
    return causal & token_mask[:, None, None, :]


def wrong_padding_does_not_ask(token_mask, queries):
    """the lines of padding tokens are hidden too

    Feedback: a padding token's line is emptied: hide keys only
    """
    # wrong for: padding on the right: its line is empty, right it sees the real tokens before it
    B, T = token_mask.shape
    causal = torch.ones(T, T, dtype=torch.bool).tril()
    pairs = token_mask[:, :, None] & token_mask[:, None, :] & causal
    return pairs[:, None, T - queries :]


def right_line_by_line(token_mask, queries):
    """each line is written out as a list: the real tokens up to the query, then False"""
    rows = token_mask.tolist()
    T = len(rows[0])
    return torch.tensor(
        [[[row[: q + 1] + [False] * (T - q - 1) for q in range(T - queries, T)]] for row in rows],
        dtype=torch.bool,
    )


# STATEMENT: a row of padding only? ("on the left, on the right or not at all")
