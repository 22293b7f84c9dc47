import math

import torch


def wrong_softmax_before_choosing(scores, k):
    """a softmax over all experts, the rest set to 0; the shares do not sum to 1

    Feedback: a row does not sum to 1
    """
    # wrong for: f(tensor([[0., 1., 2.]]), 2) gives [[0, 0.245, 0.665]], right [[0, 0.269, 0.731]]
    law = scores.softmax(-1)
    best = law.topk(k, dim=-1)
    return torch.zeros_like(law).scatter(-1, best.indices, best.values)


def wrong_masked_with_minus_100(scores, k):
    """the rest is masked with -100, which is not small if all scores are lower

    Feedback: more than k experts have a share: hide the others by minus infinity
    """
    # wrong for: f(tensor([[-1000., -1001., -1002.]]), 2) gives [[0, 0, 1]], right [[0.731, 0.269, 0]]
    best = scores.topk(k, dim=-1).indices
    masked = torch.full_like(scores, -100.0).scatter(-1, best, scores.gather(-1, best))
    return masked.softmax(-1)


def wrong_exp_without_maximum(scores, k):
    """exponentials of the bare scores: a large constant overflows or underflows

    Feedback: NaN stands in what it returned
    """
    # wrong for: f(tensor([[1000., 1001., 1002.]]), 2) gives nan, right [[0, 0.269, 0.731]]
    best = scores.topk(k, dim=-1)
    powers = torch.zeros_like(scores).scatter(-1, best.indices, best.values.exp())
    return powers / powers.sum(-1, keepdim=True)


def wrong_one_maximum_for_all_rows(scores, k):
    """the largest score of the whole table is subtracted, not that of each row

    Feedback: NaN stands in what it returned
    """
    # wrong for: f(tensor([[0., 1., 2.], [500., 501., 502.]]), 2): row 0 is nan, right [0, 0.269, 0.731]
    best = scores.topk(k, dim=-1)
    values = (best.values - scores.max()).exp()
    powers = torch.zeros_like(scores).scatter(-1, best.indices, values)
    return powers / powers.sum(-1, keepdim=True)


def wrong_k_is_all(scores, k):
    """keeps what is above the next score in line; with k = E the worst expert is lost

    Feedback: NaN stands in what it returned
    """
    # wrong for: f(tensor([[0., 1., 2.]]), 3) gives a 0 for expert 0, right 0.090
    E = scores.shape[-1]
    ordered = scores.sort(dim=-1, descending=True).values
    border = ordered[:, min(k, E - 1)].unsqueeze(-1)
    return scores.masked_fill(scores <= border, -math.inf).softmax(-1)


def wrong_zero_is_no_score(scores, k):
    """a score of exactly 0 is taken for 'not chosen'

    Feedback: a score of 0 is taken for an expert that is not chosen
    """
    # wrong for: f(tensor([[0., 0.6931, -5.]]), 2) gives [[0, 1, 0]], right [[1/3, 2/3, 0]]
    best = scores.topk(k, dim=-1)
    kept = torch.zeros_like(scores).scatter(-1, best.indices, best.values)
    return kept.masked_fill(kept == 0, -math.inf).softmax(-1).nan_to_num(0.0)


def right_row_by_row(scores, k):
    """plain Python numbers, row by row, with math.exp"""
    rows = []
    for row in scores.tolist():
        best = sorted(range(len(row)), key=row.__getitem__, reverse=True)[:k]
        top = row[best[0]]
        powers = {e: math.exp(row[e] - top) for e in best}
        total = math.fsum(powers.values())
        rows.append([powers.get(e, 0.0) / total for e in range(len(row))])
    return torch.tensor(rows, dtype=scores.dtype).reshape(scores.shape)


def right_ranks(scores, k):
    """each expert's rank by counting the better ones, softmax in float64"""
    better = (scores.unsqueeze(-2) > scores.unsqueeze(-1)).sum(-1)
    wide = torch.where(better < k, scores.double(), -torch.inf)
    return wide.softmax(-1).to(scores.dtype)


# STATEMENT: k between 1 and E is not said. "a large constant must change nothing": float32 itself rounds scores + 1e6; only up to
# rounding (near scores can become ties). dtype of the result is not said (float64 given?).
