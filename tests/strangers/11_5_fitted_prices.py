from fractions import Fraction

import numpy as np
import torch


def wrong_misses_in_milliseconds(points):
    """The misses are taken in milliseconds, so the long runs decide everything.

    Feedback: the misses are taken in milliseconds, so the slowest points decide alone
    """
    # wrong for: f([[1, 1, 2], [1, 2, 4], [2, 100, 90]]), a theory that does not hold exactly: other prices, larger sum
    table = np.array(points, dtype=float)
    return np.linalg.lstsq(table[:, :2], table[:, 2], rcond=None)[0].tolist()


def wrong_divided_by_the_root(points):
    """Each line is divided by the root of its time, which is half of what makes the misses
    relative.

    Feedback: a squared miss is divided by the time, where the miss itself should be
    """
    # wrong for: f([[1, 1, 2], [1, 2, 4], [2, 100, 90]]): other prices, larger sum
    table = np.array(points, dtype=float)
    table = table / np.sqrt(table[:, 2:])
    return np.linalg.lstsq(table[:, :2], table[:, 2], rcond=None)[0].tolist()


def wrong_first_and_last_point(points):
    """Two prices need two points: the first and the last.

    Feedback: only the first and the last point decide, the others are not used
    """
    # wrong for: f([[1, 1, 2], [1, 2, 4], [2, 100, 90]]): other prices; and LinAlgError where first and last
    # are parallel, f([[1, 1, 2], [1, 2, 3], [2, 2, 4]]), right [1.0, 1.0]
    table = np.array([points[0], points[-1]], dtype=float)
    return np.linalg.solve(table[:, :2], table[:, 2]).tolist()


def wrong_no_price_below_zero(points):
    """A price below zero is set to zero, although the sum is then no longer the smallest.

    Feedback: a price below 0 is cut off, and then the sum is not the smallest
    """
    # wrong for: f([[2, 10, 4], [4, 10, 1]]) gives [0.0, 0.7], right [-1.5, 0.7]
    table = np.array(points, dtype=float)
    prices = np.linalg.lstsq(table[:, :2] / table[:, 2:], np.ones(len(table)), rcond=None)[0]
    return prices.clip(min=0).tolist()


def right_single_precision(points):
    """Solved in float32 by the normal equations, which loses most digits where steps and work rise
    together."""
    # wrong for: f([[512, 1000, 478.4], [512, 1001, 478.52], [512, 1002, 478.64]]): off in the first digits, right [0.7, 0.12]
    table = torch.tensor(points, dtype=torch.float32)
    lines = table[:, :2] / table[:, 2:]
    (a, b), (_, d) = (lines.T @ lines).tolist()
    e, f = lines.sum(dim=0).tolist()
    det = a * d - b * b
    return [(d * e - b * f) / det, (a * f - b * e) / det] if det else [0.0, 0.0]


def wrong_rounded_to_six_places(points):
    """The prices are rounded to six places, which leaves nothing of small ones.

    Feedback: tiny prices are rounded away
    """
    # wrong for: f([[2, 10, 4e-8], [4, 10, 6e-8]]) gives [0.0, 0.0], right [1e-8, 2e-9]
    table = np.array(points, dtype=float)
    prices = np.linalg.lstsq(table[:, :2] / table[:, 2:], np.ones(len(table)), rcond=None)[0]
    return [round(float(price), 6) for price in prices]


def right_cramer_in_fractions(points):
    """Exact fractions and Cramer's rule for the two normal equations."""
    lines = [(Fraction(s) / Fraction(m), Fraction(w) / Fraction(m)) for s, w, m in points]
    ss, sw, ww = (
        sum(x * y for x, y in pairs)
        for pairs in (
            [(a, a) for a, _ in lines],
            [(a, b) for a, b in lines],
            [(b, b) for _, b in lines],
        )
    )
    s, w = sum(a for a, _ in lines), sum(b for _, b in lines)
    det = ss * ww - sw * sw
    return [float((s * ww - w * sw) / det), float((ss * w - sw * s) / det)]


def right_orthogonal_columns(points):
    """Torch in float64: QR of the table divided by its times, then one triangle to solve."""
    steps, millions, times = torch.tensor(points, dtype=torch.float64).T
    table = torch.stack([steps / times, millions / times], dim=1)
    size = table.norm(dim=0)
    q, r = torch.linalg.qr(table / size)
    prices = torch.linalg.solve_triangular(
        r, q.T @ torch.ones(len(times), 1, dtype=torch.float64), upper=True
    )
    return (prices[:, 0] / size).tolist()


# STATEMENT: where all points have the same ratio of steps to work there is no single smallest answer; that this does not
# happen is not said. Prices below zero are neither allowed nor forbidden ("the smallest possible" allows them). No tolerance
# is stated ("too coarse"). That measured is above 0 is not said.
