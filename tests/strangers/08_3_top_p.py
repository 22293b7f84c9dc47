import math

import torch


def _cut(logits, keep_ranked, order):
    keep = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, order, keep_ranked)
    return logits.masked_fill(~keep, -math.inf)


def _ranked(logits):
    ordered, order = logits.sort(dim=-1, descending=True, stable=True)
    law = ordered.double().softmax(dim=-1)
    return law, law.cumsum(dim=-1), order


def wrong_sum_stays_below(logits, p):
    """Words stay as long as their sum is at most p: the word that crosses it is lost.

    Feedback: the word with which the sum reaches p is missing
    """
    # wrong for: the law [0.15, 0.5, 0.05, 0.3] and 0.7: keeps id 1 only, right 1 and 3
    if p == 1:
        return logits.clone()
    law, total, order = _ranked(logits)
    keep = total <= p
    keep[..., 0] = True
    return _cut(logits, keep, order)


def wrong_one_too_many_at_the_bound(logits, p):
    """A word stays if the likelier ones have p or less, so one more stays where they have exactly
    p.

    Feedback: one word too many stays: those before it reach p already
    """
    # wrong for: f([0.0, 0.0, 0.0, 0.0], 0.5) keeps ids 0, 1, 2, right 0 and 1
    if p == 1:
        return logits.clone()
    law, total, order = _ranked(logits)
    keep = total - law <= p
    keep[..., 1:] &= p > 0
    return _cut(logits, keep, order)


def wrong_one_is_a_sum_too(logits, p):
    """No exception for p = 1: a float32 sum that has rounded to 1 removes the last words.

    Feedback: p = 1 removes words: the sum rounds to 1 before they come
    """
    # wrong for: f([0.0, -30.0], 1.0) removes id 1, right nothing
    ordered, order = logits.sort(dim=-1, descending=True, stable=True)
    law = ordered.softmax(dim=-1)
    keep = law.cumsum(dim=-1) - law < p
    keep[..., 0] = True
    return _cut(logits, keep, order)


def wrong_all_likeliest_at_zero(logits, p):
    """At p = 0 all words that are equally likeliest stay.

    Feedback: all words stay that equal the last one: the fewest are asked for
    """
    # wrong for: f([2.0, 2.0, 1.0], 0.0) keeps ids 0 and 1, right 0
    if p == 1:
        return logits.clone()
    if p == 0:
        return torch.where(logits == logits.amax(dim=-1, keepdim=True), logits, -math.inf)
    law, total, order = _ranked(logits)
    return _cut(logits, total - law < p, order)


def wrong_equals_stay_together(logits, p):
    """The last word that stays gives a bound, and every word equal to it stays as well.

    Feedback: nothing is removed
    """
    # wrong for: f([1.0, 1.0, 1.0, 1.0], 0.5) keeps all, right ids 0 and 1
    if p == 1:
        return logits.clone()
    law, total, order = _ranked(logits)
    last = (total - law < p).sum(dim=-1, keepdim=True).clamp(min=1) - 1
    bound = logits.gather(-1, order).gather(-1, last)
    return logits.masked_fill(logits < bound, -math.inf)


def wrong_second_axis(logits, p):
    """Written for [B, V]: the sums run along axis 1, which is not the last one elsewhere.

    Feedback: it raised IndexError
    """
    # wrong for: logits of shape [V]: IndexError; of shape [2, 3, V]: sums over the rows
    if p == 1:
        return logits.clone()
    ordered, order = logits.sort(dim=1, descending=True, stable=True)
    law = ordered.double().softmax(dim=1)
    keep = law.cumsum(dim=1) - law < p
    keep[:, 0] = True
    return logits.masked_fill(~torch.zeros_like(keep).scatter(1, order, keep), -math.inf)


def right_row_by_row_in_python(logits, p):
    """Each row by itself as a list: python's stable sort, and a sum of exact floats that stops when it has reached p."""

    def kept(row):
        if p >= 1:
            return row
        top = max(row)
        weights = [math.exp(z - top) for z in row]
        whole, stay, total = math.fsum(weights), set(), []
        for i in sorted(range(len(row)), key=lambda i: -row[i]):
            if stay and math.fsum(total) / whole >= p:
                break
            stay.add(i)
            total.append(weights[i])
        return [z if i in stay else -math.inf for i, z in enumerate(row)]

    rows = [kept(row) for row in logits.reshape(-1, logits.shape[-1]).tolist()]
    return torch.tensor(rows, dtype=logits.dtype).reshape(logits.shape)


def right_back_by_double_sorting(logits, p):
    """Ranks by sorting twice; how many stay is counted, and a word stays if its rank is lower than that."""
    if p == 1:
        return logits + 0.0
    order = torch.argsort(-logits, dim=-1, stable=True)
    rank = torch.argsort(order, dim=-1)
    law = torch.take_along_dim(logits, order, dim=-1).double().softmax(dim=-1)
    missing = (law.cumsum(dim=-1) < p).sum(dim=-1, keepdim=True)  # sums that have not reached p
    return torch.where(rank <= missing, logits, torch.full_like(logits, -math.inf))


# STATEMENT: where a sum meets p but for rounding (float32 or float64 softmax), the number of words may differ by one; no margin is
# named. A row of minus infinity only, and words of probability 0 at p just under 1 (they keep -inf either way), do no harm. May
# V be 0 or the batch be empty? May the function change its input?
