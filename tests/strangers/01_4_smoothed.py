from fractions import Fraction


def wrong_nought_means_one(counts, V, extra):
    """An extra of 0 is taken for "not given", and 1 is added instead.

    Feedback: with extra = 0 a token that never came has a probability
    """
    # wrong for: f({0: 3, 1: 1}, 3, 0) gives [0.5714285714285714, 0.2857142857142857,
    # 0.14285714285714285], right [0.75, 0.25, 0.0]
    extra = extra or 1
    total = sum(counts.values()) + V * extra
    return [(counts.get(token, 0) + extra) / total for token in range(V)]


def wrong_counts_are_changed(counts, V, extra):
    """The extra is added to the given dict itself, so the next call begins with more.

    Feedback: it changed what it was given
    """
    # wrong for: c = {0: 3}; f(c, 2, 1); f(c, 2, 1) gives [0.7142857142857143, 0.2857142857142857],
    # right [0.8, 0.2]
    for token in range(V):
        counts[token] = counts.get(token, 0) + extra
    return [counts[token] / sum(counts.values()) for token in range(V)]


def wrong_large_is_quite_even(counts, V, extra):
    """Above an extra of 1000 the law is simply even, whatever the counts are.

    Feedback: with a large extra the law is quite even
    """
    # wrong for: f({0: 1000000}, 2, 2000) gives [0.5, 0.5], right [0.99800796812749,
    # 0.00199203187250996]
    if extra > 1000:
        return [1 / V] * V
    total = sum(counts.values()) + V * extra
    return [(counts.get(token, 0) + extra) / total for token in range(V)]


def wrong_ends_at_the_largest_token(counts, V, extra):
    """The law ends at the largest token that was counted; the ones behind it are missing.

    Feedback: it returned 3 items where 4 are asked for
    """
    # wrong for: f({0: 2, 1: 1}, 4, 1) gives [0.6, 0.4], right [0.42857142857142855,
    # 0.2857142857142857, 0.14285714285714285, 0.14285714285714285]
    size = max(counts, default=V - 1) + 1
    total = sum(counts.values()) + size * extra
    return [(counts.get(token, 0) + extra) / total for token in range(size)]


def wrong_seen_tokens_in_the_sum(counts, V, extra):
    """The sum below the fraction gets the extra once for each token seen, not for all V.

    Feedback: extra is added V times, so the total grows by as much
    """
    # wrong for: f({0: 3}, 2, 1) gives [1.0, 0.25], right [0.8, 0.2]
    total = sum(counts.values()) + (len(counts) or V) * extra
    return [(counts.get(token, 0) + extra) / total for token in range(V)]


def wrong_floor_of_a_millionth(counts, V, extra):
    """At least a millionth is added, so an extra of 0 does not give the plain shares.

    Feedback: with extra = 0 a token that never came has a probability
    """
    # wrong for: f({0: 1, 1: 1}, 3, 0) gives [0.49999975000037494, 0.49999975000037494,
    # 4.99999250001125e-07], right [0.5, 0.5, 0.0]
    extra = max(extra, 1e-6)
    total = sum(counts.values()) + V * extra
    return [(counts.get(token, 0) + extra) / total for token in range(V)]


def right_mixture_with_the_even_law(counts, V, extra):
    """Mix the plain shares with the even law; a large extra cannot overflow."""
    seen, added = Fraction(sum(counts.values())), Fraction(extra) * V
    belief = added / (seen + added)
    even = Fraction(1, V)
    plain = [Fraction(counts.get(token, 0)) / seen if seen else even for token in range(V)]
    return [float(belief * even + (1 - belief) * share) for share in plain]


def right_list_filled_first(counts, V, extra):
    """Fill a list with exact extras, put the counts on top, and divide once at the end."""
    law = [Fraction(extra)] * V
    for token, count in counts.items():
        law[token] += Fraction(count)
    total = sum(law)
    return list(map(float, (share / total for share in law)))


# STATEMENT: "a very large extra" has no end: with 1e308 the float sum V * extra overflows and the
# plain formula gives zeros, though "nearly even" is promised. Counts that are 0 or no whole
# numbers, tokens outside 0 to V - 1, and whether the given dict may be changed, are open. "Every
# probability is positive" cannot hold in floats for an extra near 1e-320 beside a large count.
