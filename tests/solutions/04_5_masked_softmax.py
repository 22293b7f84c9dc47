import math


def masked_softmax(scores, mask):
    """Return softmax over the visible keys, float [..., Tq, Tk]; a blind row is all 0.

    scores: float [..., Tq, Tk], of any float dtype. mask: bool of the same shape, True = may
    attend.
    """
    # -inf passes, filled in or added, and so does the lowest number of the dtype, filled in. Added,
    # the lowest number fails in float16: -65,504 + 60,000 is far above a visible -60,000. Half the
    # lowest number fails there in both ways, and -1e5 cannot even be filled in.
    blind = ~mask.any(dim=-1, keepdim=True)  # [..., Tq, 1]
    scores = scores.masked_fill(~(mask | blind), -math.inf)  # no row is all -inf
    return scores.softmax(dim=-1).masked_fill(blind, 0.0)
