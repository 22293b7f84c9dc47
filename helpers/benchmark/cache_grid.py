"""The grid of cache measurements that lesson 11 draws: generation with and without a cache.

    python -m helpers benchmark --again     measure all points anew; stop it and go on at will

Points are gathered in a file beside the record, and take its place only when all are there.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch

from helpers.benchmark.measuring import compare, measurement_of, recorded
from helpers.benchmark.points import Record
from helpers.counting import processors
from helpers.counting.operations import generation_work
from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoding.generation import Generation, generate
from helpers.files import ROOT

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


def _check(point: dict[str, Any]) -> None:
    measurement_of(point["sides"]["uncached"])


def _told(point: dict[str, Any]) -> str:
    sides = {name: measurement_of(side) for name, side in point["sides"].items()}
    busy = " (the machine was busy)" if any(side.busy for side in sides.values()) else ""
    return ", ".join(f"{name} {side.median:.4f} s" for name, side in sides.items()) + busy


def _cost(batch: int, length: int) -> float:
    """Guess the seconds of a point from its steps and its exact work."""
    return length * 1e-3 + generation_work(grid_config(length), length, batch=batch).total * 1e-10


def record(file: Path = FILE, repeats: int = 5) -> Record:
    """The recorded grid; its points are those of `measure_point`."""
    return Record(
        file,
        "benchmark --again",
        ("batch", "length"),
        lambda batch, length: measure_point(batch, length, repeats),
        *(_check, _cost, _told),
    )


def load_grid(file: Path = FILE) -> dict[str, Any]:
    """The recorded grid: {"machine": ..., "points": [...]}, see `measure_point`.

    Raises FileNotFoundError or ValueError with the command that records it.
    """
    return record(file).load()


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
    return record(file, options.repeats).complete(grid, options.again)
