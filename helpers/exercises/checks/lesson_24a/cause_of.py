"""Exercise 24a.7: read the log."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

cause_of = Exercise(
    "24a.7",
    "cause_of",
    title="Read the log",
    minutes=25,
    level="challenge",
    points=5,
    imports=("math",),
    hints=(
        "Some signs prove one cause alone, others belong to three of them. Which do you ask first?",
        "Ask from the top of the table to its end, and stop at the first yes: by then the rows "
        "that share the sign are settled. Only the mean of the last ten losses counts, not one.",
        "last = sum(loss[-10:]) / 10; then, in this order: last < floor; law > last + 2; any "
        "target != planned; a digest twice; loss[0] > 2 ln V; norm[-1] > 3 norm[0]; max(update) > "
        "0.05; max(norm) > 3 norm[0]; max(loss[10:]) > 1.2 loss[0].",
    ),
)

WORDS = (
    "not shifted",
    "shifted twice",
    "padding",
    "one batch",
    "first weights",
    "gradients kept",
    "rate",
    "undivided",
    "data",
    "healthy",
)
LN_V, FLOOR, PLANNED = 2.565, 0.38, 384


class Drawn:
    """A log with one cause, drawn: what a run of that kind writes down."""

    def __init__(self, draw: torch.Generator, cause: str, steps: int = 60):
        self.draw, self.steps = draw, steps
        self.loss = self.falling(LN_V * self.between(0.95, 1.1), self.between(0.48, 0.55))
        self.norm = self.falling(self.between(1.2, 1.5), self.between(0.2, 0.3))
        self.update = self.falling(self.between(0.006, 0.01), 0.002)
        self.targets = [PLANNED] * steps
        self.batch = [f"{1000 + i:x}{self.whole(10, 99)}" for i in range(steps)]
        self.law = self.loss[-1] + self.between(-0.02, 0.05)
        getattr(self, cause.replace(" ", "_"))()

    def between(self, low: float, high: float) -> float:
        """Return a drawn number."""
        return low + (high - low) * float(torch.rand((), generator=self.draw))

    def whole(self, low: int, high: int) -> int:
        """Return a drawn whole number, both ends included."""
        return int(torch.randint(low, high + 1, (), generator=self.draw))

    def falling(self, start: float, end: float) -> list[float]:
        """Return numbers that fall from start to end, with a little noise."""
        line = [end + (start - end) * 0.85**i for i in range(self.steps)]
        return [line[0], *(x * self.between(0.97, 1.03) for x in line[1:])]

    def healthy(self) -> None:
        """Nothing is wrong; one of the last losses may lie far below the floor."""
        self.loss[-3] = 0.2 * FLOOR
        self.loss[-4] += 0.8 * FLOOR  # the mean of ten stays

    def not_shifted(self) -> None:
        """The answer is in the question; the law is far off, too."""
        self.loss = self.falling(LN_V, self.between(0.01, 0.05))
        self.law = self.between(6, 8)

    def shifted_twice(self) -> None:
        """All healthy, but for the law."""
        self.law = self.between(6, 8)

    def padding(self) -> None:
        """Another count of targets, in all steps or in one."""
        for i in range(self.whole(0, self.steps - 1), self.steps):
            self.targets[i] = PLANNED + self.whole(1, 128)

    def one_batch(self) -> None:
        """One batch for ever, or just one that comes again later."""
        again = self.batch[self.whole(0, 9)]
        first = self.whole(10, self.steps - 1)
        until = self.steps if self.whole(0, 1) else first + 1
        self.batch[first:until] = [again] * (until - first)

    def first_weights(self) -> None:
        """A large first loss and norm, and then all is well."""
        self.loss = self.falling(LN_V * self.between(2.7, 4), self.between(0.5, 0.6))
        self.norm = self.falling(self.between(8, 14), 0.8)
        self.update = [x / 10 for x in self.update]

    def gradients_kept(self) -> None:
        """The norm grows and stays; the loss may look well."""
        self.norm = [self.norm[0] * (1 + 28 * (1 - 0.9**i)) for i in range(self.steps)]
        self.update = [0.012] * self.steps
        self.loss[30:34] = [self.loss[0] * 1.6] * 4

    def rate(self) -> None:
        """Large updates; loss and norm jump for a while."""
        self.update = [x * 15 for x in self.update]
        self.update[5:20] = [self.between(0.1, 0.17) for _ in range(15)]
        self.loss[8:25] = [self.loss[0] * self.between(1.5, 2) for _ in range(17)]
        self.norm[8:20] = [self.norm[0] * self.between(5, 12) for _ in range(12)]

    def undivided(self) -> None:
        """Loss and norm jump in one step."""
        at = self.whole(15, self.steps - 15)
        self.loss[at] *= PLANNED
        self.norm[at] = self.norm[0] * self.between(40, 60)

    def data(self) -> None:
        """The loss jumps for some steps, the norm hardly."""
        at = self.whole(15, self.steps - 25)
        self.loss[at : at + 12] = [self.loss[0] * self.between(1.5, 1.8) for _ in range(12)]
        self.norm[at : at + 12] = [self.norm[0] * self.between(1.0, 1.3) for _ in range(12)]

    def table(self) -> dict:
        """Return it as the answer gets it."""
        return {
            "loss": self.loss,
            "norm": self.norm,
            "update": self.update,
            "targets": self.targets,
            "batch": self.batch,
            "ln_v": LN_V,
            "floor": FLOOR,
            "planned": PLANNED,
            "law": self.law,
        }


def ask(call, draw: torch.Generator, cause: str) -> None:
    """Compare the word for some drawn logs of a cause."""
    for steps in (60, 45):
        log = Drawn(draw, cause, steps).table()
        seen = f"for a log of {steps} steps"
        found = expect.text(call(log), seen)
        if found not in WORDS:
            raise Broken("it returned a word that is not in the table", seen)
        if found != cause:
            if (cause, found) == ("shifted twice", "healthy"):
                fault = "it asks the losses only: they look healthy, and the law is far off"
                raise Broken(fault, seen)
            fault = f"a log that shows {cause!r} is taken for {found!r}"
            raise Broken(fault, seen, "a log of one cause is taken for that of another")


@cause_of.property("a log without a sign is healthy")
def healthy(call, draw):
    """Nothing is wrong."""
    ask(call, draw, "healthy")


@cause_of.property("labels: what is below the floor, and what is far from the law")
def labels(call, draw):
    """Not shifted, and shifted twice."""
    ask(call, draw, "not shifted")
    ask(call, draw, "shifted twice")


@cause_of.property("batches: their targets, and whether one comes again")
def batches(call, draw):
    """Padding that counts, and one batch."""
    ask(call, draw, "padding")
    ask(call, draw, "one batch")


@cause_of.property("the first loss gives first weights away")
def first(call, draw):
    """Ten times too large."""
    ask(call, draw, "first weights")


@cause_of.property("three causes of a long gradient")
def long(call, draw):
    """Kept gradients, a rate too high, one step undivided."""
    ask(call, draw, "gradients kept")
    ask(call, draw, "rate")
    ask(call, draw, "undivided")


@cause_of.property("bad data makes the loss jump, and the gradient hardly")
def jump(call, draw):
    """Random words for some steps."""
    ask(call, draw, "data")


def plain_log() -> dict:
    """Return a healthy log in which neighbours differ, so that no step stands for another."""
    steps = 40
    loss = [2.6, 1.3, *[2.4 * 0.9**i for i in range(steps - 12)], *[0.5] * 10]
    loss[10] = 2.4  # as high as in the beginning, nearly
    norm = [1.6, 0.5, *[1.4] * (steps - 2)]
    log = {"loss": loss, "norm": norm, "update": [0.01] * steps, "targets": [PLANNED] * steps}
    log |= {"batch": [f"b{i}" for i in range(steps)], "ln_v": LN_V, "floor": FLOOR}
    return log | {"planned": PLANNED, "law": 0.5}


def with_numbers(log: dict, name: str, numbers: dict[int, float]) -> dict:
    """Return the log with other numbers at some places of a column."""
    column = log[name].copy()
    for place, number in numbers.items():
        column[place] = number
    return log | {name: column}


FAULTS = {
    "floor": "the mean of ten losses is held against the floor",
    "law": "the law may be 2 nats above the last losses",
    "loss": "a limit of the losses is not where the table has it",
    "norm": "a limit of the norm is not where the table has it",
    "update": "a limit of the updates is not where the table has it",
}


def near_the_limits() -> list[tuple[dict, str, str]]:
    """Return logs a few per cent on either side of each limit: log, right word, a key of FAULTS."""
    log, low, high = plain_log(), 0.97 * FLOOR, 1.03 * FLOOR
    below, above = (dict.fromkeys(range(-10, 0), value) for value in (low, high))
    found = [
        (with_numbers(log, "loss", numbers) | {"law": low}, word, "floor")
        for numbers, word in (
            (below, "not shifted"),
            (above, "healthy"),
            (below | {-11: 2.0}, "not shifted"),
            (below | {-10: 0.6}, "healthy"),
        )
    ]
    found += [
        (log | {"law": 0.5 + 1.95}, "healthy", "law"),
        (log | {"law": 0.5 + 2.05}, "shifted twice", "law"),
    ]
    for column, place, number, word in (
        ("loss", 0, 1.95 * LN_V, "healthy"),
        ("loss", 0, 2.05 * LN_V, "first weights"),
        ("loss", 10, 1.17 * 2.6, "healthy"),
        ("loss", 10, 1.23 * 2.6, "data"),
        ("loss", 9, 1.5 * 2.6, "healthy"),
        ("norm", -1, 2.9 * 1.6, "healthy"),
        ("norm", -1, 3.1 * 1.6, "gradients kept"),
        ("norm", 20, 2.9 * 1.6, "healthy"),
        ("norm", 20, 3.1 * 1.6, "undivided"),
        ("update", 20, 0.049, "healthy"),
        ("update", 20, 0.051, "rate"),
    ):
        found.append((with_numbers(log, column, {place: number}), word, column))
    return found


@cause_of.property("each limit is where the table has it")
def limits(call, draw):
    """Numbers some per cent below and above."""
    for log, right, which in near_the_limits():
        found = expect.text(call(log), "for a log near a limit")
        if found != right:
            raise Broken(FAULTS[which], f"near a limit it says {found!r}, right is {right!r}")


@cause_of.property("a count of targets may be lower too")
def fewer_targets(call, draw):
    """Ten targets fewer in one step."""
    log = plain_log()
    found = expect.text(call(with_numbers(log, "targets", {7: log["planned"] - 10})))
    if found != "padding":
        fault = "fewer targets than planned are not seen"
        raise Broken(fault, f"it says {found!r}, right is 'padding'")
