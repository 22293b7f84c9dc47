import torch


def _causal(queries, T):
    return torch.ones(queries, T, dtype=torch.bool).tril(diagonal=T - queries)


def wrong_triangle_at_the_top_left(token_mask, queries):
    """The triangle counts the queries from the first key, right only where all positions ask.

    Feedback: the triangle starts at the top left
    """
    # wrong for: f(torch.ones(1, 3, dtype=torch.bool), 1) gives [[[[1, 0, 0]]]], right [[[[1,
    # 1, 1]]]]
    B, T = token_mask.shape
    causal = torch.ones(queries, T, dtype=torch.bool).tril()
    return (causal & token_mask[:, None, :])[:, None]


def wrong_padding_does_not_ask(token_mask, queries):
    """The rows of padding tokens are hidden as well, which shows with padding on the right.

    Feedback: a padding token's line is emptied
    """
    # wrong for: f(torch.tensor([[True, False]]), 2) gives [[[[1, 0], [0, 0]]]], right [[[[1,
    # 0], [1, 0]]]]
    B, T = token_mask.shape
    pairs = token_mask[:, None, :] & token_mask[:, T - queries :, None]
    return (_causal(queries, T) & pairs)[:, None]


def wrong_everyone_sees_itself(token_mask, queries):
    """The diagonal is opened so that no row is blind, so padding may look at itself.

    Feedback: a padding token sees itself
    """
    # wrong for: f(torch.tensor([[False, True]]), 2) gives [[[[1, 0], [0, 1]]]], right [[[[0,
    # 0], [0, 1]]]]
    B, T = token_mask.shape
    itself = torch.eye(T, dtype=torch.bool)[T - queries :]
    return (_causal(queries, T) & token_mask[:, None, :] | itself)[:, None]


def wrong_padding_always_on_the_left(token_mask, queries):
    """Only the number of real tokens is read; they are taken to stand at the end.

    Feedback: taken to stand on the left of every row
    """
    # wrong for: f(torch.tensor([[True, False]]), 1) gives [[[[0, 1]]]], right [[[[1, 0]]]]
    B, T = token_mask.shape
    first = T - token_mask.sum(dim=1)
    real = torch.arange(T) >= first[:, None]
    return (_causal(queries, T) & real[:, None, :])[:, None]


def wrong_first_row_for_all(token_mask, queries):
    """The padding of the first row is used for the whole batch.

    Feedback: the first row's padding is used for all rows
    """
    # wrong for: f(torch.tensor([[True, True], [False, True]]), 1) gives [[[[1, 1]]], [[[1,
    # 1]]]], right [[[[1,
    # 1]]], [[[0, 1]]]]
    B, T = token_mask.shape
    return (_causal(queries, T) & token_mask[0]).expand(B, 1, queries, T).clone()


def wrong_last_real_tokens_ask(token_mask, queries):
    """The queries are the last real tokens of a row, not its last positions.

    Feedback: a row's last real tokens ask
    """
    # wrong for: f(torch.tensor([[True, True, False]]), 2) gives [[[[1, 0, 0], [1, 1, 0]]]],
    # right [[[[1, 1, 0], [1,
    # 1, 0]]]]
    B, T = token_mask.shape
    last = (token_mask * torch.arange(1, T + 1)).amax(dim=1)
    asking = last[:, None] - queries + torch.arange(queries)
    seen = torch.arange(T) <= asking[:, :, None]
    return (seen & token_mask[:, None, :])[:, None]


def right_compared_with_own_position(token_mask, queries):
    """A real key carries its position and padding one beyond the end; a query sees what is not
    beyond it.
    """
    T = token_mask.size(1)
    place = torch.where(token_mask, torch.arange(T), T)
    return place[:, None, None, :] <= torch.arange(T - queries, T).reshape(1, 1, queries, 1)


def right_lists_of_booleans(token_mask, queries):
    """Ask for each pair in turn, as plain Python."""
    T = token_mask.shape[-1]
    answers = [
        [[[real and s <= t for s, real in enumerate(row)] for t in range(T)[-queries:]]]
        for row in token_mask.tolist()
    ]
    return torch.tensor(answers, dtype=torch.bool)


# STATEMENT: a row that is padding only is not excluded. Whether the result may be an expanded view
# (shared memory) is open.
