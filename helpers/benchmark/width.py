"""The runs behind lesson 24b's best rates: python -m helpers width.

Models of three widths learn the language of lesson 25 at seven rates, in two ways: one rate for all
weights, and rates that follow the width (helpers/training/width.py).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from helpers.benchmark.points import Record
from helpers.benchmark.scaling import LENGTH, ROWS, config, excess
from helpers.counting import processors
from helpers.decoder.model import Decoder
from helpers.files import ROOT
from helpers.languages.markov_chain import chain
from helpers.training.adamw import AdamW
from helpers.training.batches import Batch
from helpers.training.loop import train
from helpers.training.schedules import Schedule
from helpers.training.width import start_for_width, width_factors

FILE = ROOT / "data" / "benchmarks" / "width.json"

WIDTHS = (16, 64, 192)
POWERS = tuple(range(-9, -2))  # rates 2^-9 to 2^-3
SEEDS = (0, 1, 2)
WAYS = ("one rate", "by width")
GRID = [(s, way, C, power) for s in SEEDS for way in WAYS for C in WIDTHS for power in POWERS]

BASE, STEPS, WARM = 16, 192, 10


def measure(seed: int, way: str, width: int, power: int) -> dict[str, Any]:
    """Train one model; its loss above the entropy, in nats a token."""
    language, begun = chain(), time.process_time()
    model = Decoder(config(width, language.V), seed=seed)
    factors = None
    if way == "by width":
        factors = width_factors(model, BASE)
        start_for_width(model, BASE)
    text = language.draw(STEPS * ROWS, LENGTH, seed=1000 + seed)
    real = torch.ones(ROWS, LENGTH, dtype=torch.bool)
    train(
        model,
        (Batch(rows, real) for rows in text.split(ROWS)),
        steps=STEPS,
        schedule=Schedule(2.0**power, STEPS, "wsd", warm=WARM, decay=STEPS - WARM),
        optimizer=AdamW(model.parameters(), betas=(0.9, 0.95), factors=factors),
    )
    return {
        "excess": round(excess(model, language), 5),
        "seconds": round(time.process_time() - begun, 2),
    }


def record(file: Path = FILE) -> Record:
    """The runs, by seed, way, width and the rate's power of two."""
    return Record(
        file,
        "width --again",
        ("seed", "way", "width", "power"),
        measure,
        lambda point: float(point["excess"]),
        cost=lambda seed, way, width, power: 100 + width,
        told=lambda point: f"excess {point['excess']:.4f}",
    )


def load_widths(file: Path = FILE) -> list[dict[str, Any]]:
    """The recorded runs. Raises FileNotFoundError or ValueError with the command for them."""
    return record(file).load()["points"]


def main(arguments: list[str], file: Path = FILE, grid: Sequence[tuple] = GRID) -> int:
    """The command line: train what is missing; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers width",
        description="Train models of three widths at seven rates, in two ways; minutes.",
    )
    parser.add_argument("--again", action="store_true", help="also runs that are there")
    options = parser.parse_args(arguments)
    processors.limit_torch()
    return record(file).complete(grid, options.again)
