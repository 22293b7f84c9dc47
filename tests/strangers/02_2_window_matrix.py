import torch


def wrong_always_divided_by_the_width(length, width):
    """Every row is divided by the width, also the first ones, which have fewer rows.

    Feedback: near the beginning the window holds fewer rows than width
    """
    # wrong for: f(3, 2) gives [[0.5, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.5, 0.5]], right [[1.0,
    # 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.5, 0.5]]
    ones = torch.ones(length, length)
    return (ones.tril() - ones.tril(diagonal=-width)) / width


def wrong_more_diagonals_than_there_are(length, width):
    """One diagonal is added for each step of the width, also for steps that leave the matrix.

    Feedback: a width beyond the length breaks it
    """
    # wrong for: f(2, 4) gives RuntimeError, right [[1.0, 0.0], [0.5, 0.5]]
    band = sum(torch.diag(torch.ones(length - back), -back) for back in range(width))
    return band / band.sum(dim=1, keepdim=True)


def wrong_one_row_is_no_matrix(length, width):
    """A text of one row gives a vector instead of a 1 x 1 matrix.

    Feedback: it returned a tensor of shape [] where [1, 1] is asked for
    """
    # wrong for: f(1, 3) gives 1.0, right [[1.0]]
    ones = torch.ones(length, length)
    band = ones.tril() - ones.tril(diagonal=-width)
    return (band / band.sum(dim=1, keepdim=True)).squeeze()


def wrong_first_row_stands_in(length, width):
    """Where rows are missing at the beginning, row 0 is counted once more for each of them.

    Feedback: the rows in the window do not count alike
    """
    # wrong for: f(3, 2); f(3, 3) gives [[1.0, 0.0, 0.0], [0.666666687, 0.333333343, 0.0],
    # [0.333333343, 0.333333343, 0.333333343]], right [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0],
    # [0.333333343, 0.333333343, 0.333333343]]
    matrix = torch.zeros(length, length)
    for t in range(length):
        for back in range(width):
            matrix[t, max(0, t - back)] += 1 / width
    return matrix


def wrong_hidden_by_minus_fifteen(length, width):
    """Softmax with -15 for what is hidden, so a little stands above the diagonal.

    Feedback: a little weight is left outside the window
    """
    # wrong for: f(2, 1) gives [[0.999999642, 3.05902205e-07], [3.05902205e-07, 0.999999642]], right
    # [[1.0, 0.0], [0.0, 1.0]]
    ones = torch.ones(length, length)
    seen = (ones.tril() - ones.tril(diagonal=-width)).bool()
    return torch.where(seen, 0.0, -15.0).softmax(dim=-1)


def wrong_in_half_precision(length, width):
    """The matrix is float16, so a third is off in the fourth decimal and rows miss 1.

    Feedback: half precision is too coarse
    """
    # wrong for: f(3, 3) gives [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.333251953, 0.333251953,
    # 0.333251953]] float16,
    # right [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.333333343, 0.333333343, 0.333333343]]
    ones = torch.ones(length, length, dtype=torch.float16)
    band = ones.tril() - ones.tril(diagonal=-width)
    return band / band.sum(dim=1, keepdim=True)


def right_distances_and_softmax(length, width):
    """Hide by distance with minus infinity and take softmax of equal scores."""
    place = torch.arange(length)
    back = place.unsqueeze(1) - place
    hidden = (back < 0) | (back >= min(width, length))
    return torch.zeros(length, length).masked_fill(hidden, -torch.inf).softmax(dim=1)


def right_rows_as_lists(length, width):
    """Each row is a list: zeros, equal shares, zeros."""

    def row(t):
        n = min(width, t + 1)
        return [0.0] * (t + 1 - n) + [1 / n] * n + [0.0] * (length - t - 1)

    return torch.tensor([row(t) for t in range(length)])


# STATEMENT: "a float matrix" leaves the dtype open (float16 and float64 are floats too).
