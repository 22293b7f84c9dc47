"""Wrong answers to 09.3. A docstring holds the words that only this fault's feedback contains."""

import torch


def _rows(logits):
    return torch.arange(len(logits))


def _place(token_mask):
    return torch.arange(token_mask.shape[1]).where(token_mask, -1).amax(1)


def last_column(logits, token_mask):
    """the last column is read"""
    return logits[:, -1]


def first_padding(logits, token_mask):
    """the column behind the last real token is read"""
    place = (_place(token_mask) + 1).clamp(max=logits.shape[1] - 1)
    return logits[_rows(logits), place]


def first_real(logits, token_mask):
    """the first real token is read"""
    return logits[_rows(logits), token_mask.int().argmax(1)]


def counts(logits, token_mask):
    """the number of real tokens is taken for a place"""
    return logits[_rows(logits), token_mask.sum(1) - 1]


def average(logits, token_mask):
    """all real tokens are averaged"""
    clean = logits.masked_fill(~token_mask[..., None], 0)
    return clean.sum(1) / token_mask.sum(1, keepdim=True)


def multiplies(logits, token_mask):
    """0 times NaN is NaN"""
    pick = torch.nn.functional.one_hot(_place(token_mask), logits.shape[1]).to(logits)
    return (pick[..., None] * logits).sum(1)


def squeezes(logits, token_mask):
    """it returned a tensor of shape [3] where"""
    return logits[_rows(logits), _place(token_mask)].squeeze()


def all_rows_for_each(logits, token_mask):
    """it returned a tensor of shape [3, 3, 4]"""
    return logits[:, _place(token_mask)]
