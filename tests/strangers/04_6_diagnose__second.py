import torch


def wrong_counted(influence):
    """only the number of entries and one corner are looked at, so two changes that cancel are
    missed

    Feedback: a count of yeses is taken for the table itself
    """
    # wrong for: a causal picture with (3, 0) taken away and (0, 1) added gives "causal", right
    # "other"
    T = len(influence)
    n = int(influence.sum())
    if n == T * T:
        return "no mask"
    if n == T * (T + 1) // 2 + T - 1:
        return "one too many" if influence[-1, 0] and not influence[0, -1] else "other"
    if n == T * (T + 1) // 2:
        return "causal" if influence[-1, 0] and not influence[0, -1] else "transposed"
    return "other"


def wrong_diagonal_not_looked_at(influence):
    """the diagonal is left out of the comparison, as if every token saw itself

    Feedback: a table that is none of the four gets a name
    """
    # wrong for: causal with (2, 2) changed gives "causal", right "other"
    T = len(influence)
    whole = torch.ones(T, T, dtype=torch.bool)
    off = ~torch.eye(T, dtype=torch.bool)
    kinds = {
        "causal": whole.tril(),
        "transposed": whole.triu(),
        "one too many": whole.tril(1),
        "no mask": whole,
    }
    for name, picture in kinds.items():
        if torch.equal(picture & off, influence & off):
            return name
    return "other"


def right_rule_of_gaps(influence):
    """the gaps s - t that influence, as one range each, looked up by their ends after checking
    every entry
    """
    T = len(influence)
    table = influence.tolist()
    names = {
        (1 - T, 0): "causal",
        (0, T - 1): "transposed",
        (1 - T, 1): "one too many",
        (1 - T, T - 1): "no mask",
    }
    for (low, high), name in names.items():
        if all(table[t][s] is (low <= s - t <= high) for t in range(T) for s in range(T)):
            return name
    return "other"


# STATEMENT: clear.
