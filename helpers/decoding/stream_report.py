"""How fast a stream of tokens is: time to the first token, tokens a second, memory.

steps = TimedSteps(stream(model, tokens, cache=model.new_cache(1)))
for step in steps:
    ...
print(steps.report)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from helpers.counting.process_memory import peak_memory
from helpers.decoding.generation import Step


@dataclass(frozen=True)
class StreamReport:
    """What was measured of a stream so far.

    new_tokens: of all rows together, their stop tokens counted and no padding.
    seconds_to_first_token: from when the first step was asked for until it was there, that is
    reading the prompts and choosing one token a row. None before that.
    tokens_per_second: after the first step, of all rows together. None before the second step.
    peak_bytes: the most memory that the process ever held, model and all, as
    `process_memory.peak_memory` counts it; None where the system does not say.
    """

    new_tokens: int
    seconds_to_first_token: float | None
    tokens_per_second: float | None
    peak_bytes: int | None


class TimedSteps(Iterator[Step]):
    """The same steps, measured as they pass.

    Only the time inside a step counts: whoever takes long to look at one does not make the model
    slower. clock: gives seconds.
    """

    def __init__(
        self, steps: Iterable[Step], clock: Callable[[], float] = time.perf_counter
    ) -> None:
        self._steps = iter(steps)
        self._clock = clock
        self._going_on: list[bool] | None = None  # which rows, before the next step
        self._tokens = [0, 0]  # of the first step, and of all later ones
        self._seconds = [0.0, 0.0]

    def __next__(self) -> Step:
        start = self._clock()
        step = next(self._steps)
        seconds = self._clock() - start
        part = 0 if self._going_on is None else 1
        going_on = [True] * len(step.reasons) if self._going_on is None else self._going_on
        self._tokens[part] += sum(going_on)
        self._seconds[part] += seconds
        self._going_on = [reason is None for reason in step.reasons]
        return step

    @property
    def report(self) -> StreamReport:
        """What was measured so far; also of a stream that nobody followed to its end."""
        (first, later), (wait, seconds) = self._tokens, self._seconds
        return StreamReport(
            new_tokens=first + later,
            seconds_to_first_token=wait if first else None,
            tokens_per_second=later / seconds if seconds > 0 else None,
            peak_bytes=peak_memory(),
        )
