"""Wrong answers to 08.3. A docstring holds the words that only this fault's feedback contains."""

import torch


def _keep(logits, p, descending=True, back=True, inclusive=False, first=True, off=True):
    if p == 1 and off:
        return torch.ones_like(logits, dtype=torch.bool)
    order = logits.sort(dim=-1, descending=descending, stable=True).indices
    ordered = logits.double().softmax(dim=-1).gather(-1, order)
    before = ordered.cumsum(dim=-1) - ordered
    keep = before <= p if inclusive else before < p
    if first:
        keep[..., 0] = True
    return torch.zeros_like(keep).scatter(-1, order, keep) if back else keep


def _cut(logits, keep):
    return logits.masked_fill(~keep, float("-inf"))


def loses_the_word_that_reaches_p(logits, p):
    """the word with which the sum reaches p is missing"""
    order = logits.sort(dim=-1, descending=True, stable=True).indices
    keep = logits.double().softmax(dim=-1).gather(-1, order).cumsum(dim=-1) < p
    keep[..., 0] = True
    keep |= torch.tensor(p == 1)
    return _cut(logits, torch.zeros_like(keep).scatter(-1, order, keep))


def one_too_many(logits, p):
    """those before it reach p already"""
    return _cut(logits, _keep(logits, p, inclusive=True))


def keeps_the_tail(logits, p):
    """the tail stays and the head is removed"""
    return _cut(logits, _keep(logits, p, descending=False))


def mask_not_put_back(logits, p):
    """the mask is not put back"""
    return _cut(logits, _keep(logits, p, back=False))


def nothing_for_zero(logits, p):
    """no word is left"""
    return _cut(logits, _keep(logits, p, first=False))


def fills_with_a_small_number(logits, p):
    """a removed word gets a finite logit"""
    return logits.masked_fill(~_keep(logits, p), 1e-10)


def gives_probabilities(logits, p):
    """what stays has another value than its logit"""
    return _cut(logits, _keep(logits, p)).softmax(dim=-1).log()


def keeps_all_ties(logits, p):
    """all words stay that equal the last one"""
    keep = _keep(logits, p)
    least = logits.masked_fill(~keep, float("inf")).amin(dim=-1, keepdim=True)
    return _cut(logits, logits >= least)


def over_the_whole_batch(logits, p):
    """sort and sum along the last axis"""
    return _cut(logits, _keep(logits.flatten(), p).view(logits.shape))


def no_line_for_one(logits, p):
    """the sum rounds to 1"""
    return _cut(logits, _keep(logits, p, off=False))


EQUAL = {}
