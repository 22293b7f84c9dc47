import math


def wrong_shared_as_floats(documents, questions, small, large, budget):
    """What is left is divided as floats, which loses digits of large numbers.

    Feedback: a large budget is off by a little: divide whole numbers with //
    """
    # wrong for: f(10**18, 1, 1, 1, 2 * 10**18) gives 1000000000000000000, right 999999999999999999
    left = budget - (documents + questions) * small
    if left < 0:
        return -1
    return min(documents, math.floor(left / (questions * large)))


def wrong_large_is_not_used(documents, questions, small, large, budget):
    """The judge is paid the price of 1 for each pair.

    Feedback: the price of the judge is left out
    """
    # wrong for: f(10, 2, 1, 5, 42) gives 10, right 3
    left = budget - (documents + questions) * small
    return -1 if left < 0 else min(documents, left // questions)


def wrong_minus_one_when_nothing_is_left(documents, questions, small, large, budget):
    """When the vectors take the whole budget, to the last pass, it says that they do not fit.

    Feedback: vectors that just fit are refused: a budget may be spent to the end
    """
    # wrong for: f(10, 2, 1, 1, 12) gives -1, right 0
    left = budget - (documents + questions) * small
    return min(documents, left // (questions * large)) if left > 0 else -1


def wrong_longer_than_the_documents(documents, questions, small, large, budget):
    """A generous budget gives lists longer than there are documents.

    Feedback: the list is longer than there are documents
    """
    # wrong for: f(3, 1, 1, 1, 100) gives 96, right 3
    left = budget - (documents + questions) * small
    return left // (questions * large) if left >= 0 else -1


def wrong_questions_cost_one(documents, questions, small, large, budget):
    """The vectors of the questions cost 1 each, only those of the documents cost small.

    Feedback: the vectors do not fit into the budget, and it still gives a list
    """
    # wrong for: f(10, 5, 3, 1, 50) gives 3, right 1
    left = budget - documents * small - questions
    return -1 if left < 0 else min(documents, left // (questions * large))


def wrong_rounded_to_the_nearest(documents, questions, small, large, budget):
    """The length is rounded to the nearest whole number, not down.

    Feedback: the lists cost more than the budget
    """
    # wrong for: f(10, 4, 1, 1, 21) gives 2, right 1
    left = budget - (documents + questions) * small
    return (
        -1
        if left < 0
        else min(documents, (2 * left + questions * large) // (2 * questions * large))
    )


def right_search_by_halving(documents, questions, small, large, budget):
    """Halves the range from -1 to all documents until the longest list that fits is left; asks only for prices."""

    def fits(places):
        return (documents + questions) * small + places * questions * large <= budget

    low, high = -1, documents
    if not fits(0):
        return low
    low = 0
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low


def right_clamped_floor(documents, questions, small, large, budget):
    """One expression: Python's floor division makes any lack a negative number, which max lifts to -1."""
    return max(-1, min(documents, (budget - small * (documents + questions)) // questions // large))


# STATEMENT: nothing open. (0, when the vectors fit and no place does, follows from "-1 if not even the vectors fit".)
