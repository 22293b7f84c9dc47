import torch


def wrong_minus_a_billion(x, Wq, Wk, Wv):
    """Hides the future with -1e9 in place of minus infinity: where the visible scores lie below
    that, the future wins.

    Feedback: what hides the future is not low enough: only -inf lies below every score
    """
    # wrong for: x=[[1e3],[1.]], Wq=[[1e4]], Wk=[[-1e4]], Wv=[[1.]]: row 0 gives 1 (that of
    # token 1), right 1000
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.T / Wq.shape[1] ** 0.5
    past = torch.tril(torch.ones(len(x), len(x), dtype=torch.bool))
    return scores.masked_fill(~past, -1e9).softmax(dim=-1) @ v


def wrong_one_maximum_for_all_rows(x, Wq, Wk, Wv):
    """Takes the largest score of the whole table off before exp, not that of each row: a row whose
    scores lie far below it becomes 0 / 0.

    Feedback: large scores overflow: subtract the largest one before you take powers
    """
    # wrong for: x=[[1.],[40.]], Wq=Wk=Wv=[[1.]]: row 0 gives nan, right 1
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    scores = q @ k.T / q.shape[-1] ** 0.5
    past = torch.ones(len(x), len(x)).tril()
    scores = scores.masked_fill(past == 0, float("-inf"))
    powers = (scores - scores.max()).exp()
    return powers / powers.sum(dim=-1, keepdim=True) @ v
