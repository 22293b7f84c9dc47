from itertools import accumulate

import torch


def wrong_infinity_made_finite(x):
    """infinity is replaced by the largest number before the matrix, so its average is not infinite

    Feedback: the average of a row with infinity in it is finite there, or NaN
    """
    # wrong for: [[1.], [inf]] gives 1.7e38 in row 1, right inf
    T = len(x)
    W = torch.ones(T, T).tril() / torch.arange(1, T + 1)[:, None]
    return W @ torch.nan_to_num(x)


def wrong_squeezed(x):
    """the result is squeezed, so one column or one row loses its axis

    Feedback: it returned a tensor of shape [3] where [1, 3] is asked for
    """
    # wrong for: x of shape [3, 1] gives shape [3], right [3, 1]
    sums = torch.zeros(x.shape[1])
    rows = []
    for n, row in enumerate(x, start=1):
        sums = sums + row
        rows.append(sums / n)
    return torch.stack(rows).squeeze()


def right_accumulate(x):
    """itertools.accumulate over the rows in float64, turned back to float32"""
    rows = [s / n for n, s in enumerate(accumulate(x.double().unbind(0)), start=1)]
    return torch.stack(rows).to(x.dtype)


# STATEMENT: minus infinity, and NaN inside x? ("infinity" only.) Sums beyond the largest
# float32 (3e38 + 3e38): the matrix gives 3e38, a float32 sum inf.
