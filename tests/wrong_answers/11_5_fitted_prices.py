"""Wrong answers to 11.5. A docstring holds the words that only this fault's feedback contains."""

import numpy as np


def _fit(points, weight=lambda ms: 1 / ms):
    table = np.array(points, dtype=float)
    table = table * weight(table[:, 2:])
    prices, *_ = np.linalg.lstsq(table[:, :2], table[:, 2], rcond=None)
    return [float(price) for price in prices]


def in_milliseconds(points):
    """the slowest points decide alone"""
    return _fit(points, lambda ms: ms**0)


def half_weighed(points):
    """a squared miss is divided by the time"""
    return _fit(points, lambda ms: ms**-0.5)


def swapped(points):
    """the two prices are swapped"""
    return _fit(points)[::-1]


def first_and_last(points):
    """only the first and the last point decide"""
    return _fit([points[0], points[-1]])


def first_two(points):
    """only the first two points decide"""
    return _fit(points[:2])


def one_at_a_time(points):
    """as if the other were nothing"""
    shares = [(steps / ms, millions / ms) for steps, millions, ms in points]
    return [
        sum(share[i] for share in shares) / sum(share[i] ** 2 for share in shares) for i in (0, 1)
    ]


def weighed_by_the_steps(points):
    """another pair of prices has a smaller sum"""
    table = np.array(points, dtype=float)
    table = table / table[:, :1]
    prices, *_ = np.linalg.lstsq(table[:, :2], table[:, 2], rcond=None)
    return [float(price) for price in prices]
