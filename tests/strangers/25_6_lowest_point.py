import numpy as np
import torch


def _vertex(x, y):
    x, y = np.array(x, dtype=float), np.array(y, dtype=float)
    middle = x.mean()
    spread = np.abs(x - middle).max()
    c2, c1, _ = np.polyfit((x - middle) / spread, y - y.mean(), 2)
    return float(np.exp(middle - spread * c1 / (2 * c2)))


def wrong_stays_between(sizes, losses):
    """a lowest point outside the sizes is moved to the nearest of them

    Feedback: it is the best of the sizes that were tried
    """
    # wrong for: sizes [1e6, 2e6, 4e6] whose parabola is lowest at 1e7: gives 4e6
    return min(max(_vertex(np.log(np.array(sizes, dtype=float)), losses), min(sizes)), max(sizes))


def wrong_around_the_lowest(sizes, losses):
    """puts the parabola through the lowest run and its two neighbours only

    Feedback: only the best run and its two neighbours are used
    """
    # wrong for: five runs that lie on no exact parabola
    runs = sorted(dict(zip(sizes, losses, strict=True)).items())
    k = min(range(len(runs)), key=lambda i: runs[i][1])
    k = min(max(k, 1), len(runs) - 2)
    three = runs[k - 1 : k + 2]
    return _vertex([np.log(float(n)) for n, _ in three], [loss for _, loss in three])


def wrong_sizes_sorted_alone(sizes, losses):
    """sorts the sizes and leaves the losses where they are

    Feedback: it is not the lowest point of the parabola
    """
    # wrong for: sizes in any other than rising order
    return _vertex(np.log(np.array(sorted(sizes), dtype=float)), losses)


def wrong_each_size_once(sizes, losses):
    """of several runs of one size only the last is kept

    Feedback: it is not the lowest point of the parabola
    """
    # wrong for: sizes [1e6, 1e6, 2e6, 4e6] with two different losses at 1e6
    once = dict(zip(sizes, losses, strict=True))
    return _vertex(np.log(np.array(list(once), dtype=float)), list(once.values()))


def wrong_best_of_a_grid(sizes, losses):
    """the lowest of 5,000 points of the parabola, a hundredfold beyond the sizes each way

    Feedback: it is not the lowest point of the parabola
    """
    # wrong for: sizes [1e6, 1.5e6, 2e6] on 3 + 0.05 ln(N / 1e9)**2: gives 2e8, right 1e9;
    # also off by more than a thousandth between two points
    x, y = np.log(np.array(sizes, dtype=float)), np.array(losses, dtype=float)
    c2, c1, _ = np.polyfit(x - x.mean(), y, 2)
    u = np.linspace(x.min() - np.log(100), x.max() + np.log(100), 5000) - x.mean()
    return float(np.exp(x.mean() + u[np.argmin(c2 * u * u + c1 * u)]))


def wrong_single_precision(sizes, losses):
    """float32 and bare powers of ln N: sizes close together or large lose all digits

    Feedback: with sizes close together its digits run out: compute in 64 bits
    """
    # wrong for: sizes from 1e9 to 2e9: (ln N)**2 is near 430 and its digits end too soon
    x = torch.tensor(sizes, dtype=torch.float32).log()
    y = torch.tensor(losses, dtype=torch.float32)[:, None]
    X = torch.stack([torch.ones_like(x), x, x * x], dim=1)
    _, c1, c2 = torch.linalg.lstsq(X, y).solution[:, 0].tolist()
    return float(np.exp(-c1 / (2 * c2)))


def right_orthogonal_polynomials(sizes, losses):
    """two polynomials that are orthogonal on the runs; no system of equations"""
    x, y = np.array(sizes, dtype=float), np.array(losses, dtype=float)
    x = np.log(x / x[0])
    x0 = x.mean()
    p1 = x - x0
    s = p1 @ p1
    skew, even = (p1**2 @ p1) / s, s / len(x)
    p2 = p1**2 - skew * p1 - even
    y = y - y.mean()
    c1 = (p1 @ y) / s
    c2 = (p2 @ (y - c1 * p1)) / (p2 @ p2)
    # c1 u + c2 (u^2 - skew u - even), u = x - x0
    return float(sizes[0] * np.exp(x0 + skew / 2 - c1 / (2 * c2)))


def right_class_and_qr(sizes, losses):
    """a class that holds QR of centred logarithms, in torch, float64"""

    class Parabola:
        def __init__(self, u, y):
            X = torch.stack([u * u, u, torch.ones_like(u)], dim=1)
            Q, R = torch.linalg.qr(X)
            found = torch.linalg.solve_triangular(R, (Q.T @ y)[:, None], upper=True)
            self.c2, self.c1, self.c0 = found[:, 0].tolist()

        @property
        def lowest(self):
            return -self.c1 / (2 * self.c2)

    x = torch.tensor([float(n) for n in sizes], dtype=torch.float64)
    y = torch.tensor([float(loss) for loss in losses], dtype=torch.float64)
    u = (x / x[0]).log()
    middle = u.mean().item()
    scale = (u - middle).abs().max().item()
    lowest = Parabola((u - middle) / scale, y - y.mean()).lowest
    return float(x[0] * np.exp(middle + scale * lowest))


# STATEMENT: the title "Between the runs" contradicts "it need not lie between the sizes". "There are
# three different ones or more": of sizes (repeats allowed, so several seeds) - "ones" could also be
# runs. How close together sizes may be is not said. "open above" is an unusual word for "opens upwards".
