"""Wrong answers to 17.4. A docstring holds the words that only this fault's feedback contains."""

import math

EQUAL = {"0  ->  -1": "two key/value heads that both fit are alike, and either name is right"}


def _candidates(query, key, value):
    scores = query[:, None] @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])  # [H, G, T, T]
    return scores.softmax(dim=-1) @ value


def _gaps(query, key, value, out):
    return (_candidates(query, key, value) - out[:, None]).abs()  # [H, G, T, D]


def _named(gaps, within=1e-4):
    return [row.argmin().item() if row.min() < within else -1 for row in gaps]


def by_rule(query, key, value, out):
    """it says what should be"""
    return [h // (len(query) // len(key)) for h in range(len(query))]


def nearest(query, key, value, out):
    """the nearest head is named"""
    return _gaps(query, key, value, out).flatten(2).mean(dim=-1).argmin(dim=1).tolist()


def first_position(query, key, value, out):
    """one position that agrees is taken for all"""
    return _named(_gaps(query, key, value, out)[:, :, 0].amax(dim=-1))


def bit_by_bit(query, key, value, out):
    """the last digits decide"""
    exact = [x.double() for x in (query, key, value)]
    return _named((_candidates(*exact) - out[:, None]).abs().flatten(2).amax(dim=-1), within=3e-7)


def without_scale(query, key, value, out):
    """neighbours that share are not recognised"""
    return _named(_gaps(query * math.sqrt(key.shape[-1]), key, value, out).flatten(2).amax(dim=-1))


def nearly(query, key, value, out):
    """what nearly fits is taken to fit"""
    return _named(_gaps(query, key, value, out).flatten(2).amax(dim=-1), within=0.05)


def on_average(query, key, value, out):
    """an average hides it"""
    return _named(_gaps(query, key, value, out).flatten(2).mean(dim=-1))


def never_goes_back(query, key, value, out):
    """heads are taken to be read in order"""
    found, at = [], 0
    for row in _gaps(query, key, value, out).flatten(2).amax(dim=-1).tolist():
        hits = [g for g in range(at, len(row)) if row[g] < 1e-4]
        found.append(hits[0] if hits else -1)
        at = max(at, found[-1])
    return found
