import torch


def wrong_always_float32(scores, mask):
    """Calculates in float32 whatever comes in: float64 scores that differ only behind the seventh
    digit become equal.

    Feedback: float64 scores are rounded to a narrower type: their differences are lost
    """
    # wrong for: f(tensor([[1e9, 1e9 + 1]], float64), all True) gives 0.5, 0.5, right 0.269, 0.731
    wide = scores.float().masked_fill(~mask, -torch.inf)
    top = wide.amax(dim=-1, keepdim=True).nan_to_num(neginf=0.0)
    powers = (wide - top).exp()
    total = powers.sum(dim=-1, keepdim=True)
    law = powers / torch.where(total == 0, torch.ones_like(total), total)
    return law.to(scores.dtype)


def wrong_hidden_counts_as_zero_in_the_maximum(scores, mask):
    """Multiplies by the mask before it takes the maximum, so a hidden entry takes part as 0:
    visible scores far below 0 all vanish.

    Feedback: beside a large hidden score the visible weights vanish
    """
    # wrong for: f([[-300., -300., 5.]], [[True, True, False]]) gives 0, 0, 0, right 0.5, 0.5, 0
    wide = scores.double()
    top = (wide * mask).amax(dim=-1, keepdim=True)
    powers = torch.where(mask, wide - top, -torch.inf).exp()
    total = powers.sum(dim=-1, keepdim=True)
    return (powers / total.masked_fill(total == 0, 1)).to(scores.dtype)


# STATEMENT: the dtype of the result is only 'float'; how exact it must be in float64 is not said.
