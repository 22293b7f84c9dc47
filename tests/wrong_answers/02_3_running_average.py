"""Wrong answers to 02.3. A docstring holds the words that only this fault's feedback contains."""

import torch


def _counts(x):
    return torch.arange(1, len(x) + 1)[:, None]


def with_a_matrix(x):
    """a matrix multiplies the future by 0"""
    W = torch.ones(len(x), len(x)).tril()
    return W / W.sum(dim=1, keepdim=True) @ x


def only_sums(x):
    """these are sums"""
    return x.cumsum(dim=0)


def divides_by_all(x):
    """the number of all rows"""
    return x.cumsum(dim=0) / len(x)


def divides_by_t(x):
    """one row too few"""
    return x.cumsum(dim=0) / (_counts(x) - 1)


def halves(x):
    """old rows fade"""
    rows = [x[0]]
    for row in x[1:]:
        rows.append((rows[-1] + row) / 2)
    return torch.stack(rows)


def one_tensor_many_times(x):
    """the list holds one tensor"""
    average, rows = torch.zeros(x.shape[1]), []
    for t, row in enumerate(x):
        average += (row - average) / (t + 1)
        rows.append(average)
    return torch.stack(rows)


def without_itself(x):
    """row t itself is missing"""
    means = x.cumsum(dim=0) / _counts(x)
    return torch.cat([x[:1], means[:-1]])
