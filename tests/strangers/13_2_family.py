import torch


def _prefix(n, T):
    mask = torch.ones(T, T, dtype=torch.bool).tril()
    mask[:, :n] = True
    return mask


def wrong_rows_are_counted_only(mask):
    """Only the number of squares in each row is compared, not where they stand.

    Feedback: a mirrored triangle got the name of a family: it is not enough to count the
    """
    # wrong for: f(torch.tensor([[0, 1, 0], [1, 1, 0], [1, 1, 1]]).bool()) gives 'decoder', right 'other'
    T = len(mask)
    for n in range(1, T + 1):
        if torch.equal(mask.sum(dim=1), _prefix(n, T).sum(dim=1)):
            return "decoder" if n == 1 else "encoder" if n == T else "prefix"
    return "other"


def wrong_longest_prefix_forgotten(mask):
    """A prefix of T - 1 tokens is not tried.

    Feedback: the mask of a prefix gets another name
    """
    # wrong for: f(torch.tensor([[1, 1, 0], [1, 1, 0], [1, 1, 1]]).bool()) gives 'other', right 'prefix'
    T = mask.shape[0]
    if mask.all():
        return "encoder"
    if torch.equal(mask, _prefix(0, T)):
        return "decoder"
    return "prefix" if any(torch.equal(mask, _prefix(n, T)) for n in range(2, T - 1)) else "other"


def wrong_first_row_and_its_square(mask):
    """The prefix is read off the first row, its square and the future are looked at, the text's
    past is not.

    Feedback: a recipe with one changed square has a family's name: compare every square
    """
    # wrong for: f(torch.tensor([[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 0, 1, 1]]).bool()) gives 'prefix',
    # right 'other'
    T = mask.shape[0]
    n = int(mask[0].sum())
    if (
        n == 0
        or not mask[:n, :n].all()
        or mask[:n, n:].any()
        or mask[n:, n:].triu(diagonal=1).any()
    ):
        return "other"
    return (
        "decoder"
        if n == 1 and mask.tril().sum() == T * (T + 1) // 2
        else "encoder"
        if n == T
        else "prefix"
        if n > 1
        else "other"
    )


def wrong_any_mask_that_holds_the_past(mask):
    """Whatever shows at least the past, and in the first row a prefix, is a prefix; extra squares
    in later rows pass.

    Feedback: a recipe with one changed square has a family's name: compare every square
    """
    # wrong for: f(torch.tensor([[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 1], [1, 1, 1, 1]]).bool()) gives 'prefix',
    # right 'other'
    T = mask.shape[0]
    past = torch.ones(T, T, dtype=torch.bool).tril()
    if mask.all():
        return "encoder"
    if torch.equal(mask, past):
        return "decoder"
    n = int(mask[0].sum())
    holds = (
        bool((mask | ~past).all())
        and n > 1
        and bool(mask[:n, :n].all())
        and not bool(mask[:n, n:].any())
    )
    return "prefix" if holds else "other"


def wrong_one_square_in_a_hundred(mask):
    """A recipe is recognised when fewer than one square in a hundred differ, so a long mask may
    hold a changed one.

    Feedback: one changed square of many goes unnoticed
    """
    # wrong for: m = torch.ones(12, 12).tril().bool(); m[7, 2] = False; f(m) gives 'decoder', right 'other'
    T = len(mask)
    for n in range(1, T + 1):
        if (mask != _prefix(n, T)).double().mean() < 0.01:
            return {1: "decoder", T: "encoder"}.get(n, "prefix")
    return "other"


def wrong_own_square_not_looked_at(mask):
    """What a token does to itself is not compared.

    Feedback: a triangle without its diagonal got the name of a family
    """
    # wrong for: m = torch.ones(4, 4).tril().bool(); m[2, 2] = False; f(m) gives 'decoder', right 'other'
    T = len(mask)
    mask = mask | torch.eye(T, dtype=torch.bool)
    for n in range(1, T + 1):
        if torch.equal(mask, _prefix(n, T)):
            return {1: "decoder", T: "encoder"}.get(n, "prefix")
    return "other"


def right_reach_of_the_rows(mask):
    """Each row must be a run from place 0; the list of where the runs end names the recipe."""
    rows = mask.tolist()
    T = len(rows)
    ends = []
    for row in rows:
        end = row.index(False) if False in row else T
        if True in row[end:]:
            return "other"
        ends.append(end)
    if ends != [max(t + 1, ends[0]) for t in range(T)] or not ends[0]:
        return "other"
    return "decoder" if ends[0] == 1 else "prefix" if ends[0] < T else "encoder"


def right_one_comparison_of_places(mask):
    """The first row names the only recipe that is possible; one comparison of two arange builds it."""
    T = mask.size(0)
    n = int(mask[0].count_nonzero())
    row, column = torch.arange(T).unsqueeze(1), torch.arange(T).unsqueeze(0)
    if not n or ((column <= row) | (column < n)).ne(mask).any():
        return "other"
    return ("decoder", "prefix", "encoder")[(n > 1) + (n == T)]


# STATEMENT: nothing open. (Does the mask come on a device or as [T, T] only: [T, T] is said.)
