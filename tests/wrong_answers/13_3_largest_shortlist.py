"""Wrong answers to 13.3. A docstring holds the words that only this fault's feedback contains."""


def _list(left, documents, price):
    return -1 if left < 0 else min(documents, left // price)


def one_question(documents, questions, small, large, budget):
    """the judge is paid for one question only"""
    return _list(budget - (documents + questions) * small, documents, large)


def free_judge(documents, questions, small, large, budget):
    """the price of the judge is left out"""
    return _list(budget - (documents + questions) * small, documents, questions)


def free_questions(documents, questions, small, large, budget):
    """the questions become vectors too"""
    return _list(budget - documents * small, documents, questions * large)


def free_vectors(documents, questions, small, large, budget):
    """the price of the vectors is left out"""
    if budget < (documents + questions) * small:
        return -1
    return _list(budget, documents, questions * large)


def longer_than_all(documents, questions, small, large, budget):
    """longer than there are documents"""
    left = budget - (documents + questions) * small
    return -1 if left < 0 else left // (questions * large)


def rounds_up(documents, questions, small, large, budget):
    """the lists cost more than the budget"""
    left = budget - (documents + questions) * small
    return -1 if left < 0 else min(documents, -(-left // (questions * large)))


def below_minus_one(documents, questions, small, large, budget):
    """a number below -1"""
    left = budget - (documents + questions) * small
    return min(documents, left // (questions * large))


def must_leave_something(documents, questions, small, large, budget):
    """a budget may be spent to the end"""
    left = budget - (documents + questions) * small
    return -1 if left <= 0 else min(documents, left // (questions * large))


EQUAL = {
    "0  ->  -1": "with -1 left, the division rounds down to -1 by itself",
}
