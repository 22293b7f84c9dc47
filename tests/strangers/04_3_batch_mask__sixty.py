import torch


def wrong_one_side_for_the_batch(token_mask, queries):
    """Decides once for the whole batch on which side the padding stands, and hides as many tokens
    there as each row lacks.

    Feedback: the padding is taken to stand on the left of every row
    """
    # wrong for: f([[False, True], [True, False]], 2): row 1, last line gives [False, True],
    # right [True, False]
    B, T = token_mask.shape
    place = torch.arange(T)
    lengths = token_mask.sum(dim=1, keepdim=True)  # [B, 1]
    if token_mask[:, 0].all():  # padding on the right
        real = place < lengths
    else:
        real = place >= T - lengths
    causal = torch.ones(T, T, dtype=torch.bool).tril()[T - queries :]
    return real[:, None, None, :] & causal


def wrong_last_real_tokens_ask(token_mask, queries):
    """Lets the last real tokens of each row ask, not the last positions: with padding on the right
    the lines stand for earlier places.

    Feedback: a row's last real tokens ask, in place of its last positions
    """
    # wrong for: f([[True, True, False]], 1) gives [True, True, False] as it should, but
    # f([[True, True, False]], 2), line 0 gives [True, False, False], right [True, True, False]
    B, T = token_mask.shape
    place = torch.arange(T)
    end = (token_mask * (place + 1)).amax(dim=1)  # one behind the last real token
    asks = end[:, None] - queries + torch.arange(queries)  # [B, queries]
    causal = place <= asks[:, :, None]
    return (causal & token_mask[:, None, :])[:, None]
