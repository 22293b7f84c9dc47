from itertools import accumulate

import torch


def _memory(kept={}):
    return kept


def wrong_matrix_mended_afterwards(x):
    """The matrix is used, and the NaN that infinity makes in earlier rows is set to 0.

    Feedback: a row cares for an infinite one that comes later
    """
    # wrong for: f(torch.tensor([[1.0], [math.inf]])) gives [[0.0], [inf]], right [[1.0], [inf]]
    W = torch.ones(len(x), len(x), dtype=x.dtype).tril()
    W = W / W.sum(dim=1, keepdim=True)
    mean = W @ x
    return torch.where(mean.isnan() & ~x.isnan(), torch.zeros_like(mean), mean)


def wrong_infinity_becomes_finite(x):
    """Infinity is replaced by the largest finite number before averaging.

    Feedback: the average of a row with infinity in it is finite there
    """
    # wrong for: f(torch.tensor([[math.inf], [1.0]])) gives [[3.40282347e+38], [1.70141173e+38]],
    # right [[inf], [inf]]
    x = x.nan_to_num()
    counts = torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]
    return x.cumsum(dim=0) / counts


def right_mean_is_moved(x):
    """The mean is moved by (x - mean) / n, which makes NaN in the row after an infinite one."""
    # right: the statement leaves open what stands behind an infinite row.
    mean, rows = torch.zeros_like(x[0]), []
    for count, row in enumerate(x, start=1):
        mean = mean + (row - mean) / count
        rows.append(mean)
    return torch.stack(rows)


def right_result_is_single_precision(x):
    """The result is always float32, also for a float64 tensor."""
    # right: the statement says that x is float32.
    result, total = torch.zeros(x.shape), torch.zeros_like(x[0])
    for t in range(len(x)):
        total = total + x[t]
        result[t] = total / (t + 1)
    return result


def wrong_sums_go_on(x):
    """The row of sums and the count are kept, and the next call with this width goes on from them.

    Feedback: a row is not the mean of the rows up to it
    """
    # wrong for: f(torch.tensor([[4.0]])); f(torch.tensor([[1.0]])) gives [[2.5]], right [[1.0]]
    kept, rows = _memory(), []
    for row in x:
        total, count = kept.get(x.shape[1], (0, 0))
        kept[x.shape[1]] = (total + row, count + 1)
        rows.append((total + row) / (count + 1))
    return torch.stack(rows)


def wrong_half_old_half_new(x):
    """Each row is the mean of the new row and the old average, right for two rows only.

    Feedback: old rows fade
    """
    # wrong for: f(torch.tensor([[3.0], [0.0], [0.0]])) gives [[3.0], [1.5], [0.75]], right [[3.0],
    # [1.5], [1.0]]
    rows = [x[0]]
    for row in x[1:]:
        rows.append((rows[-1] + row) / 2)
    return torch.stack(rows)


def right_cumulative_sums(x):
    """Cumulative sums in float64, divided by a column of counts, in the dtype that came in."""
    counts = torch.arange(1, x.shape[0] + 1, dtype=torch.float64).unsqueeze(1)
    return (x.double().cumsum(dim=0) / counts).to(x.dtype)


def right_accumulated_lists(x):
    """Plain Python: accumulate the rows as lists of floats."""
    sums = accumulate(x.tolist(), lambda total, row: [a + b for a, b in zip(total, row)])
    means = [[number / count for number in total] for count, total in enumerate(sums, start=1)]
    return torch.tensor(means, dtype=x.dtype).reshape(x.shape)


# STATEMENT: rows after an infinite one are open: "must equal W @ x" is said for ordinary numbers
# only (the mean is infinite there; a mean that is moved step by step says NaN). Also open: the
# dtype of the result for float64, sums that overflow in float16, whether x may be changed, T x 0.
