import torch


def wrong_minus_ten_thousand(query, key, value, mask):
    """Hides with -10,000 in place of minus infinity, but numbers up to 1,000 make scores far below
    that.

    Feedback: what hides a key is not low enough: only -inf lies below every score
    """
    # wrong for: query 1000, key [-1000, 0], D = 1, mask [[True, False]], value [1, 5]: gives 5,
    # right 1
    share = query.shape[1] // key.shape[1]
    key, value = key.repeat_interleave(share, 1), value.repeat_interleave(share, 1)
    scores = query @ key.transpose(-2, -1) / query.shape[-1] ** 0.5
    return scores.masked_fill(~mask, -1e4).softmax(dim=-1) @ value


def wrong_one_maximum_a_head(query, key, value, mask):
    """Takes the largest score of the whole head off before exp, not that of each query: a query
    whose scores lie far below gets 0 / 0.

    Feedback: exp grows beyond all bounds: take the largest score off first
    """
    # wrong for: query [0, 1000], key [1], D = 1, all visible: query 0 gives nan, right value
    B, H, Tq, D = query.shape
    G = key.shape[1]
    query = query.view(B, G, H // G, Tq, D)
    scores = torch.einsum("bghqd,bgkd->bghqk", query, key) / D**0.5
    scores = torch.where(mask, scores, -torch.inf)
    powers = torch.exp(scores - scores.amax(dim=(-2, -1), keepdim=True))
    law = powers / powers.sum(dim=-1, keepdim=True)
    return torch.einsum("bghqk,bgkd->bghqd", law, value).reshape(B, H, Tq, D)
