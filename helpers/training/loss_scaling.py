"""Loss scaling: gradients too small for 16 bits are made large first, and small again in 32.

A float16 number below 6e-8 is 0, and many gradients are smaller. The loss is multiplied by a large
power of two before the backward pass, so every gradient is, and divided out again in float32. If
the factor is too large some gradient is infinite: that step is left out, and the factor is halved.
Source: Micikevicius et al. 2018, section 3.2.
"""

from __future__ import annotations

import math

from helpers.needs import need_int, need_positive


class LossScaler:
    """The factor of the loss, which finds its own size.

    start: the first factor. grow_after: so many good steps in a row double it. Raises ValueError on
    impossible numbers.
    """

    LEAST = 1.0  # below it, what is infinite is not so because of the factor

    def __init__(self, start: float = 2.0**16, *, grow_after: int = 2000) -> None:
        need_positive("start", start)
        if start < self.LEAST:
            raise ValueError(f"start is {start}; give {self.LEAST} or more")
        need_int("grow_after", grow_after, 1)
        self.start, self.grow_after = start, grow_after
        self.scale, self.good = start, 0

    @property
    def at_least(self) -> bool:
        """Whether the factor is as low as it gets."""
        return self.scale / 2 < self.LEAST

    def accepts(self, norm: float) -> bool:
        """Say whether a step may be made from a gradient of this length, and adapt the factor."""
        if not math.isfinite(norm):
            self.scale, self.good = self.scale if self.at_least else self.scale / 2, 0
            return False
        self.good += 1
        if self.good == self.grow_after:
            self.scale, self.good = 2 * self.scale, 0
        return True

    @property
    def settings(self) -> dict:
        """What must be the same in a run that goes on."""
        return {"start": self.start, "grow_after": self.grow_after}

    def state(self) -> dict:
        """The factor, and how many good steps it has seen."""
        return {"scale": self.scale, "good": self.good}

    def load_state(self, state: dict) -> None:
        """Go on from what `state` gave."""
        self.scale, self.good = state["scale"], state["good"]
