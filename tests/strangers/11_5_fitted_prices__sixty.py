import numpy as np
import torch


def wrong_no_price_below_zero(points):
    """Sets a price that comes out negative to 0, as if the statement forbade it; the sum is then
    not the smallest possible.

    Feedback: a price below 0 is cut off, and then the sum is not the smallest
    """
    # wrong for: f([[1, 1, 1], [1, 2, 0.5]]) gives [1.5, 0.0], right [1.5, -0.5]
    steps, millions, measured = np.array(points, dtype=float).T
    A = np.stack([steps / measured, millions / measured], axis=1)
    prices = np.linalg.lstsq(A, np.ones(len(A)), rcond=None)[0]
    return [max(0.0, float(price)) for price in prices]


def right_normal_equations_in_float32(points):
    """Solves the normal equations in float32: where steps and millions grow nearly together, too
    few digits are left to tell the prices apart."""
    # wrong for: f([[1000, 100000, 21000], [1000, 100010, 21002]]), right [1.0, 0.2]
    table = torch.tensor(points, dtype=torch.float32)
    A = table[:, :2] / table[:, 2:]
    left, right = A.T @ A, A.sum(dim=0)
    det = left[0, 0] * left[1, 1] - left[0, 1] ** 2
    first = (left[1, 1] * right[0] - left[0, 1] * right[1]) / det
    second = (left[0, 0] * right[1] - left[0, 1] * right[0]) / det
    return [first.item(), second.item()]


# STATEMENT: that the prices may come out negative is not said; nor what holds when all points
# have the same ratio of steps to millions (then the smallest sum has many answers).
