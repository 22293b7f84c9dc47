"""Wrong answers to 04.4. A docstring holds the words that only this fault's feedback contains."""

import torch


def _from(begins):
    column = torch.arange(begins.shape[1])
    return column - (column * begins).cummax(dim=1).values


def _new(document_ids):
    new = document_ids[:, 1:] != document_ids[:, :-1]
    return torch.nn.functional.pad(new, (1, 0), value=True)


def goes_on(document_ids):
    """goes on from text to text"""
    return torch.arange(document_ids.shape[1]).expand(document_ids.shape)


def from_one(document_ids):
    """the count begins at 1"""
    return _from(_new(document_ids)) + 1


def one_token_early(document_ids):
    """in the text before"""
    new = document_ids[:, 1:] != document_ids[:, :-1]
    return _from(torch.nn.functional.pad(new, (0, 1), value=False))


def one_token_late(document_ids):
    """begins one token late"""
    new = document_ids[:, 1:] != document_ids[:, :-1]
    return _from(torch.nn.functional.pad(new, (2, 0), value=False)[:, : document_ids.shape[1]])


def rising_ids_only(document_ids):
    """other names for the same texts"""
    new = document_ids[:, 1:] > document_ids[:, :-1]
    return _from(torch.nn.functional.pad(new, (1, 0), value=True))


def first_row_for_all(document_ids):
    """positions of the first one"""
    return _from(_new(document_ids[:1])).expand(document_ids.shape)


def equal_lengths(document_ids):
    """as long as the first"""
    rows = [
        torch.arange(len(row)) % (row == row[0]).sum()
        if (row != row[0]).any()
        else torch.arange(len(row))
        for row in document_ids
    ]
    return torch.stack(rows)


def down_the_batch(document_ids):
    """one text alone does not count"""
    new = torch.ones_like(document_ids, dtype=torch.bool)
    new[1:] = document_ids[1:] != document_ids[:-1]
    row = torch.arange(len(document_ids))[:, None]
    return row - (row * new).cummax(dim=0).values


def rows_run_on(document_ids):
    """where the row before it ended"""
    return _from(_new(document_ids.view(1, -1))).view(document_ids.shape)


def nought_is_padding(document_ids):
    """id 0 is taken for padding"""
    return _from(_new(document_ids)) * (document_ids != 0)


def ids_as_floats(document_ids):
    """two large ids are taken for the same"""
    return _from(_new(document_ids.double()))


def in_short_numbers(document_ids):
    """where int64 is asked for"""
    return _from(_new(document_ids)).to(torch.int32)


EQUAL = {"0  ->  -1": "no number below the first column's is ever the latest beginning"}
