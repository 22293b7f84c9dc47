from fractions import Fraction


def wrong_at_least_one(counts, V, extra):
    """the sum is kept from 0 by max(1, ..) as in the lesson, so a small extra without counts does
    not sum to 1

    Feedback: where nothing was counted all tokens must be equally likely
    """
    # wrong for: smoothed({}, 2, 0.1) gives [0.1, 0.1], right [0.5, 0.5]
    total = max(1, sum(counts.values()) + extra * V)
    return [(counts.get(token, 0) + extra) / total for token in range(V)]


def wrong_last_gets_the_rest(counts, V, extra):
    """the last token gets what is left to 1, which rounding makes 0 where it is tiny

    Feedback: a token that never came has another probability than a tiny extra gives it
    """
    # wrong for: smoothed({0: 5}, 2, 1e-30) gives [1.0, 0.0], right [1.0, 2e-31]
    total = sum(counts.values()) + extra * V
    law = [(counts.get(token, 0) + extra) / total for token in range(V - 1)]
    return [*law, 1.0 - sum(law)]


def right_exact(counts, V, extra):
    """exact fractions, made floats at the very end"""
    extra = Fraction(extra)
    grown = [extra + counts.get(token, 0) for token in range(V)]
    whole = sum(grown)
    return [float(share / whole) for share in grown]


# STATEMENT: the counts have no upper bound: 10**400 + 0.5 raises OverflowError in the plain
# answer. "every probability is positive" fails in floats beyond 1e-323.
