"""Wrong answers to 14.5. A docstring holds the words that only this fault's feedback contains."""

from itertools import pairwise

EQUAL = {
    "line.max() - line.min() > 0.0001  ->  line.max() - line.min() >= 0.0001": "none lies on it",
    "max(by_distance) - min(by_distance) < 0.0001  ->  "
    "max(by_distance) - min(by_distance) <= 0.0001": "none lies on it",
    "max(steps) - min(steps) < 0.0001  ->  max(steps) - min(steps) <= 0.0001": "none lies on it",
    "max(steps) < 0  ->  max(steps) <= 0": "steps of 0 were called none before",
}


def _steps(scores):
    back = [scores.diagonal(-d) for d in range(len(scores))]
    return back, [float(b[0] - a[0]) for a, b in pairwise(back)]


def _judge(back, steps, near=1e-4):
    if any(d.max() - d.min() > near for d in back):
        return "absolute"
    if max(steps) - min(steps) > near:
        return "relative"
    if abs(steps[0]) <= near:
        return "none"
    return "alibi" if steps[0] < 0 else "relative"


def slope_of_zero(scores):
    """equal scores are called alibi"""
    word = _judge(*_steps(scores))
    return "alibi" if word == "none" else word


def nothing_is_relative(scores):
    """equal scores are called relative"""
    word = _judge(*_steps(scores))
    return "relative" if word == "none" else word


def looks_at_the_future(scores):
    """wherever the mask shows them are not called none"""
    back, steps = _steps(scores)
    if any(d.max() - d.min() > 1e-4 for d in (scores.diagonal(k) for k in range(len(scores)))):
        return "absolute"
    return _judge(back, steps)


def any_straight_line(scores):
    """a rise with distance is called alibi"""
    word = _judge(*_steps(scores))
    _, steps = _steps(scores)
    straight = max(steps) - min(steps) < 1e-4 and abs(steps[0]) > 1e-4
    return "alibi" if word == "relative" and straight else word


def first_step_only(scores):
    """unequal steps down"""
    back, steps = _steps(scores)
    return _judge(back, steps[:1])


def last_row_only(scores):
    """one changed number goes unnoticed"""
    T = len(scores)
    flat = [scores[-1, T - 1 - d] for d in range(T)]
    steps = [float(b - a) for a, b in pairwise(flat)]
    ends = [scores.diagonal(-d)[[0, -1]] for d in range(T)]  # of each diagonal, only the two ends
    return _judge(ends, steps)


def exactly_equal(scores):
    """a difference in the last digits changes the verdict"""
    return _judge(*_steps(scores), near=5e-7)


def no_word(scores):
    """another word than the four"""
    return "sinusoidal"
