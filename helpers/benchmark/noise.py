"""The runs behind lesson 24b's batch sizes: python -m helpers noise.

A language of 96 sentences, so the full gradient is known, and with it the gradient noise scale
exactly. Beside it its estimate from batches, and how many steps each batch size takes to one loss.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from helpers.benchmark.points import Record
from helpers.counting import processors
from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.files import ROOT
from helpers.languages.language import Language, recall
from helpers.training.batches import Batch
from helpers.training.gradient_noise import estimated_noise_scale, noise_scale, row_gradients
from helpers.training.loop import cross_entropy, train

FILE = ROOT / "data" / "benchmarks" / "noise.json"

AT = (0, 20, 100, 400)  # steps after which the noise is looked at
SIZES = (2, 8, 32, 128)  # batches that race to one loss
SEEDS = (0, 1, 2)
GRID = [(seed, "noise", step) for seed in SEEDS for step in AT]
GRID += [(seed, "race", size) for seed in SEEDS for size in SIZES]

RATE, BATCH = 0.003, 32
FEW, MANY, DRAWS = 4, 32, 200  # batches for the estimate
GOAL, EVERY, MOST = 0.47, 10, 1500  # the loss of the race, looked at so often, and given up


def model_for(language: Language, seed: int) -> Decoder:
    """A fresh model."""
    return Decoder(
        DecoderConfig(
            vocab_size=language.vocab_size,
            context=language.longest,
            blocks=2,
            norm_placement="pre",
            final_norm=True,
        ),
        seed=seed,
    )


def drawn(language: Language, size: int, seed: int) -> Iterator[Batch]:
    """Batches of sentences drawn one by one, as the theory has it: also one twice."""
    everything = Batch.of(language.sentences)
    generator = torch.Generator().manual_seed(seed)
    while True:
        chosen = torch.randint(len(language.sentences), (size,), generator=generator)
        yield Batch(everything.tokens[chosen], everything.token_mask[chosen])


class _Reached(Exception):
    pass


def race(seed: int, size: int) -> int:
    """Steps until the loss under the language's law is at most GOAL; MOST if it is not.

    The rate falls as the root of the size below BATCH, and does not rise above it.
    """
    language = recall(2)
    model = model_for(language, seed)

    def look(step: int, loss: float) -> None:
        if step % EVERY == 0 and cross_entropy(model, language) < GOAL:
            raise _Reached(step)

    rate = RATE * min(1.0, math.sqrt(size / BATCH))
    try:
        train(
            model,
            drawn(language, size, seed),
            steps=MOST,
            rate=rate,
            schedule="constant",
            after_step=look,
        )
    except _Reached as reached:
        return reached.args[0]
    return MOST


def noise(seed: int, step: int) -> dict[str, float]:
    """The noise scale after so many steps, exactly and as batches tell it, in sentences."""
    language = recall(2)
    model = model_for(language, seed)
    if step:
        batches = drawn(language, BATCH, seed)
        train(model, batches, steps=step, rate=RATE, schedule="constant")
    gradients = row_gradients(model, language.sentences)
    generator = torch.Generator().manual_seed(9)
    lengths = {FEW: 0.0, MANY: 0.0}
    for _ in range(DRAWS):
        chosen = torch.randint(len(gradients), (MANY,), generator=generator)
        for size in lengths:
            mean = gradients[chosen[:size]].mean(dim=0)
            lengths[size] += float(mean.square().sum()) / DRAWS
    guess = estimated_noise_scale(lengths[FEW], lengths[MANY], FEW, MANY)
    return {
        "loss": round(cross_entropy(model, language), 4),
        "noise": round(noise_scale(gradients), 2),
        "estimate": round(guess, 2) if math.isfinite(guess) else -1.0,
    }


def measure(seed: int, kind: str, at: int) -> dict[str, Any]:
    """One point: the noise after `at` steps, or the steps that a batch of `at` takes."""
    begun = time.process_time()
    found = noise(seed, at) if kind == "noise" else {"steps": race(seed, at)}
    return {**found, "seconds": round(time.process_time() - begun, 2)}


def _check(point: dict[str, Any]) -> None:
    for name in ("loss", "noise", "estimate") if point["kind"] == "noise" else ("steps",):
        float(point[name])


def _told(point: dict[str, Any]) -> str:
    if point["kind"] == "race":
        return f"{point['steps']} steps to a loss of {GOAL}"
    return f"noise scale {point['noise']} sentences, from batches {point['estimate']}"


def record(file: Path = FILE) -> Record:
    """The points, by seed, kind ("noise" or "race") and step or batch size."""
    return Record(
        file,
        "noise --again",
        ("seed", "kind", "at"),
        measure,
        _check,
        cost=lambda seed, kind, at: 100 + at if kind == "noise" else 400 + 2000 / at,
        told=_told,
    )


def load_noise(file: Path = FILE) -> list[dict[str, Any]]:
    """The recorded points. Raises FileNotFoundError or ValueError with the command for them."""
    return record(file).load()["points"]


def main(arguments: list[str], file: Path = FILE, grid: Sequence[tuple] = GRID) -> int:
    """The command line: measure what is missing; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers noise",
        description="Measure gradient noise on a language of 96 sentences; a minute or two.",
    )
    parser.add_argument("--again", action="store_true", help="also points that are there")
    options = parser.parse_args(arguments)
    processors.limit_torch()
    return record(file).complete(grid, options.again)
