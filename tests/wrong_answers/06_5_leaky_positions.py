"""Wrong answers to 06.5. A docstring holds the words that only this fault's feedback contains."""

import math

import torch.nn.functional as F

EQUAL = {
    "losses.mean(dim=0) < bound  ->  losses.mean(dim=0) <= bound": "a mean of hundreds of losses "
    "is never the bound to the last bit"
}


def _losses(logits, answers):
    return F.cross_entropy(logits.transpose(1, 2), answers, reduction="none")


def _below(losses, bound):
    return (losses < bound).nonzero()[:, 0].tolist()


def names_the_guessed(logits, tokens):
    """the position that is guessed is named"""
    means = _losses(logits[:, :-1], tokens[:, 1:]).mean(0)
    return [t + 1 for t in _below(means, math.log(logits.shape[-1]) - 0.5)]


def one_convicts_all(logits, tokens):
    """one peeking position convicts all"""
    losses = _losses(logits[:, :-1], tokens[:, 1:])
    worst = losses.mean(0).min() if losses.shape[1] else math.inf
    everywhere = list(range(losses.shape[1]))
    return everywhere if worst < math.log(logits.shape[-1]) - 0.5 else []


def any_row(logits, tokens):
    """a few lucky rows convict a position"""
    losses = _losses(logits[:, :-1], tokens[:, 1:])
    return _below(losses.quantile(0.05, dim=0), math.log(logits.shape[-1]) - 0.5)


def below_ln_v(logits, tokens):
    """the bound is too mild"""
    means = _losses(logits[:, :-1], tokens[:, 1:]).mean(0)
    return _below(means, math.log(logits.shape[-1]) - 0.1)


def in_bits(logits, tokens):
    """the bound is too strict"""
    means = _losses(logits[:, :-1], tokens[:, 1:]).mean(0) / math.log(2)
    return _below(means, math.log2(logits.shape[-1]) - 1)


def not_shifted(logits, tokens):
    """compared with the token at their own place"""
    return _below(_losses(logits, tokens).mean(0), math.log(logits.shape[-1]) - 0.5)


def last_position_too(logits, tokens):
    """the last position has no next token"""
    answers = tokens.roll(-1, 1)
    losses = _losses(logits, answers).mean(0)
    losses[-1] = 0
    return _below(losses, math.log(logits.shape[-1]) - 0.5)


def median_of_the_rows(logits, tokens):
    """not the median"""
    losses = _losses(logits[:, :-1], tokens[:, 1:])
    return _below(losses.median(dim=0).values, math.log(logits.shape[-1]) - 0.5)
