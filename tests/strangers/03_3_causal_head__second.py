import math

import torch


def wrong_zero_scores_hidden(x, Wq, Wk, Wv):
    """the lower triangle of scores is kept and every 0 in it is hidden, also a score that really
    is 0

    Feedback: a visible score of exactly 0 is taken for a hidden one
    """
    # wrong for: Wq of zeros (all scores 0) gives NaN, right the averages
    query, key, value = x @ Wq, x @ Wk, x @ Wv
    scores = (query @ key.T / math.sqrt(Wq.shape[1])).tril()
    return scores.masked_fill(scores == 0, -math.inf).softmax(dim=-1) @ value


def wrong_fill_ten_thousand(x, Wq, Wk, Wv):
    """later scores become -10,000; where the visible ones are lower still, the future leaks

    Feedback: what hides the future is not low enough: only -inf lies below every score
    """
    # wrong for: scores of -100,000
    query, key, value = x @ Wq, x @ Wk, x @ Wv
    scores = query @ key.T / Wq.shape[1] ** 0.5
    future = torch.ones_like(scores).triu(diagonal=1).bool()
    return scores.masked_fill(future, -1e4).softmax(dim=-1) @ value


def right_token_by_token(x, Wq, Wk, Wv):
    """no mask at all: each token gets the keys up to its own, in float64"""
    query, key, value = (x.double() @ W.double() for W in (Wq, Wk, Wv))
    rows = []
    for t in range(len(x)):
        scores = key[: t + 1].mv(query[t]).div(math.sqrt(Wq.shape[1]))
        rows.append(torch.softmax(scores, 0) @ value[: t + 1])
    return torch.stack(rows).to(x.dtype)


# STATEMENT: dtype of x (float32 only?); how far from 0 may scores be before float32 rounding
# of the scores themselves decides?
