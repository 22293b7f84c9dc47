import numpy as np
import torch


def _log_best(A, B, a, b, flops):
    A, B, a, b, flops = float(A), float(B), float(a), float(b), float(flops)
    top = np.log(a) + np.log(A) - np.log(b) - np.log(B)
    return (top + b * (np.log(flops) - np.log(6.0))) / (a + b)


def wrong_power_of_the_tokens(A, B, a, b, flops):
    """the budget gets the power a / (a + b), which belongs to the tokens

    Feedback: the budget's exponent is a / (a + b), where b stands above
    """
    # wrong for: f(400, 400, 0.3, 0.6, 6e20); right where a = b
    return float((a * A / (b * B)) ** (1 / (a + b)) * (flops / 6) ** (a / (a + b)))


def wrong_both_terms_equal(A, B, a, b, flops):
    """makes A / N**a and B / D**b equal instead of their slopes

    Feedback: a and b are missing in front of A and B
    """
    # wrong for: f(400, 400, 0.3, 0.6, 6e20); right where a = b
    return float((A / B) ** (1 / (a + b)) * (flops / 6) ** (b / (a + b)))


def wrong_on_a_grid(A, B, a, b, flops):
    """the best of 50,000 sizes from 1e3 to 1e13: too coarse for a ten-thousandth, and has ends

    Feedback: it is not the N of least loss
    """
    # wrong for: f(1, 1, 0.5, 0.5, 600) gives 1000, right 10; also off by 2.3e-4 between two sizes
    sizes = np.geomspace(1e3, 1e13, 50_000)
    losses = A / sizes**a + B * (6 * sizes / float(flops)) ** b
    return float(sizes[np.argmin(losses)])


def wrong_at_least_one(A, B, a, b, flops):
    """a size below one parameter is raised to one

    Feedback: a size below 1 is raised to 1
    """
    # wrong for: f(1, 1, 0.5, 0.5, 1.5) gives 1.0, right 0.5
    return max(1.0, float(np.exp(_log_best(A, B, a, b, flops))))


def wrong_whole_parameters(A, B, a, b, flops):
    """rounds to whole parameters: off by more than a ten-thousandth for small budgets

    Feedback: a size below 1 is raised to 1
    """
    # wrong for: f(1, 1, 0.5, 0.5, 6 * 2.5) gives 2.0, right 1.5811
    return float(round(float(np.exp(_log_best(A, B, a, b, flops)))))


def wrong_log_of_whole_numbers(A, B, a, b, flops):
    """hands flops to np.log as it comes: a whole number above 2**64 makes it fail

    Feedback: a budget that is a large whole number breaks it
    """
    # wrong for: f(406, 410, 0.34, 0.28, 6 * 10**23) raises TypeError, right 3.28e10
    top = np.log(a * A) - np.log(b * B) + b * (np.log(flops) - np.log(6))
    return float(np.exp(top / (a + b)))


def right_slopes_by_halving(A, B, a, b, flops):
    """halves an interval of ln N by the sign of the slope, with logarithms of both slopes"""
    A, B, a, b = float(A), float(B), float(a), float(b)
    budget = np.log(float(flops)) - np.log(6.0)
    low, high = -745.0, 709.0
    for _ in range(200):
        x = (low + high) / 2
        falls = np.log(a) + np.log(A) - a * x > np.log(b) + np.log(B) - b * (budget - x)
        low, high = (x, high) if falls else (low, x)
    return float(np.exp((low + high) / 2))


def right_two_lines_cross(A, B, a, b, flops):
    """ln N and ln D as two linear equations, solved by torch in float64"""
    given = torch.tensor([float(one) for one in (A, B, a, b, flops)], dtype=torch.float64)
    lA, lB, la, lb, lf = given.log().tolist()
    left = torch.tensor([[float(a), -float(b)], [1.0, 1.0]], dtype=torch.float64)
    right = torch.tensor([la + lA - lb - lB, lf], dtype=torch.float64)
    right[1] -= torch.log(torch.tensor(6.0, dtype=torch.float64))
    return torch.linalg.solve(left, right)[0].exp().item()


# STATEMENT: "the law" has E too, which is not a parameter (said only in the docstring; fine). Sizes
# below 1 and far above 1e13 follow from "numbers above 0" but nobody says so; whole numbers above
# 2**63 for flops (10**24) break np.log and are allowed. No limit on a and b: tiny sums of exponents
# overflow. The formula stands in the lesson: the exercise is one line of copying.
