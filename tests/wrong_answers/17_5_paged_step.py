"""Wrong answers to 17.5. A docstring holds the words that only this fault's feedback contains."""

import math

import torch


def _row(query, key, value, reads, scale):
    """query [H, D], key and value [T, G, D]"""
    heads = []
    for h in range(len(query)):
        scores = key[:, reads(h)] @ query[h] * scale
        heads.append(scores.softmax(dim=0) @ value[:, reads(h)])
    return torch.stack(heads)


def _step(query, keys, values, tables, lengths, reads=None, scale=None):
    H, D, G = query.shape[1], query.shape[2], keys.shape[2]
    reads = reads or (lambda h: h * G // H)
    scale = scale or 1 / math.sqrt(D)
    rows = []
    for b, table in enumerate(tables):
        key, value = (x[table].flatten(0, 1)[: lengths[b]] for x in (keys, values))
        rows.append(_row(query[b], key, value, reads, scale))
    return torch.stack(rows)


def in_turn(query, keys, values, tables, lengths):
    """h mod G"""
    return _step(query, keys, values, tables, lengths, reads=lambda h: h % keys.shape[2])


def no_scale(query, keys, values, tables, lengths):
    """the scores are not divided by the root of D"""
    return _step(query, keys, values, tables, lengths, scale=1.0)


def whole_pages(query, keys, values, tables, lengths):
    """what stands behind the end of a row"""
    full = [
        keys.shape[1] * len(table) if n > 1 else n for table, n in zip(tables, lengths, strict=True)
    ]
    return _step(query, keys, values, tables, full)


def one_too_few(query, keys, values, tables, lengths):
    """the last token is left out"""
    return _step(query, keys, values, tables, [max(1, n - 1) for n in lengths])


def backwards(query, keys, values, tables, lengths):
    """the pages are read backwards"""
    return _step(query, keys, values, [table[::-1] for table in tables], lengths)


def ignores_tables(query, keys, values, tables, lengths):
    """the tables are not used"""
    first = [list(range(len(table))) for table in tables]
    return _step(query, keys, values, first, lengths)


def shares_nothing(query, keys, values, tables, lengths):
    """two texts that share their first page"""
    seen, mine = set(), []
    for table in tables:
        mine.append([(page + 1) % len(keys) if page in seen else page for page in table])
        seen |= set(table)
    return _step(query, keys, values, mine, lengths)


def keys_of_zeros(query, keys, values, tables, lengths):
    """a score of 0 still takes a share"""
    keys, values = keys.clone(), values.clone()
    G, H, P = keys.shape[2], query.shape[1], keys.shape[1]
    rows = []
    for b, (table, length) in enumerate(zip(tables, lengths, strict=True)):
        table = table[: -(-length // P)]
        key, value = (x[table].flatten(0, 1) for x in (keys, values))
        key[length:], value[length:] = 0, 0
        scale = 1 / math.sqrt(query.shape[2])
        rows.append(_row(query[b], key, value, lambda h: h * G // H, scale))
    return torch.stack(rows)


def full_page_counts_none(query, keys, values, tables, lengths):
    """a last page that is full is not counted"""
    P = keys.shape[1]
    whole = [n if n % P or n == P else n - P for n in lengths]
    return _step(query, keys, values, tables, whole)


def order_of_the_memory(query, keys, values, tables, lengths):
    """the pages are read in the order of the memory"""
    P = keys.shape[1]
    mine = [sorted(t[: -(-n // P)]) for t, n in zip(tables, lengths, strict=True)]
    return _step(query, keys, values, mine, lengths)
