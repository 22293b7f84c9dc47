"""Exercise 13.3: a judge you can afford."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_13.shared import diagnose
from helpers.exercises.exercise import Broken, Exercise

largest_shortlist = Exercise(
    "13.3",
    "largest_shortlist",
    title="A judge you can afford",
    minutes=8,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "Two bills: the vectors, whose price does not depend on the list, and the judge. Which of "
        "them must be paid first?",
        "What is left after the vectors, divided by what one more place on every list costs. A "
        "list is as long as a whole number says, and never longer than there are documents.",
        "left = budget - (documents + questions) * small. If left is below 0, return -1. Else the "
        "smaller of documents and left // (questions * large).",
    ),
)


BILLS = (  # documents, questions, small, large
    (10, 3, 1, 2),
    (1000, 7, 2, 5),
    (4, 9, 3, 1),
    (1, 1, 1, 1),
)


def bills(draw) -> list[tuple[int, ...]]:
    """Return the fixed bills and two that are drawn."""
    drawn = [torch.randint(1, 40, (4,), generator=draw).tolist() for _ in range(2)]
    return [*BILLS, *(tuple(bill) for bill in drawn)]


def priced(documents, questions, small, large, length=0):
    """Return what vectors and judge cost for lists of this length."""
    return (documents + questions) * small + questions * large * length


def longest(call, bill, budget) -> tuple[int, str]:
    """Return the answer's length, and for which input."""
    given = "for documents, questions, small, large, budget = " + ", ".join(map(str, bill))
    given += f", {budget}:"
    return expect.whole(call(*bill, budget), given), given


def shortlist_faults(bill, budget) -> list[tuple[int, str]]:
    """Return what known faults give instead, for a budget that pays for the vectors."""
    documents, questions, small, large = bill
    left = budget - priced(*bill)
    slips = (
        (left, large, "the judge is paid for one question only: every question has its list"),
        (left, questions, "the price of the judge is left out"),
        (budget, questions * large, "the price of the vectors is left out"),
        (
            left + questions * small,
            questions * large,
            "the questions become vectors too, and these are not paid",
        ),
        (
            left + documents * small,
            questions * large,
            "the documents become vectors, and these are not paid",
        ),
        (
            left,
            documents * large,
            "one more place on every list costs a pair for each question, not for each document",
        ),
    )
    return [(min(documents, money // price), sentence) for money, price, sentence in slips]


@largest_shortlist.property("the vectors are paid first: -1 if they do not fit, 0 if just they do")
def vectors_first(call, draw):
    """Budgets around the price of the vectors."""
    for bill in bills(draw):
        vectors = priced(*bill)
        for budget, right in ((vectors, 0), (vectors - 1, -1), (0, -1)):
            got, given = longest(call, bill, budget)
            if right == -1 and got < -1:
                fault = "it returns a number below -1 where the vectors do not fit"
                raise Broken(fault, f"{given} it gives {got}")
            if right == -1 and got != -1:
                fault = "the vectors do not fit into the budget, and it still gives a list"
                raise Broken(fault, f"{given} it gives {got}")
            fault = "the budget pays for the vectors alone, and it does not return 0"
            known = ((-1, "vectors that just fit are refused: a budget may be spent to the end"),)
            expect.equal(got, right, given, fault, known)


@largest_shortlist.property("the lists fit, and with one more place on each they would not")
def tight(call, draw):
    """Just enough for r, one less, and one more."""
    cases = []
    for bill in bills(draw):
        documents = bill[0]
        price = bill[1] * bill[3]  # of one more place on every list
        for r in {1, documents // 2, documents - 1} - {0, documents}:
            enough = priced(*bill, r)
            longer = r + (price == 1)
            for budget, right in ((enough, r), (enough - 1, r - 1), (enough + 1, longer)):
                got, given = longest(call, bill, budget)
                cases.append((got, right, given, shortlist_faults(bill, budget)))
    wrong = [got > right for got, right, _, _ in cases if got != right]
    fault = "the budget would pay for a longer list"
    if wrong and wrong[0]:
        fault = "the lists cost more than the budget"
    diagnose(cases, fault)


@largest_shortlist.property("a list holds at most all documents")
def capped(call, draw):
    """Budgets beyond all needs."""
    for bill in bills(draw):
        for budget in (priced(*bill, bill[0]), priced(*bill, 3 * bill[0]), 10**9):
            got, given = longest(call, bill, budget)
            fault = "with money for all documents the list does not hold all of them"
            if got > bill[0]:
                fault = "the list is longer than there are documents"
            expect.equal(got, bill[0], given, fault)


@largest_shortlist.property("a larger budget never shortens the list")
def monotone(call, draw):
    """All budgets in a row."""
    bill = (3, 2, 2, 3)
    before = -1
    for budget in range(0, 34):
        got, given = longest(call, bill, budget)
        if got < before:
            raise Broken(
                "one more in the budget made the list shorter",
                f"{given} it gives {got}, with one less {before}",
            )
        before = got


@largest_shortlist.property("large budgets are spent to the last unit")
def exact(call, draw):
    """Numbers that a float does not hold."""
    for bill, budget, right in (
        ((10**18, 1, 1, 1), 2 * 10**18, 10**18 - 1),
        ((10**17, 3, 1, 1), 4 * 10**17 + 2, 10**17 - 1),
    ):
        got, given = longest(call, bill, budget)
        fault = "a large budget is off by a little: divide whole numbers with //"
        expect.equal(got, right, given, fault)
