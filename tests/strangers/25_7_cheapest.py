from fractions import Fraction
from functools import reduce
from math import isclose


def wrong_floats(models, served):
    """adds up the costs as floats: two costs that differ in their last digits tie

    Feedback: costs are rounded: keep to whole numbers
    """
    # wrong for: f([[10**9, 10**17 + 1], [10**9 + 0, 10**17]], 0) gives 0, right 1
    costs = [(6.0 * N * D + 2.0 * N * served, N) for N, D in models]
    return costs.index(min(costs))


def wrong_first_of_a_tie(models, served):
    """of models that cost the same the first one wins, whatever its size

    Feedback: of two that cost the same it takes the first
    """
    # wrong for: f([[20, 10], [10, 20]], 0) gives 0, right 1
    costs = [6 * N * D + 2 * N * served for N, D in models]
    return costs.index(min(costs))


def wrong_nearly_the_same(models, served):
    """costs that differ by less than a billionth count as the same

    Feedback: it is not the cheapest
    """
    # wrong for: f([[10**10 + 1, 10**10], [10**10, 10**10 + 2]], 0) gives 1, right 0
    costs = [6 * N * D + 2 * N * served for N, D in models]
    least = min(costs)
    near = [i for i, cost in enumerate(costs) if isclose(cost, least)]
    return min(near, key=lambda i: models[i][0])


def wrong_use_as_dear_as_training(models, served):
    """a token in use costs six operations a parameter, as in training

    Feedback: a token in use is priced like one in training
    """
    # wrong for: f([[7, 100], [9, 50], [3, 900]], 500) gives 2, right 0
    costs = [(6 * N * (D + served), N) for N, D in models]
    return costs.index(min(costs))


def wrong_place_after_sorting(models, served):
    """sorts the models by size and returns the place in the sorted list

    Feedback: the fewest tokens are not the least cost
    """
    # wrong for: f([[20, 10], [10, 10]], 0) gives 0, right 1
    models = sorted(models)
    return min(range(len(models)), key=lambda i: models[i][0] * (3 * models[i][1] + served))


def wrong_start_too_low(models, served):
    """starts with a 'huge' 1e30 as the best cost so far: larger costs never win

    Feedback: a cost above some bound never wins
    """
    # wrong for: f([[10**13, 10**18], [10**13, 10**17]], 0) gives 0, right 1
    best, place = 1e30, 0
    for i, (N, D) in enumerate(models):
        cost = 6 * N * D + 2 * N * served
        if cost < best or (cost == best and N < models[place][0]):
            best, place = cost, i
    return place


def right_knock_out(models, served):
    """each model plays against the winner so far, compared as exact fractions"""

    def better(i, j):
        (n, d), (m, e) = models[i], models[j]
        left, right = (
            Fraction(n) * (d + Fraction(served, 3)),
            Fraction(m) * (e + Fraction(served, 3)),
        )
        return j if right < left or (right == left and m < n) else i

    return reduce(better, range(len(models)))


def right_one_expression(models, served):
    """the least of (cost, size, place), last entry taken"""
    return min((N * (3 * D + served), N, i) for i, (N, D) in enumerate(models))[-1]


# STATEMENT: two models with the same N and the same D: which place? Not defined (first is natural).
# An empty list is not excluded. N = 0 is not excluded: two models [0, 5], [0, 7] tie fully.
# That use costs 2 N a token stands in the lesson's text, not in the exercise.
