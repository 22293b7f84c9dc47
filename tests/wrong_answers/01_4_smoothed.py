"""Wrong answers to 01.4. A docstring holds the words that only this fault's feedback contains."""


def adds_one(counts, V, extra):
    """it adds 1, whatever extra is"""
    total = sum(counts.values()) + V
    return [(counts.get(token, 0) + 1) / total for token in range(V)]


def total_grows_once(counts, V, extra):
    """extra is added V times"""
    total = sum(counts.values()) + extra
    return [(counts.get(token, 0) + extra) / total for token in range(V)]


def seen_tokens_only(counts, V, extra):
    """still has no probability"""
    total = sum(counts.values()) + len(counts) * extra
    law = [0.0] * V
    for token, count in counts.items():
        law[token] = (count + extra) / total
    return law


def divides_by_the_total_first(counts, V, extra):
    """when nothing was counted"""
    total = sum(counts.values())
    part = V * extra / (total + V * extra)
    return [(1 - part) * counts.get(token, 0) / total + part / V for token in range(V)]


def adds_to_the_shares(counts, V, extra):
    """to the shares, not to the counts"""
    total = sum(counts.values()) or 1
    return [(counts.get(t, 0) / total + extra) / (bool(counts) + V * extra) for t in range(V)]


def shares_extra_out(counts, V, extra):
    """it shares extra out"""
    total = sum(counts.values()) + extra
    return [(counts.get(token, 0) + extra / V) / total for token in range(V)]


def even_law_mixed_in(counts, V, extra):
    """it mixes in"""
    total, part = sum(counts.values()), min(extra, 1) if counts else 1
    return [(1 - part) * counts.get(t, 0) / (total or 1) + part / V for t in range(V)]


def only_where_something_is_missing(counts, V, extra):
    """where all tokens came"""
    if len(counts) == V:
        extra = 0
    total = sum(counts.values()) + V * extra
    return [(counts.get(token, 0) + extra) / total for token in range(V)]


def in_the_order_of_counting(counts, V, extra):
    """stand at the wrong places"""
    total = sum(counts.values()) + V * extra
    law = [(count + extra) / total for count in counts.values()]
    return law + [extra / total] * (V - len(counts))
