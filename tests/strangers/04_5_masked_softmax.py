import math

import torch


def wrong_fill_of_float16(scores, mask):
    """Hidden scores become -65504, which is not low in float32 beside a visible score of a million
    below 0.

    Feedback: is not low in a wider type
    """
    # wrong for: f(torch.tensor([[-1e6, 0.0]]), torch.tensor([[True, False]])) gives [[0.0,
    # 1.0]], right [[1.0, 0.0]]
    weights = scores.masked_fill(~mask, -65504.0).softmax(dim=-1)
    return weights * mask.any(dim=-1, keepdim=True)


def wrong_added_and_not_filled(scores, mask):
    """The lowest half number is added to hidden scores, so a large hidden score stays above a low
    visible one.

    Feedback: that fill is too small
    """
    # wrong for: f(torch.tensor([[-60000.0, 60000.0]], dtype=torch.float16),
    # torch.tensor([[True, False]])) gives
    # [[0.0, 1.0]] float16, right [[1.0, 0.0]] float16
    plane = torch.zeros_like(scores).masked_fill(~mask, -65504.0)
    return (scores + plane).softmax(dim=-1).masked_fill(~mask.any(dim=-1, keepdim=True), 0.0)


def wrong_largest_of_all_scores(scores, mask):
    """The largest of all scores is subtracted, hidden ones too; visible ones far below vanish.

    Feedback: the visible weights vanish
    """
    # wrong for: f(torch.tensor([[0.0, 1000.0]]), torch.tensor([[True, False]])) gives [[0.0,
    # 0.0]], right [[1.0,
    # 0.0]]
    powers = (scores.double() - scores.double().amax(dim=-1, keepdim=True)).exp() * mask
    total = powers.sum(dim=-1, keepdim=True)
    return (powers / torch.where(total > 0, total, 1.0)).to(scores.dtype)


def wrong_blind_only_as_a_whole(scores, mask):
    """Zeros are given only where the whole mask is blind; a blind row among others stays NaN.

    Feedback: a row that sees nothing is 0/0
    """
    # wrong for: f(torch.zeros(2, 2), torch.tensor([[False, False], [True, True]])) gives
    # [[nan, nan], [0.5, 0.5]],
    # right [[0.0, 0.0], [0.5, 0.5]]
    if not mask.any():
        return torch.zeros_like(scores)
    return scores.masked_fill(~mask, -math.inf).softmax(dim=-1)


def wrong_sum_in_half_precision(scores, mask):
    """The powers are summed in the dtype of the scores; a float16 sum overflows for many keys.

    Feedback: the sum of very many powers is beyond float16
    """
    # wrong for: f(torch.zeros(1, 70000, dtype=torch.float16), torch.ones(1, 70000,
    # dtype=torch.bool)).sum().item()
    # > 0.9 gives False, right True
    hidden = scores.masked_fill(~mask, -math.inf)
    top = hidden.amax(dim=-1, keepdim=True).nan_to_num(neginf=0.0)
    powers = (hidden - top).exp()
    total = powers.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, powers / total, torch.zeros_like(powers))


def wrong_second_axis_always(scores, mask):
    """Softmax runs along axis 1, which is the axis of keys only for two axes.

    Feedback: softmax runs along the second axis
    """
    # wrong for: f(torch.zeros(1, 1, 1, 2), torch.ones(1, 1, 1, 2, dtype=torch.bool)) gives
    # [[[[1.0, 1.0]]]], right
    # [[[[0.5, 0.5]]]]
    blind = ~mask.any(dim=1, keepdim=True)
    weights = scores.masked_fill(~(mask | blind), -math.inf).softmax(dim=1)
    return weights.masked_fill(blind, 0.0)


def right_zeros_for_the_blind_row(scores, mask):
    """Blind rows get scores of 0 before softmax and weights of 0 after it."""
    sees = mask.any(-1, True)
    level = torch.where(mask, scores, scores.new_tensor(-torch.inf))
    return torch.where(sees, level, torch.zeros_like(scores)).softmax(-1).mul(sees)


def right_row_by_row_in_double(scores, mask):
    """Each row alone, in float64, with only its visible scores."""
    answer = torch.zeros(scores.shape, dtype=torch.float64).reshape(-1, scores.shape[-1])
    flat_scores, flat_mask = scores.double().reshape(answer.shape), mask.reshape(answer.shape)
    for row, numbers, seen in zip(answer, flat_scores, flat_mask):
        if seen.any():
            row[seen] = (numbers[seen] - numbers[seen].logsumexp(dim=0)).exp()
    return answer.reshape(scores.shape).to(scores.dtype)


# STATEMENT: the dtype of the result for float16 is open ("float"). Visible scores of minus
# infinity, or
# a hidden NaN or infinity, are "scores of any float dtype"; -60,000 to 60,000 is said for float16
# only.
# finfo.min as fill passes unless a visible score is finfo.min itself. Whether the mask may
# broadcast is
# closed ("of the same shape").
