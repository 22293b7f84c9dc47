"""Exercise 25.7: cheap to train, or cheap to use."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_25.shared import whole
from helpers.exercises.exercise import Exercise

cheapest = Exercise(
    "25.7",
    "cheapest",
    title="Cheap to train, or cheap to use",
    minutes=10,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "Several models reach the same loss. Training one costs six operations a parameter and "
        "token. What does it cost to read or write a token with it afterwards?",
        "Nothing served: the cheapest to train wins. Served without end: the smallest wins. Where "
        "two cost the same, the smaller is the better one to have.",
        "min(range(len(models)), key=lambda i: (6*N*D + 2*N*served, N)) with N, D = models[i].",
    ),
)


def pick(models, served, train=6, use=2) -> int:
    """Return the place of the cheapest; of equal ones the smaller, then the first."""
    costs = [(train * N * D + use * N * served, N, i) for i, (N, D) in enumerate(models)]
    return min(costs)[2]


def slips(models, served) -> list[tuple[int, str]]:
    """Return what known slips give, each with its name."""
    everything = range(len(models))
    total = [6 * N * D + 2 * N * served for N, D in models]
    return [
        (
            min(everything, key=lambda i: (total[i], -models[i][0])),
            "of two that cost the same it takes the larger",
        ),
        (min(everything, key=lambda i: total[i]), "of two that cost the same it takes the first"),
        (pick(models, 0), "use costs nothing here: two operations a parameter and token"),
        (pick(models, served, use=6), "a token in use is priced like one in training"),
        (pick(models, served, use=1), "a product and a sum are two operations, in use as well"),
        (min(everything, key=lambda i: models[i][0]), "the smallest is not always the cheapest"),
        (min(everything, key=lambda i: models[i][1]), "the fewest tokens are not the least cost"),
        (max(everything, key=lambda i: total[i]), "it takes the dearest"),
    ]


def try_models(call, models, served, name_faults: bool = True) -> None:
    """Compare for a list of [N, D] and the tokens served.

    name_faults: not for drawn models, of which one may be the choice of several faults.
    """
    seen = f"for {models}, served = {served}" if len(models) < 5 else f"for {len(models)} models"
    got = expect.whole(call(models, served), seen)
    expect.equal(
        got,
        pick(models, served),
        seen,
        "it is not the cheapest",
        known=slips(models, served) if name_faults else (),
    )


# every known slip names another of these for 51 tokens served
APART = [
    *([52, 94], [32, 154], [154, 38], [156, 36], [155, 25], [166, 31], [11, 453]),
    *([13, 363], [58, 83], [149, 26], [49, 99], [42, 99], [18, 257], [63, 63]),
]


@cheapest.property("where nothing is served, the cheapest to train wins")
def nothing_served(call, draw):
    """served = 0, one model, and a tie."""
    try_models(call, [[5, 9]], 0)
    try_models(call, [[7, 9], [10, 8], [3, 40], [9, 30]], 0)
    try_models(call, [[5, 12], [20, 3], [30, 9]], 0)
    try_models(call, [[12, 5], [5, 12], [20, 3], [2, 50]], 0)


@cheapest.property("the more is served, the smaller the best model")
def served_more(call, draw):
    """The two prices change places at exactly so many tokens; at that number the smaller wins."""
    try_models(call, APART, 51)
    # all three cost the same, N * (6 D + 2 served) = 2400, where 30 tokens are served
    for served in (0, 29, 30, 31, 10**6):
        try_models(call, [[10, 30], [20, 10], [8, 40]], served)
        try_models(call, [[8, 40], [10, 30], [20, 10]], served)
    try_models(call, [[4, 100], [9, 20], [30, 5]], 7)


@cheapest.property("it finds the cheapest of many, to the last operation")
def any_models(call, draw):
    """Drawn lists; also of billions, where one operation decides."""
    for large in (1, 10**3, 10**9):
        count = whole(draw, 6, 12)
        sizes = torch.randint(2, 60, (count, 2), generator=draw).tolist()
        models = [[N * large, D * large] for N, D in sizes]
        try_models(call, models, whole(draw, 0, 200) * large, name_faults=False)
    big = 10**12
    try_models(call, [[big, big + 1], [big, big]], whole(draw, 1, 9), name_faults=False)
    try_models(call, [[3 * big, 10], [big, 30], [big + 1, 29]], 0, name_faults=False)


@cheapest.property("costs are exact, however large")
def huge(call, draw):
    """One operation in 1e27; costs beyond 1e30."""
    for models, fault in (
        ([[10**9, 10**17 + 1], [10**9, 10**17]], "costs are rounded: keep to whole numbers"),
        ([[10**13, 10**18], [10**13, 10**17]], "a cost above some bound never wins"),
    ):
        expect.equal(expect.whole(call(models, 0)), 1, f"for {models}:", fault)
