import torch


def wrong_fill_ten_thousand(scores, mask):
    """hidden scores become -10,000 and are zeroed afterwards; visible ones far below lose their
    share to them

    Feedback: beside a large hidden score the visible weights vanish
    """
    # wrong for: scores [[-60000, 0]] with mask [[True, False]] gives [0, 0], right [1, 0]
    weights = scores.masked_fill(~mask, -1e4).softmax(dim=-1)
    return weights.masked_fill(~mask, 0)


def wrong_sum_in_its_own_type(scores, mask):
    """the powers are added up in the type of the scores, and in float16 70,000 of them are
    infinite

    Feedback: the sum of very many powers is beyond float16: add them up in a wider type
    """
    # wrong for: 70,000 equal float16 scores gives all 0, right 1 / 70,000 each
    top = scores.masked_fill(~mask, -torch.inf).amax(dim=-1, keepdim=True)
    top = top.masked_fill(top == -torch.inf, 0)
    powers = (scores - top).masked_fill(~mask, -torch.inf).exp()
    total = powers.sum(dim=-1, keepdim=True)
    return powers / total.masked_fill(total == 0, 1)


def right_visible_only(scores, mask):
    """each row's visible scores are taken out, go through softmax in float64, and are put back"""
    flat = scores.reshape(-1, scores.shape[-1]).double()
    shown = mask.reshape(flat.shape)
    out = torch.zeros_like(flat)
    for row, see, to in zip(flat, shown, out):
        if see.any():
            to[see] = torch.softmax(row[see], dim=0)
    return out.reshape(scores.shape).to(scores.dtype)


# STATEMENT: the dtype of the result is not said (that of the scores, or wider?). With 70,000
# keys a float16 result sums to 1 only roughly (1 / 70,000 is rounded by a thousandth).
# "any float dtype": float8 cannot sum to 1.
