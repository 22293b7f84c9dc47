"""How the learning rate goes over a run: up, on, and down again, as a pure function of the step."""

from __future__ import annotations

import math
from dataclasses import dataclass

from helpers.needs import need_choice, need_int, need_positive

KINDS = ("constant", "cosine", "wsd")


def cosine_rate(step: int, steps: int, start: float) -> float:
    """The learning rate at `step` of `steps`: from `start` down to 0 along half a cosine."""
    return start * 0.5 * (1 + math.cos(math.pi * step / steps))


@dataclass(frozen=True)
class Schedule:
    """The learning rate of each step of a run. Nothing is remembered: a step has its rate.

    peak: the highest rate. steps: how many steps the whole run has. kind: "constant"; "cosine",
    down along half a cosine from the end of the warm-up; "wsd" (warm-up, stable, decay), constant
    until the last `decay` steps, then straight down. warm: steps of a straight warm-up, before all
    of this. low: the rate towards which it falls.

    Step 0 has a rate above 0 and the last step too: no step is lost. Over the whole run the rates
    add up to an exact sum, in peaks and with low 0: constant warm / 2 + n with n = steps - warm,
    cosine warm / 2 + (n + 1) / 2, wsd warm / 2 + n - decay / 2. Raises ValueError on impossible
    numbers. Sources: Loshchilov and Hutter 2017; Hu et al. 2024 (WSD).
    """

    peak: float
    steps: int
    kind: str = "cosine"
    warm: int = 0
    decay: int = 0
    low: float = 0.0

    def __post_init__(self) -> None:
        need_positive("peak", self.peak)
        need_int("steps", self.steps, 1)
        need_choice("kind", self.kind, KINDS)
        need_int("warm", self.warm, 0)
        need_int("decay", self.decay, 0)
        if not 0 <= self.low <= self.peak:
            raise ValueError(f"low is {self.low}; give 0 to the peak, {self.peak}")
        if self.decay and self.kind != "wsd":
            raise ValueError(f"decay is {self.decay}; only kind 'wsd' has one, not {self.kind!r}")
        if self.warm + self.decay > self.steps:
            raise ValueError(
                f"warm {self.warm} and decay {self.decay} are more than steps {self.steps} together"
            )

    def rate(self, step: int) -> float:
        """The rate of a step, counted from 0. Raises ValueError outside the run."""
        if not 0 <= step < self.steps:
            raise ValueError(f"step is {step}; give 0 to {self.steps - 1}, the run's steps")
        if step < self.warm:
            return self.peak * (step + 1) / (self.warm + 1)  # the peak itself comes at step `warm`
        if self.kind == "cosine":
            fall = cosine_rate(step - self.warm, self.steps - self.warm, self.peak - self.low)
            return self.low + fall
        left = self.steps - step  # steps to come, this one too
        if left <= self.decay:
            return self.low + (self.peak - self.low) * left / (self.decay + 1)
        return self.peak
