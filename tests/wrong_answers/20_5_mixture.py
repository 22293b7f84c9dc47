"""Wrong answers to 20.5. A docstring holds the words that only this fault's feedback contains."""

import torch
import torch.nn.functional as F


def _say(x, w, bend=F.silu, first="gate", second="widen"):
    return (bend(x @ w[first].T) * (x @ w[second].T)) @ w["narrow"].T


def _mix(x, router, experts, k, shares=None, say=_say):
    scores = x @ router.T
    kept = torch.zeros_like(scores).scatter(-1, scores.topk(k, dim=-1).indices, 1.0)
    share = scores.masked_fill(kept == 0, -torch.inf).softmax(dim=-1)
    share = share if shares is None else shares(scores, kept)
    return sum(share[:, e, None] * say(x, w) for e, w in enumerate(experts))


def not_renormalised(x, router, experts, k):
    """the shares of the best do not sum to 1"""
    return _mix(x, router, experts, k, lambda scores, kept: scores.softmax(dim=-1) * kept)


def no_shares(x, router, experts, k):
    """the answers are added up without their shares"""
    return _mix(x, router, experts, k, lambda scores, kept: kept)


def mean_of_the_chosen(x, router, experts, k):
    """all chosen experts have the same share"""
    return _mix(x, router, experts, k, lambda scores, kept: kept / k)


def all_experts(x, router, experts, k):
    """all experts answer, each with its share"""
    return _mix(x, router, experts, k, lambda scores, kept: scores.softmax(dim=-1))


def best_only(x, router, experts, k):
    """only the best expert is asked"""
    return _mix(x, router, experts, 1)


def gate_and_widen_swapped(x, router, experts, k):
    """gate and widen have changed places"""
    return _mix(x, router, experts, k, say=lambda x, w: _say(x, w, first="widen", second="gate"))


def gelu(x, router, experts, k):
    """the gate is bent by GELU"""
    return _mix(x, router, experts, k, say=lambda x, w: _say(x, w, F.gelu))


def keeps_the_stream(x, router, experts, k):
    """that is the block's affair"""
    return x + _mix(x, router, experts, k)


def routed_as_one(x, router, experts, k):
    """a token's result changes with another token"""
    scores = (x @ router.T).mean(dim=0)
    best = scores.topk(k)
    shares = best.values.softmax(dim=-1)
    return sum(
        share * _say(x, experts[e]) for share, e in zip(shares, best.indices.tolist(), strict=True)
    )
