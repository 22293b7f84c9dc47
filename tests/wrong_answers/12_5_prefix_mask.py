"""Wrong answers to 12.5. A docstring holds the words that only this fault's feedback contains."""

import torch


def _mask(S, T, length=None):
    mask = torch.ones(S + T, S + T, dtype=torch.bool).tril()
    length = S if length is None else length
    mask[:length, :length] = True
    return mask


def causal_for_all(S, T):
    """a patch is hidden from a patch"""
    return torch.ones(S + T, S + T, dtype=torch.bool).tril()


def true_means_hidden(S, T):
    """no patch sees any patch"""
    return ~_mask(S, T)


def one_row_too_many(S, T):
    """a patch sees a word"""
    return _mask(S, T, S + 1)


def nothing_hidden_from_words(S, T):
    """a word sees a later word"""
    mask = _mask(S, T)
    mask[S:] = True
    return mask


def only_words_before(S, T):
    """a word does not see itself"""
    mask = _mask(S, T)
    mask[S:, S:] = torch.ones(T, T, dtype=torch.bool).tril(-1)
    return mask


def words_see_no_patch(S, T):
    """a patch is hidden from a word"""
    mask = _mask(S, T)
    mask[S:, :S] = False
    return mask


def words_see_only_themselves(S, T):
    """a word does not see an earlier word"""
    mask = _mask(S, T)
    mask[S:, S:] = torch.eye(T, dtype=torch.bool)
    return mask
