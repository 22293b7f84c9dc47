"""Measuring time honestly.

The rules: outputs are compared before anything is timed, the first call is reported apart, sides
take turns so that a busy moment meets them all, and each point keeps its single times, how busy the
machine was with other work, and the machine itself. Time never decides whether something is right.
"""

from __future__ import annotations

import ctypes
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import psutil
import torch

from helpers.counting import processors
from helpers.counting.process_memory import peak_memory

T = TypeVar("T")
BUSY = 0.3  # from this share of the processor taken by others on, a time says little


@dataclass(frozen=True)
class Measurement:
    """Seconds of repeated calls.

    first: the very first call, which also sets things up. times: the later ones. load: the share
    of the processor (0 to 1) that was busy with other work just before.
    """

    first: float
    times: tuple[float, ...]
    load: float

    @property
    def median(self) -> float:
        """The middle of the times: one slow call does not move it."""
        return statistics.median(self.times)

    @property
    def spread(self) -> float:
        """Half the distance between the fastest and the slowest, as a share of the median."""
        return (max(self.times) - min(self.times)) / 2 / self.median if self.median else 0.0

    @property
    def busy(self) -> bool:
        """Whether the machine was too busy for these times to say much."""
        return self.load > BUSY


def recorded(measurement: Measurement) -> dict[str, Any]:
    """A measurement as plain data, to a tenth of a microsecond: the rest is noise."""
    times = [round(seconds, 7) for seconds in measurement.times]
    return {"first": round(measurement.first, 7), "times": times, "load": measurement.load}


def measurement_of(recorded: Mapping[str, Any]) -> Measurement:
    """What `recorded` made plain, as a `Measurement` again."""
    return Measurement(recorded["first"], tuple(recorded["times"]), recorded["load"])


class NotEqual(AssertionError):
    """Two sides of a comparison gave different outputs, so their times mean nothing."""


def measure(
    fn: Callable[[], object],
    *,
    warmup: int = 1,
    repeats: int = 5,
    clock: Callable[[], float] = time.perf_counter,
    sync: Callable[[], None] | None = None,
    load: Callable[[], float] | None = None,
) -> Measurement:
    """Time fn() `repeats` times, after a first call that is reported apart.

    warmup: calls before the timed ones, the first of them included; at least 1. sync: waits for
    queued work, such as torch.cuda.synchronize, and is part of the time. clock, load: for tests.
    """
    sides = compare(
        {"": fn}, same=None, warmup=warmup, repeats=repeats, clock=clock, sync=sync, load=load
    )
    return sides[""]


def compare(
    sides: Mapping[str, Callable[[], Any]],
    *,
    same: Callable[[Any, Any], bool] | None,
    warmup: int = 1,
    repeats: int = 5,
    clock: Callable[[], float] = time.perf_counter,
    sync: Callable[[], None] | None = None,
    load: Callable[[], float] | None = None,
) -> dict[str, Measurement]:
    """Time several ways to do one thing, in turns, once their outputs are known to be equal.

    same: given the first side's output and another's, says whether they are equal; None only where
    there is nothing to compare. Raises NotEqual, naming the side, before anything is timed.
    The other arguments are as in `measure`.
    """
    if not sides or warmup < 1 or repeats < 1:
        raise ValueError(
            f"{len(sides)} sides, warmup={warmup}, repeats={repeats}; give 1 or more of each"
        )
    sync = sync or (lambda: None)

    def timed(fn: Callable[[], Any]) -> tuple[float, Any]:
        sync()  # what was queued before is not ours
        start = clock()
        out = fn()
        sync()
        return clock() - start, out

    first, outputs = {}, {}
    for name, fn in sides.items():
        first[name], outputs[name] = timed(fn)
    wanted = next(iter(sides))
    for name, out in outputs.items():
        if same is not None and not same(outputs[wanted], out):
            raise NotEqual(f"{name!r} gave another output than {wanted!r}; nothing was timed")
    del outputs
    busy = (load or others_load)()
    times: dict[str, list[float]] = {name: [] for name in sides}
    for fn in sides.values():
        for _ in range(warmup - 1):
            timed(fn)
    for name in turns(sides, repeats):
        times[name].append(timed(sides[name])[0])
    return {name: Measurement(first[name], tuple(times[name]), busy) for name in sides}


def turns(names: Iterable[str], repeats: int) -> Iterator[str]:
    """Every name once a turn, each turn beginning with the next: a busy moment meets them all."""
    names = list(names)
    for turn in range(repeats):
        start = turn % len(names)
        yield from names[start:] + names[:start]


def memory_rise(fn: Callable[[], T]) -> tuple[T, int | None]:
    """What fn() gives, and how many bytes of memory it took at its most, beyond those before it.

    Resident memory of the whole process, as Linux keeps count of it; None on other systems.
    """
    try:
        ctypes.CDLL(None).malloc_trim(0)  # else memory freed before is taken again, and not seen
        Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
    except (OSError, AttributeError, TypeError):
        return fn(), None
    before = psutil.Process().memory_info().rss
    out = fn()
    return out, max(0, peak_memory() - before)


def others_load(seconds: float = 0.2) -> float:
    """The share of the processor, 0 to 1, that is busy while this process sleeps."""
    return psutil.cpu_percent(interval=seconds) / 100


def machine() -> dict[str, str | int]:
    """What the times depend on: processor, cores, threads, versions."""
    name = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                name = line.split(":", 1)[1].strip()
                break
    except OSError:
        pass  # not Linux
    return {
        "processor": name,
        "cores": processors.available(),
        "threads": torch.get_num_threads(),
        "level": torch.backends.cpu.get_cpu_capability(),
        "system": platform.system(),
        "python": platform.python_version(),
        "torch": torch.__version__,
    }


def another_machine(unfinished: Path) -> str:
    """What to say where a record was begun on a machine that is not this one."""
    return (
        "the points so far were measured on another machine or with other versions or threads; "
        f"delete {unfinished.name} if it is there, and measure all of them here with --again"
    )
