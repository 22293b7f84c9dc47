import torch


def wrong_infinity_takes_the_row(x):
    """Once a row holds an infinity its whole average is set to infinity, also in the columns where
    the row is finite.

    Feedback: one infinity takes the whole row: the other columns have their averages
    """
    # wrong for: f([[1., 2.], [inf, 4.]]), row 1 gives [inf, inf], right [inf, 3.]
    result = torch.empty_like(x)
    sums = torch.zeros_like(x[0])
    for t, row in enumerate(x):
        if torch.isinf(row).any():
            result[t:] = torch.inf
            break
        sums = sums + row
        result[t] = sums / (t + 1)
    return result


def wrong_zero_rows_not_counted(x):
    """A row of zeros is taken for padding and not counted.

    Feedback: rows of zeros are not counted
    """
    # wrong for: f([[2.], [0.], [4.]]) gives [2, 2, 3], right [2, 1, 2]
    result = []
    sums, count = torch.zeros(x.shape[1]), 0
    for row in x:
        if row.abs().sum() != 0:
            sums = sums + row
            count += 1
        result.append(sums / max(count, 1))
    return torch.stack(result)


# STATEMENT: a finite column of a row that holds an infinity: taken as ordinary (not 'behind' it), not said.
