import math

import torch


def _future(T):
    return torch.ones(T, T, dtype=torch.bool).triu(diagonal=1)


def wrong_root_of_the_input_width(x, Wq, Wk, Wv):
    """The scores are divided by the root of C, the width of x, not of D.

    Feedback: root of x's width
    """
    # wrong for: f(torch.eye(2), torch.tensor([[1.0], [2.0]]), torch.tensor([[1.0], [2.0]]),
    # torch.eye(2)) gives
    # [[1.0, 0.0], [0.19557032, 0.80442971]], right [[1.0, 0.0], [0.119202942, 0.880797207]]
    scores = (x @ Wq) @ (x @ Wk).T / math.sqrt(x.shape[1])
    return scores.masked_fill(_future(len(x)), -math.inf).softmax(dim=-1) @ (x @ Wv)


def wrong_zeroed_after_softmax(x, Wq, Wk, Wv):
    """Softmax first, then the triangle, then each row is divided by its sum; that is 0 / 0 beside a
    loud future.

    Feedback: the visible weights vanish: hide before the softmax
    """
    # wrong for: f(torch.tensor([[1.0], [300.0]]), torch.ones(1, 1), torch.ones(1, 1),
    # torch.ones(1, 1)) gives
    # [[nan], [300.0]], right [[1.0], [300.0]]
    weights = ((x @ Wq) @ (x @ Wk).T / math.sqrt(Wq.shape[1])).softmax(dim=-1).tril()
    return weights / weights.sum(dim=-1, keepdim=True) @ (x @ Wv)


def wrong_hidden_by_minus_twenty(x, Wq, Wk, Wv):
    """20 is taken from the scores of the future, which hides it only nearly.

    Feedback: what hides the future is not low enough
    """
    # wrong for: f(torch.tensor([[1.0], [30.0]]), torch.ones(1, 1), torch.ones(1, 1),
    # torch.ones(1, 1)) gives
    # [[29.9964218], [30.0]], right [[1.0], [30.0]]
    scores = (x @ Wq) @ (x @ Wk).T / math.sqrt(Wq.shape[1])
    return (scores - 20.0 * _future(len(x))).softmax(dim=-1) @ (x @ Wv)


def wrong_nought_is_hidden(x, Wq, Wk, Wv):
    """The triangle is cut out and every 0 in it hidden, also a visible score that happens to be 0.

    Feedback: a visible score of exactly 0 is taken for a hidden one
    """
    # wrong for: f(torch.tensor([[1.0, 0.0], [0.0, 1.0]]), torch.eye(2), torch.eye(2),
    # torch.eye(2)) gives [[1.0,
    # 0.0], [0.0, 1.0]], right [[1.0, 0.0], [0.330238461, 0.669761539]]
    scores = ((x @ Wq) @ (x @ Wk).T / math.sqrt(Wq.shape[1])).tril()
    return scores.masked_fill(scores == 0, -math.inf).softmax(dim=-1) @ (x @ Wv)


def wrong_powers_without_shift(x, Wq, Wk, Wv):
    """Powers are taken without subtracting the largest score, so large scores overflow.

    Feedback: large scores overflow
    """
    # wrong for: f(torch.tensor([[10.0], [9.0]]), torch.ones(1, 1), torch.ones(1, 1),
    # torch.ones(1, 1)) gives
    # [[nan], [nan]], right [[10.0], [9.99988937]]
    powers = ((x @ Wq) @ (x @ Wk).T / math.sqrt(Wq.shape[1])).exp().tril()
    return powers / powers.sum(dim=-1, keepdim=True) @ (x @ Wv)


def wrong_single_axes_vanish(x, Wq, Wk, Wv):
    """The result is squeezed, so one token, or values of width 1, lose an axis.

    Feedback: a tensor of shape [3] where [1, 3] is asked for
    """
    # wrong for: f(torch.tensor([[1.0, 2.0]]), torch.eye(2), torch.eye(2), torch.eye(2)) gives
    # [1.0, 2.0], right
    # [[1.0, 2.0]]
    scores = (x @ Wq) @ (x @ Wk).T / math.sqrt(Wq.shape[1])
    return (scores.masked_fill(_future(len(x)), -math.inf).softmax(dim=-1) @ (x @ Wv)).squeeze()


def right_prefix_by_prefix(x, Wq, Wk, Wv):
    """Each token attends over its own prefix, so there is nothing to hide."""
    query, key, value = x @ Wq, x @ Wk, x @ Wv
    rows = []
    for t in range(x.size(0)):
        scores = (key[: t + 1] * query[t]).sum(dim=1) * Wq.size(1) ** -0.5
        weights = (scores - scores.logsumexp(dim=0)).exp()
        rows.append((weights[:, None] * value[: t + 1]).sum(dim=0))
    return torch.stack(rows)


def right_einsum_in_double_precision(x, Wq, Wk, Wv):
    """Written with einsum and computed in float64; the future is minus infinity in a plane of its
    own.
    """
    q, k, v = (torch.einsum("tc,cd->td", x.double(), W.double()) for W in (Wq, Wk, Wv))
    plane = torch.full((len(x),) * 2, -torch.inf, dtype=torch.float64).triu(diagonal=1)
    weights = torch.softmax(torch.einsum("td,sd->ts", q, k) / q.shape[-1] ** 0.5 + plane, dim=1)
    return torch.einsum("ts,sv->tv", weights, v).to(x.dtype)


# STATEMENT: how large scores may get is not said here (03.5 does). The dtype of the result is open.
