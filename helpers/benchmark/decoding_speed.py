"""How fast the systems decode: points of batch and prompt, in turns, as rows of the record.

A row holds the single times of its runs; everything else in it is made of them. Ratios are taken
within a turn, where both sides meet about the same other work, and then the median of those.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor

from helpers.benchmark.decoding_quality import prompts
from helpers.benchmark.decoding_systems import FILE_BITS, LIBRARY, LLAMA, OURS, STATIC, Run, System
from helpers.benchmark.measuring import measure, memory_rise, others_load, turns

NEW = 64  # tokens after each prompt
GRID = ((1, 64), (1, 512), (8, 64), (8, 512), (32, 64), (32, 512))  # (batch, prompt tokens)
FEWEST = 2  # runs of a large point
SMALL = 600  # from this many tokens a run on, fewer runs
WARM = 16  # prompt tokens of the run before the timed ones
ARRAY = 2**28  # numbers in float32 that are read to measure memory: 1 GiB, more than any cache

Row = dict[str, Any]


def memory_bandwidth(numbers: int, repeats: int = 9) -> float:
    """Bytes a second at which all threads together read so many numbers, by the median time."""
    array = torch.ones(numbers)
    return array.nbytes / measure(array.sum, repeats=repeats).median


def runs_of(batch: int, length: int, new: int, repeats: int) -> int:
    """How many timed runs a point gets: `repeats`, and fewer where a run takes long."""
    fewer = repeats // (1 + batch * (length + new) // SMALL)
    return max(min(FEWEST, repeats), fewer)


def guessed_seconds(batch: int, length: int, new: int, repeats: int, systems: int) -> float:
    """About what a point takes: its prompt's arithmetic and its steps, on two cores."""
    run = 2e-3 * batch * length + new * (2e-2 + 3e-3 * batch)
    return runs_of(batch, length, new, repeats) * systems * run


def measure_point(
    systems: Sequence[System],
    ids: Int[Tensor, "N"],
    point: tuple[int, int],
    *,
    repeats: int,
    bandwidth: float,
    new: int = NEW,
    told: Callable[[], None] = lambda: None,
) -> list[Row]:
    """A row for each system that takes so many prompts. told: called after every timed run."""
    batch, length = point
    tokens = prompts(ids, batch, length)
    sides = {system.label: system for system in systems if system.takes(batch)}
    for system in sides.values():
        system.decode(tokens[:, :WARM], 2)
    load = others_load()
    runs: dict[str, list[Run]] = {label: [] for label in sides}
    rises: dict[str, list[int | None]] = {label: [] for label in sides}
    for label in turns(sides, runs_of(batch, length, new, repeats)):
        run, rise = memory_rise(partial(sides[label].decode, tokens, new))
        if run.tokens.shape != (batch, new):
            raise RuntimeError(f"{label} gave {list(run.tokens.shape)} tokens, not {[batch, new]}")
        runs[label].append(run)
        rises[label].append(rise)
        told()
    wanted = runs[f"{LIBRARY} float32"][0].tokens
    return [
        {
            "system": system.name,
            "precision": system.precision,
            "batch": batch,
            "prompt_tokens": length,
            "new_tokens": new,
            **speed_of(system, runs[label], point, bandwidth),
            "peak_bytes": _peak(system, rises[label]),
            "equal_rows": int((runs[label][0].tokens == wanted).all(dim=1).sum()),
            "load": load,
        }
        for label, system in sides.items()
    ]


def speed_of(
    system: System, runs: Sequence[Run], point: tuple[int, int], bandwidth: float
) -> dict[str, Any]:
    """What the times of runs say.

    tokens_per_second: the new tokens after the first, of all rows. seconds: all in.
    fraction_of_bandwidth: the bytes that a step must read, weights and the filled part of the
    cache, over its time and over `bandwidth`. spread: of the whole times, as in `Measurement`.
    """
    batch, length = point
    new = runs[0].tokens.shape[1]
    times = {part: [round(getattr(run, part), 7) for run in runs] for part in ("first", "seconds")}
    decode = statistics.median(seconds_of(times, "decode"))
    whole = statistics.median(times["seconds"])
    step_bytes = system.read + batch * system.entry * (length + new / 2)
    return {
        "tokens_per_second": round(batch * (new - 1) / decode, 3),
        "seconds_to_first_token": round(statistics.median(times["first"]), 7),
        "seconds": round(whole, 7),
        "fraction_of_bandwidth": round(step_bytes * (new - 1) / decode / bandwidth, 4),
        "spread": round((max(times["seconds"]) - min(times["seconds"])) / 2 / whole, 4),
        "times": times,
    }


def _peak(system: System, rises: Sequence[int | None]) -> int | None:
    """Bytes held before, counted, and the largest rise during a run, measured."""
    return None if None in rises else system.held + max(rises)


# ---- ratios --------------------------------------------------------------------------------------


def seconds_of(times: Mapping[str, list[float]], part: str) -> list[float]:
    """Single times "all in", of "prefill" (until the first token), or of "decode" (the rest)."""
    first, seconds = times["first"], times["seconds"]
    if part == "decode":
        return [b - a for a, b in zip(first, seconds, strict=True)]
    return seconds if part == "all in" else first


def ratio(slow: Row, fast: Row, part: str) -> float:
    """How many times faster one row is than another in a part: the median over the turns."""
    pairs = zip(seconds_of(slow["times"], part), seconds_of(fast["times"], part), strict=True)
    return round(statistics.median(a / b for a, b in pairs), 3)


def ratios(rows: Sequence[Row]) -> dict[str, float]:
    """The comparisons by name, those whose rows are there: how many times faster ours is.

    The library stands with the cache that is faster in that part.
    """
    found: dict[str, float] = {}

    def compare(part: str, point: tuple[int, int], slow: str, theirs: str, ours: str) -> None:
        here = [row for row in rows if (row["batch"], row["prompt_tokens"]) == point]
        names = {LIBRARY: (LIBRARY, STATIC)}.get(slow, (slow,))
        others = [r for r in here if r["system"] in names and r["precision"] == theirs]
        mine = [r for r in here if (r["system"], r["precision"]) == (OURS, ours)]
        if others and mine:
            best = min(others, key=lambda row: statistics.median(seconds_of(row["times"], part)))
            batch, length = point
            name = f"{part}, batch {batch}, prompt {length}: {slow} {theirs} / ours {ours}"
            found[name] = ratio(best, mine[0], part)

    precisions = dict.fromkeys(row["precision"] for row in rows if row["system"] == OURS)
    for precision in precisions:
        compare("all in", (1, 64), LIBRARY, "float32", precision)
    for part in ("decode", "all in"):
        compare(part, (1, 64), LLAMA, FILE_BITS, "int4")
    for part in ("decode", "all in"):
        for precision in ("float32", "bfloat16"):
            compare(part, (32, 64), LIBRARY, precision, precision)
    for precision in ("float32", "bfloat16"):
        compare("prefill", (1, 512), LIBRARY, precision, precision)
    return found
