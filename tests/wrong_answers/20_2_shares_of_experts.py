"""Wrong answers to 20.2. A docstring holds the words that only this fault's feedback contains."""

import torch


def _kept(scores, k):
    return torch.zeros_like(scores).scatter(-1, scores.topk(k, dim=-1).indices, 1.0)


def not_renormalised(scores, k):
    """the softmax is over all experts"""
    return scores.softmax(dim=-1) * _kept(scores, k)


def zeros_for_minus_infinity(scores, k):
    """hide the others by minus infinity"""
    return (scores * _kept(scores, k)).softmax(dim=-1)


def lowest(scores, k):
    """the experts with the lowest scores are chosen"""
    best = (-scores).topk(k, dim=-1).indices
    hidden = torch.full_like(scores, -torch.inf)
    return hidden.scatter(-1, best, scores.gather(-1, best)).softmax(dim=-1)


def equal_shares(scores, k):
    """all chosen experts have the same share"""
    return _kept(scores, k) / k


def softmax_by_rank(scores, k):
    """other experts have a share than the k best"""
    best = scores.topk(k, dim=-1).values.softmax(dim=-1)
    return torch.cat([best, torch.zeros(len(scores), scores.shape[1] - k)], dim=-1)


def one_expert_too_many(scores, k):
    """one more than k"""
    kept = _kept(scores, min(k + 1, scores.shape[1]))
    return scores.masked_fill(kept == 0, -torch.inf).softmax(dim=-1)


def over_the_tokens(scores, k):
    """the softmax runs over the tokens"""
    return scores.masked_fill(_kept(scores, k) == 0, -torch.inf).softmax(dim=0).nan_to_num()
