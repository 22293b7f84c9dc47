"""The grid of cache measurements that lesson 11 draws: generation with and without a cache.

    python -m helpers benchmark --again     measure all points anew; stop it and go on at will

Points are gathered in a file beside the record, and take its place only when all are there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from helpers.benchmark.measuring import another_machine, compare, machine, measurement_of, recorded
from helpers.counting import processors
from helpers.counting.operations import generation_work
from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoding.generation import Generation, generate
from helpers.files import ROOT, check_writable, write_whole

FILE = ROOT / "data" / "benchmarks" / "kv_cache.json"

# (batch, length): `length` tokens are made after a prompt of one
GRID = ((1, 9), (8, 9), (512, 9), (8, 64), (512, 64), (1, 512), (8, 512), (64, 256))
WINDOW = 32
SHORT = 50_000  # rows times tokens squared
MOST_REPEATS = 40


def grid_config(length: int, window: int | None = None) -> DecoderConfig:
    """The model that is measured: lesson 05's, with room for the prompt and `length` tokens."""
    return DecoderConfig(vocab_size=12, context=length + 1, window=window)


def cache_sides(
    batch: int, length: int, *, window: bool = False
) -> dict[str, Callable[[], Generation]]:
    """Greedy generation of `length` tokens: "uncached", "growing", "preallocated" (or "window").

    The weights are random: what is said does not matter here, only that all sides say the same.
    A cache is made once and reset for each run, so preallocated room is reserved before the clock
    starts, as a server would do it.
    """
    config = grid_config(length, WINDOW if window else None)
    model = Decoder(config).eval()
    prompt = 3 + torch.arange(batch)[:, None] % 9  # [B, 1]: every word in turn

    def side(kind: str | None) -> Callable[[], Generation]:
        cache = None if kind is None else model.new_cache(batch, kind)

        def run() -> Generation:
            if cache is not None:
                cache.reset()
            return generate(
                model, prompt, max_new_tokens=length, temperature=0, stop_ids=None, cache=cache
            )

        return run

    kinds = ("window",) if window else ("growing", "preallocated")
    return {"uncached": side(None)} | {kind: side(kind) for kind in kinds}


def same_generation(a: Generation, b: Generation) -> bool:
    """Equal to 1e-4 in each row's log-probability, then equal in every token."""
    close = torch.allclose(a.log_probabilities, b.log_probabilities, rtol=0, atol=1e-4)
    return close and torch.equal(a.tokens, b.tokens)


def measure_point(batch: int, length: int, repeats: int) -> dict[str, Any]:
    """One point of the grid as plain data: equality, work and times of every side.

    The two caches lie close together, so they are compared once more, eight times as often. So are
    short runs, which cost little and in which noise weighs more.
    """
    if batch * length**2 < SHORT:
        repeats *= 8
    sides = compare(cache_sides(batch, length), same=same_generation, repeats=repeats)
    caches = cache_sides(batch, length)
    del caches["uncached"]
    sides |= compare(caches, same=same_generation, repeats=min(8 * repeats, MOST_REPEATS))
    if length > WINDOW:  # another model, so it is compared with its own uncached self
        windowed = compare(
            cache_sides(batch, length, window=True), same=same_generation, repeats=repeats
        )
        sides["window"] = windowed["window"]
    config = grid_config(length)
    return {
        "batch": batch,
        "length": length,
        "equal": True,  # compare raises otherwise
        "work": {
            name: asdict(generation_work(config, length, batch=batch, cached=name == "cached"))
            for name in ("uncached", "cached")
        },
        "sides": {name: recorded(measurement) for name, measurement in sides.items()},
    }


def load_grid(file: Path = FILE) -> dict[str, Any]:
    """The recorded grid: {"machine": ..., "points": [...]}, see `measure_point`.

    Raises FileNotFoundError or ValueError with the command that records it.
    """
    remedy = "delete it, and record it with: python -m helpers benchmark --again"
    if not file.exists():
        raise FileNotFoundError(
            f"{file.name} is not in data/benchmarks; record it with: "
            "python -m helpers benchmark --again"
        )
    try:
        recorded = json.loads(file.read_text(encoding="utf-8"))
        dict(recorded["machine"])
        if not isinstance(recorded["points"], list):
            raise TypeError("points is no list")
        for point in recorded["points"]:
            _ = point["batch"], point["length"], measurement_of(point["sides"]["uncached"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{file.name} is damaged ({error!r}); {remedy}") from None
    return recorded


def _write(record: dict[str, Any], file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, json.dumps(record, indent=1) + "\n")


def main(arguments: list[str], file: Path = FILE, grid: Sequence[tuple[int, int]] = GRID) -> int:
    """The command line: measure what is missing, keeping every point as soon as it is there."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers benchmark",
        description="Measure generation with and without a cache, for lesson 11.",
    )
    parser.add_argument("--again", action="store_true", help="also points that are there")
    parser.add_argument("--repeats", type=int, default=5, help="timed calls a side (default 5)")
    options = parser.parse_args(arguments)
    if options.repeats < 1:
        parser.error(f"--repeats is {options.repeats}; give 1 or more")
    processors.limit_torch()
    here = machine()
    unfinished = file.with_suffix(".unfinished.json")
    try:
        record: dict[str, Any] = {"machine": here, "points": []}
        if unfinished.exists():
            record = load_grid(unfinished)
            print(f"going on with {unfinished.name}; delete it to begin anew")
        elif file.exists() and not options.again:
            record = load_grid(file)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    done = {(point["batch"], point["length"]) for point in record["points"]}
    missing = [point for point in grid if point not in done]
    if not missing:
        print(f"all {len(grid)} points are there; --again measures them anew")
        return 0
    if record["points"] and record["machine"] != here:
        print(another_machine(unfinished), file=sys.stderr)
        return 1
    try:
        check_writable(unfinished)  # not after minutes of measuring
        _measure_all(record, missing, options.repeats, unfinished)
        os.replace(unfinished, file)
    except OSError as error:
        print(
            f"{file.name} could not be written ({error}); {len(record['points'])} of {len(grid)} "
            "points are recorded. Mend that, and the same command goes on",
            file=sys.stderr,
        )
        return 1
    except KeyboardInterrupt:
        print(
            f"\nstopped; {len(record['points'])} of {len(grid)} points are recorded, "
            "the same command goes on",
            file=sys.stderr,
        )
        return 130
    return 0


def _measure_all(record: dict[str, Any], missing: list, repeats: int, file: Path) -> None:
    # what a point takes is guessed from its steps and its exact work, and the guess is corrected
    # by what the points before it took
    guess = {
        (batch, length): length * 1e-3
        + generation_work(grid_config(length), length, batch=batch).total * 1e-10
        for batch, length in missing
    }
    start, guessed = time.perf_counter(), 0.0
    for number, (batch, length) in enumerate(missing, 1):
        print(f"{number} of {len(missing)}: batch {batch}, {length} tokens ...", flush=True)
        point = measure_point(batch, length, repeats)
        _write(record | {"points": [*record["points"], point]}, file)
        record["points"].append(point)  # only now, so that what is said to be recorded is
        guessed += guess.pop((batch, length))
        sides = {name: measurement_of(side) for name, side in point["sides"].items()}
        left = (time.perf_counter() - start) / guessed * sum(guess.values())
        print(
            "    "
            + ", ".join(f"{name} {side.median:.4f} s" for name, side in sides.items())
            + (" (the machine was busy)" if any(side.busy for side in sides.values()) else "")
            + (f"; about {left:.0f} s left" if guess else ""),
            flush=True,
        )
