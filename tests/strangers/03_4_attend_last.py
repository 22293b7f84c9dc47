import math

import torch


def wrong_root_of_the_value_width(query, keys, values):
    """The scores are divided by the root of Dv, the width of the values, not of D.

    Feedback: divided by the root of Dv, not of D
    """
    # wrong for: f(torch.tensor([2.0]), torch.tensor([[0.0], [1.0]]), torch.eye(2)) gives
    # [0.19557032, 0.80442971],
    # right [0.119202919, 0.880797088]
    return (keys @ query / math.sqrt(values.shape[1])).softmax(dim=0) @ values


def wrong_own_key_is_left_out(query, keys, values):
    """The newest token looks at the earlier ones only, and at itself where there are none.

    Feedback: the newest token may see itself as well
    """
    # wrong for: f(torch.zeros(1), torch.zeros(2, 1), torch.tensor([[0.0], [1.0]])) gives
    # [0.0], right [0.5]
    past = max(1, len(keys) - 1)
    return (keys[:past] @ query / math.sqrt(len(query))).softmax(dim=0) @ values[:past]


def wrong_triangle_at_the_top_left(query, keys, values):
    """A causal triangle is put on the single row, counted from the first key.

    Feedback: only the oldest token is seen
    """
    # wrong for: f(torch.zeros(1), torch.zeros(2, 1), torch.tensor([[0.0], [1.0]])) gives
    # [0.0], right [0.5]
    scores = query[None] @ keys.T / math.sqrt(len(query))
    seen = torch.ones(scores.shape, dtype=torch.bool).tril()
    return (scores.masked_fill(~seen, -math.inf).softmax(dim=-1) @ values)[0]


def wrong_powers_without_shift(query, keys, values):
    """Powers are taken without subtracting the largest score, so large scores overflow.

    Feedback: large scores overflow
    """
    # wrong for: f(torch.tensor([10.0]), torch.tensor([[10.0], [9.0]]), torch.eye(2)) gives
    # [nan, nan], right
    # [0.999954581, 4.53978682e-05]
    powers = (keys @ query / math.sqrt(len(query))).exp()
    return powers / powers.sum() @ values


def wrong_scores_kept_within_thirty(query, keys, values):
    """Scores are cut off at plus and minus 30 so that nothing overflows.

    Feedback: scores are cut off at a bound
    """
    # wrong for: f(torch.tensor([1.0]), torch.tensor([[40.0], [31.0]]), torch.eye(2)) gives
    # [0.5, 0.5], right
    # [0.999876618, 0.00012339458]
    return (keys @ query / math.sqrt(len(query))).clamp(-30, 30).softmax(dim=0) @ values


def wrong_width_one_is_a_number(query, keys, values):
    """The values are squeezed; for a width of 1 a bare number comes out instead of a row.

    Feedback: a tensor of shape [] where [1] is asked for
    """
    # wrong for: f(torch.zeros(2), torch.zeros(3, 2), torch.tensor([[1.0], [2.0], [3.0]]))
    # gives 2.0, right [2.0]
    weights = (keys @ query / math.sqrt(len(query))).softmax(dim=0)
    return (weights @ values).squeeze()


def right_by_log_sum_exp(query, keys, values):
    """Subtract the logarithm of the sum, take powers, and let einsum add up, in float64."""
    scores = torch.einsum("d,td->t", query.double(), keys.double()).div(query.numel() ** 0.5)
    weights = torch.exp(scores - torch.logsumexp(scores, dim=0))
    return torch.einsum("t,tv->v", weights, values.double()).to(values.dtype)


def right_plain_lists(query, keys, values):
    """Plain Python on lists, with math.fsum."""
    q, root = query.tolist(), math.sqrt(query.shape[0])
    scores = [math.fsum(a * b for a, b in zip(q, key)) / root for key in keys.tolist()]
    powers = [math.exp(score - max(scores)) for score in scores]
    columns = zip(*values.tolist())
    row = [
        math.fsum(p * v for p, v in zip(powers, column)) / math.fsum(powers) for column in columns
    ]
    return torch.tensor(row, dtype=values.dtype)


# STATEMENT: how large scores may get is not said here (03.5 does). "Must equal the last row of
# the full
# head" has no tolerance. Whether gradients must flow through is open (an answer on lists has none).
