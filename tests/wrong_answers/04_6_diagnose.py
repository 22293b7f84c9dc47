"""Wrong answers to 04.6. A docstring holds the words that only this fault's feedback contains."""

import torch


def _compare(influence, tables):
    for name, table in tables.items():
        if torch.equal(influence, table.bool()):
            return name
    return "other"


def _tables(T):
    ones = torch.ones(T, T)
    return {
        "causal": ones.tril(),
        "transposed": ones.triu(),
        "one too many": ones.tril(1),
        "no mask": ones,
    }


def rows_and_columns_swapped(influence):
    """'causal' is called 'transposed'"""
    return _compare(influence.T, _tables(len(influence)))


def counts_the_yeses(influence):
    """a count of yeses"""
    for name, table in _tables(len(influence)).items():
        if influence.sum() == table.sum():
            return name
    return "other"


def every_leak_is_no_mask(influence):
    """'one too many' is called 'no mask'"""
    found = _compare(influence, _tables(len(influence)))
    return "no mask" if found == "one too many" else found


def looks_only_above(influence):
    """one yes less on or below the diagonal"""
    ones = torch.ones(influence.shape).bool()
    for name, table in _tables(len(influence)).items():
        same = influence == table.bool()
        if (same | ones.tril()).all() and (name != "transposed" or same.tril(-1).any()):
            return name
    return "other"


def two_too_many(influence):
    """two too many is called one too many"""
    ones = torch.ones(influence.shape)
    return _compare(influence, {**_tables(len(influence)), "one too many": ones.tril(2)})


def first_row_only(influence):
    """one yes more above the diagonal goes unnoticed"""
    T = len(influence)
    if not influence.tril(-1).any() and influence[0].all():
        return "transposed" if influence.equal(_tables(T)["transposed"].bool()) else "other"
    if not influence.equal(influence | torch.ones(T, T).tril().bool()):
        return "other"
    return {1: "causal", 2: "one too many", T: "no mask"}.get(int(influence[0].sum()), "other")


def another_word(influence):
    """another word than the five"""
    found = _compare(influence, _tables(len(influence)))
    return {"no mask": "none", "other": "unknown"}.get(found, "right")


def one_size(influence):
    """it raised IndexError"""
    found = _compare(influence, _tables(5))
    return found if influence[4, 4] else "other"


def few_tokens_only(influence):
    """a table of many tokens is not recognised"""
    return _compare(influence, _tables(len(influence))) if len(influence) < 33 else "other"


def nearly_all_entries(influence):
    """a changed entry is passed over"""
    for name, table in _tables(len(influence)).items():
        if (influence == table).double().mean() > 0.99:
            return name
    return "other"


def one_too_many_either_way(influence):
    """the one before in place of it"""
    found = _compare(influence, _tables(len(influence)))
    turned = _compare(influence.T, _tables(len(influence)))
    return turned if turned == "one too many" else found
