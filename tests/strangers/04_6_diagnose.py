import torch


def _kinds(T):
    ones = torch.ones(T, T, dtype=torch.bool)
    return {
        "causal": ones.tril(),
        "transposed": ones.triu(),
        "one too many": ones.tril(diagonal=1),
        "no mask": ones,
    }


def wrong_count_and_two_corners(influence):
    """Only the number of pairs and the two corners are compared.

    Feedback: a count of yeses is taken for the table itself
    """

    # wrong for: m = torch.ones(4, 4).tril().bool(); m[2, 0] = False; m[0, 2] = True; f(m)
    # gives 'causal', right
    # 'other'
    def traits(m):
        return int(m.sum()), bool(m[0, -1]), bool(m[-1, 0])

    for name, kind in _kinds(len(influence)).items():
        if traits(kind) == traits(influence):
            return name
    return "other"


def wrong_first_and_last_rows(influence):
    """Only the first two and the last two rows are compared.

    Feedback: one yes less on or below the diagonal goes unnoticed
    """
    # wrong for: m = torch.ones(5, 5).tril().bool(); m[2, 0] = False; f(m) gives 'causal',
    # right 'other'
    rows = [0, 1, -2, -1]
    for name, kind in _kinds(len(influence)).items():
        if torch.equal(kind[rows], influence[rows]):
            return name
    return "other"


def wrong_sixteen_tokens_at_most(influence):
    """Only tables of 4 to 16 tokens are known.

    Feedback: a table of many tokens is not recognised
    """
    # wrong for: f(torch.ones(17, 17).tril().bool()) gives 'other', right 'causal'
    for T in range(4, 17):
        for name, kind in _kinds(T).items():
            if torch.equal(kind, influence):
                return name
    return "other"


def wrong_ninety_nine_in_a_hundred(influence):
    """A kind is recognised when 99 of 100 pairs agree, so a large table may hold a changed one.

    Feedback: a changed entry is passed over
    """
    # wrong for: m = torch.ones(12, 12).tril().bool(); m[5, 2] = False; f(m) gives 'causal',
    # right 'other'
    for name, kind in _kinds(len(influence)).items():
        if (kind == influence).double().mean() >= 0.99:
            return name
    return "other"


def wrong_diagonal_is_not_looked_at(influence):
    """What a token does to itself is not compared, so a mask that hides one token itself is causal.

    Feedback: one yes less on or below the diagonal goes unnoticed
    """
    # wrong for: m = torch.ones(4, 4).tril().bool(); m[2, 2] = False; f(m) gives 'causal',
    # right 'other'
    beside = ~torch.eye(len(influence), dtype=torch.bool)
    for name, kind in _kinds(len(influence)).items():
        if torch.equal(kind[beside], influence[beside]):
            return name
    return "other"


def wrong_one_too_many_either_way(influence):
    """A triangle with one diagonal too many counts the same when it is transposed.

    Feedback: the one before in place of it
    """
    # wrong for: f(torch.ones(5, 5).triu(diagonal=-1).bool()) gives 'one too many', right 'other'
    for name, kind in _kinds(len(influence)).items():
        if (
            torch.equal(kind, influence)
            or name == "one too many"
            and torch.equal(kind.T, influence)
        ):
            return name
    return "other"


def right_reach_of_each_row(influence):
    """Each row must be one run of ones; where the runs begin and end tells the kind."""
    T = influence.shape[0]

    def run(row):
        ones = [place for place, yes in enumerate(row) if yes]
        whole = ones and ones == list(range(ones[0], ones[-1] + 1))
        return (ones[0], ones[-1]) if whole else None

    runs = [run(row) for row in influence.tolist()]
    known = {
        "causal": [(0, t) for t in range(T)],
        "transposed": [(t, T - 1) for t in range(T)],
        "one too many": [(0, min(t + 1, T - 1)) for t in range(T)],
        "no mask": [(0, T - 1)] * T,
    }
    return next((name for name, wanted in known.items() if wanted == runs), "other")


def right_sorted_by_distance(influence):
    """The distances t - s that are seen and those that are not must not overlap; their border names
    it.
    """
    T = influence.size(0)
    back = torch.arange(T)[:, None] - torch.arange(T)
    seen, hidden = set(back[influence].tolist()), set(back[~influence].tolist())
    if seen & hidden or not seen:
        return "other"
    if not hidden:
        return "no mask"
    return {
        (0, T - 1): "causal",
        (1 - T, 0): "transposed",
        (-1, T - 1): "one too many",
    }.get((min(seen), max(seen)) if len(seen) == max(seen) - min(seen) + 1 else None, "other")


# STATEMENT: tables smaller than 4 are excluded in words. What "other" with several changed
# entries is,
# follows only from "returns one of" (a table that is none of the four). Nothing else is open.
