import torch


def _lengths(x, layout):
    T, D = x.shape
    shape, axis = ((T, D // 2, 2), 2) if layout == "pairs" else ((T, 2, D // 2), 1)
    return x.double().reshape(shape).pow(2).sum(dim=axis).sqrt()


def _gap(x, turned, layout):
    return (_lengths(x, layout) - _lengths(turned, layout)).abs()


def _word(pairs, halves):
    return {(1, 1): "both", (1, 0): "pairs", (0, 1): "halves", (0, 0): "neither"}[
        int(pairs), int(halves)
    ]


def wrong_first_pair_only(x, turned):
    """Only lane 0 and its partner are measured in each row.

    Feedback: one pair of lanes that does not fit is overlooked
    """
    # wrong for: f(torch.tensor([[1.0, 0.0, 0.0, 1.0, 1.0, 1.0]]), torch.tensor([[0.0, 1.0, 0.0,
    # 1.0, 1.0, 2.0]]))
    # gives 'pairs', right 'neither'
    return _word(
        (_gap(x, turned, "pairs")[:, 0] <= 1e-4).all(),
        (_gap(x, turned, "halves")[:, 0] <= 1e-4).all(),
    )


def wrong_both_only_if_nothing_moved(x, turned):
    """ "both" is given only if nothing was turned; otherwise pairs are tried first and win.

    Feedback: where both layouts fit, it decides for pairs
    """
    # wrong for: f(torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])) gives 'pairs', right
    # 'both'
    if torch.allclose(x, turned, rtol=0, atol=1e-4):
        return "both"
    for layout in ("pairs", "halves"):
        if (_gap(x, turned, layout) <= 1e-4).all():
            return layout
    return "neither"


def wrong_difference_on_average(x, turned):
    """The mean difference of all lengths must be small, so one bad row among many good ones gets
    through.

    Feedback: an average hides it
    """
    # wrong for: x = torch.ones(500, 4); y = x.clone(); y[7] += 0.01; f(x, y) gives 'both', right
    # 'neither'
    return _word(_gap(x, turned, "pairs").mean() <= 1e-4, _gap(x, turned, "halves").mean() <= 1e-4)


def wrong_each_row_may_have_its_own_layout(x, turned):
    """Every row must fit some layout, and a layout counts if any row needs it.

    Feedback: rows of different layouts are given a word
    """
    # wrong for: f(torch.tensor([[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]]), torch.tensor([[0.0,
    # 1.0, 0.0, 0.0],
    # [0.0, 0.0, 1.0, 0.0]])) gives 'both', right 'neither'
    pairs = (_gap(x, turned, "pairs") <= 1e-4).all(dim=1)
    halves = (_gap(x, turned, "halves") <= 1e-4).all(dim=1)
    if not (pairs | halves).all():
        return "neither"
    only_pairs, only_halves = (pairs & ~halves).any(), (halves & ~pairs).any()
    if only_pairs == only_halves:
        return "both"
    return "pairs" if only_pairs else "halves"


def right_relative_tolerance_added(x, turned):
    """torch.allclose adds its own relative tolerance, so long vectors may differ by more than
    0.0001. Right: no number here is beyond 6, and what is not equal differs by more than
    0.01.
    """
    # wrong for: f(torch.tensor([[300.0, 0.0, 0.0, 400.0]]), torch.tensor([[300.001, 0.0, 0.0,
    # 400.0]])) gives 'both',
    # right 'neither'
    fits = [
        torch.allclose(_lengths(x, layout), _lengths(turned, layout), atol=1e-4)
        for layout in ("pairs", "halves")
    ]
    return _word(*fits)


def wrong_first_row_left_out(x, turned):
    """Row 0 is taken to stand at place 0 and to say nothing, so it is not looked at.

    Feedback: the first vector is not looked at
    """
    # wrong for: f(torch.tensor([[1.0, 0.0, 0.0, 0.0]]), torch.tensor([[0.0, 1.0, 0.0, 0.0]]))
    # gives 'both', right
    # 'pairs'
    x, turned = x[1:], turned[1:]
    return _word(
        (_gap(x, turned, "pairs") <= 1e-4).all(), (_gap(x, turned, "halves") <= 1e-4).all()
    )


def right_complex_lengths(x, turned):
    """Read two lanes as a complex number in float64 and compare the two absolute values."""
    D = x.shape[1]
    fits = []
    for one, two in (
        (slice(0, None, 2), slice(1, None, 2)),
        (slice(None, D // 2), slice(D // 2, None)),
    ):
        before, after = (
            torch.complex(v[:, one].double(), v[:, two].double()).abs() for v in (x, turned)
        )
        fits.append(
            not ((before - after).abs() > 1e-4).any() and not (before - after).isnan().any()
        )
    return ("neither", "halves", "pairs", "both")[2 * fits[0] + fits[1]]


def right_lists_and_sets(x, turned):
    """Go through rows and lanes with plain numbers and throw out each layout that fails."""
    left, half = {"pairs", "halves"}, x.shape[1] // 2
    for before, after in zip(x.tolist(), turned.tolist(), strict=True):
        for i in range(half):
            for layout, (a, b) in {"pairs": (2 * i, 2 * i + 1), "halves": (i, i + half)}.items():
                if (
                    not abs(abs(complex(before[a], before[b])) - abs(complex(after[a], after[b])))
                    <= 1e-4
                ):
                    left.discard(layout)
    return "both" if len(left) == 2 else left.pop() if left else "neither"


# STATEMENT: "what should be equal" may be the lengths, their squares, or the lanes themselves: for
# long vectors
# (length 100) the tolerance then differs by a factor of 200. Rows that fit different layouts
# ("every row fits"
# something): "neither" is meant, I think. Not said: whether one must also ask for a common base
# (angles of
# one row must fall in a row: turned by 1, 2 and 0.5 fits no base), D = 2 ("both"), T = 0, NaN.
