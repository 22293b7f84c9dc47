"""Wrong answers to 13.2. A docstring holds the words that only this fault's feedback contains."""

import torch


def _recipe(length, T):
    return torch.ones(T, T, dtype=torch.bool).tril() | (torch.arange(T) < length)


def _compared(mask):
    T = len(mask)
    for length in range(1, T + 1):
        if torch.equal(mask, _recipe(length, T)):
            return "decoder" if length == 1 else "encoder" if length == T else "prefix"
    return "other"


def only_the_future(mask):
    """it hides a part of the past"""
    if mask.all():
        return "encoder"
    length = int(mask[0].sum())
    ahead = mask & ~_recipe(length, len(mask))
    if ahead.any() or length == 0 or not mask.diagonal().all():
        return "other"
    return "decoder" if length == 1 else "prefix"


def counts_the_squares(mask):
    """it looks at the future"""
    T = len(mask)
    if mask.sum() == T * (T + 1) // 2:
        return "decoder"
    return _compared(mask)


def prefix_of_one(mask):
    """a triangle with its diagonal is a decoder's, and gets another name"""
    name = _compared(mask)
    return "prefix" if name == "decoder" else name


def prefix_of_two_is_missed(mask):
    """the mask of a prefix gets another name"""
    return "other" if int(mask[0].sum()) == 2 else _compared(mask)


def full_square_is_a_prefix(mask):
    """a full square is an encoder's, and gets another name"""
    return "prefix" if mask.all() else _compared(mask)


def ignores_the_diagonal(mask):
    """a triangle without its diagonal got"""
    return _compared(mask | torch.eye(len(mask), dtype=torch.bool))


def any_future_is_a_prefix(mask):
    """whose last tokens see each other"""
    past = torch.ones_like(mask).tril()
    if not mask[past].all():
        return "other"
    ahead = int(mask[~past].sum())
    return "decoder" if ahead == 0 else "encoder" if mask.all() else "prefix"


def other_words(mask):
    """none of the four names"""
    return _compared(mask).capitalize()


def sums_of_rows(mask):
    """it is not enough to count the squares"""
    sums = mask.sum(dim=1)
    for length in range(1, len(mask) + 1):
        if torch.equal(sums, _recipe(length, len(mask)).sum(dim=1)):
            return _compared(_recipe(length, len(mask)))
    return "other"
