"""What a run writes down at each step, and what it says of itself while it goes on."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import TextIO

from helpers.needs import need_int


@dataclass(frozen=True)
class Step:
    """One step of a run. step: from 1. loss: nats a counted target, before the step.

    norm: length of the whole gradient before clipping. update: length of the change of all weights
    over the length of the weights. rate: the learning rate. targets: how many counted. padding: the
    share of positions that are padding. batch: the batch's digest. scale: the factor of the loss.
    skipped: whether no weight moved, since the gradient was not finite with that factor.
    """

    step: int
    loss: float
    norm: float
    update: float
    rate: float
    targets: int
    padding: float
    batch: str
    scale: float = 1.0
    skipped: bool = False


class Log:
    """The steps of a run, in order. A column is one of Step's fields for all steps."""

    def __init__(self) -> None:
        self.steps: list[Step] = []

    def __len__(self) -> int:
        return len(self.steps)

    def add(self, step: Step) -> None:
        """Write one more step down. Raises ValueError if it is not the next one."""
        if self.steps and step.step != self.steps[-1].step + 1:
            raise ValueError(f"step {step.step} comes behind step {self.steps[-1].step}")
        self.steps.append(step)

    def column(self, name: str) -> list:
        """One field of all steps. Raises ValueError listing the fields."""
        names = [field.name for field in fields(Step)]
        if name not in names:
            raise ValueError(f"a log has no {name!r}; it has {', '.join(names)}")
        return [getattr(step, name) for step in self.steps]

    def lines(self) -> str:
        """A line of JSON for each step."""
        return "".join(json.dumps(asdict(step)) + "\n" for step in self.steps)

    def state(self) -> list[dict]:
        """All steps as plain data."""
        return [asdict(step) for step in self.steps]

    def load_state(self, state: list[dict]) -> None:
        """Go on behind these steps."""
        self.steps = [Step(**step) for step in state]


def _words(seconds: float) -> str:
    """A time in words, rounded up: 0:07, 12:30, 3:04:00."""
    whole = math.ceil(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    text = f"{minutes}:{whole % 60:02}"
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else text


class Progress:
    """Tells how far a run is and how long it will take: a bar in a terminal, else lines.

    steps: of the whole run. done: steps that an earlier call made. every: seconds between two
    lines. The time left comes from the pace of this call alone. clock: seconds, for tests.
    """

    WIDTH = 24

    def __init__(
        self,
        steps: int,
        *,
        done: int = 0,
        every: float = 5.0,
        to: TextIO | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        need_int("steps", steps, 1)
        self.steps, self.begun, self.every, self.clock = steps, done, every, clock
        self.to = sys.stderr if to is None else to
        self.start = self.told = clock()
        self.bar = self.to.isatty()

    def update(self, step: int, loss: float) -> None:
        """Say that so many steps are done; to be called after each."""
        now, last = self.clock(), step == self.steps
        if not last and now - self.told < (0.1 if self.bar else self.every):
            return
        self.told = now
        pace = (now - self.start) / max(1, step - self.begun)
        text = f"step {step} of {self.steps}, loss {loss:.4f}, "
        text += (
            f"took {_words(now - self.start)}"
            if last
            else (f"{_words(pace * (self.steps - step))} left")
        )
        if not self.bar:
            print(text, file=self.to, flush=True)
            return
        full = self.WIDTH * step // self.steps
        bar = "#" * full + "." * (self.WIDTH - full)
        print(f"\r[{bar}] {text}\x1b[K", end="\n" if last else "", file=self.to, flush=True)
