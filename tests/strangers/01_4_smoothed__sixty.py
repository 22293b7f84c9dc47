def wrong_mixture_with_one_minus(counts, V, extra):
    """Mixes the plain shares with the even law by a weight, and takes the even law's weight as 1
    minus the other: for a small extra that is exactly 0, and so is the unseen token.

    Feedback: a token that never came has another probability than a tiny extra gives it
    """
    # wrong for: f({0: 5}, 2, 1e-100) gives [1.0, 0.0], right [1.0, 2e-101], above 0
    total = sum(counts.values())
    if total == 0:
        return [1 / V] * V
    trust = total / (total + V * extra)
    return [trust * counts.get(v, 0) / total + (1 - trust) / V for v in range(V)]


def wrong_large_means_even(counts, V, extra):
    """From an extra of a million on it gives the even law outright, however large the counts are.

    Feedback: extra is added to the shares, not to the counts
    """
    # wrong for: f({0: 10**6}, 2, 1e6) gives [0.5, 0.5], right [2/3, 1/3]
    if not counts or extra >= 1e6:
        return [1 / V] * V
    total = sum(counts.values()) + V * extra
    return [(counts.get(v, 0) + extra) / total for v in range(V)]
