"""Wrong answers to 25.6. A docstring holds the words that only this fault's feedback contains."""

import math

import numpy as np


def _vertex(x, y):
    x = np.array(x, dtype=float)
    unit = np.abs(x).max()
    square, slope, _ = np.polyfit((x - x.mean()) / unit, y, 2)
    return float(x.mean() - unit * slope / (2 * square))


def best_tried(sizes, losses):
    """the best of the sizes that were tried"""
    return float(sizes[int(np.argmin(losses))])


def still_a_logarithm(sizes, losses):
    """this is the logarithm of N"""
    return _vertex(np.log(sizes), losses)


def parabola_in_N(sizes, losses):
    """not in its logarithm"""
    return _vertex(sizes, losses)


def three_runs(sizes, losses):
    """only the best run and its two neighbours"""
    order = np.argsort(sizes, kind="stable")
    at = min(max(1, [*order].index(int(np.argmin(losses)))), len(order) - 2)
    near = order[at - 1 : at + 2]
    return math.exp(_vertex(np.log(np.array(sizes)[near]), np.array(losses)[near]))


def bases_mixed(sizes, losses):
    """undone with another"""
    return 10 ** _vertex(np.log(sizes), losses)


def two_forgotten(sizes, losses):
    """not at -p1 / p2"""
    square, slope, _ = np.polyfit(np.log(sizes), losses, 2)
    return float(np.exp(-slope / square))


def first_three_runs(sizes, losses):
    """it is not the lowest point of the parabola"""
    return math.exp(_vertex(np.log(sizes[:3]), losses[:3]))
