"""The runs behind the scaling law of lesson 25: small models of many sizes on a known language.

    python -m helpers scaling --again     train all of them anew; stop it and go on at will

A model's loss is told as what it has above the entropy, which is known and needs no luck: the
divergence from the law, summed over all next words, on texts that were not trained on.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from helpers.benchmark.points import Record
from helpers.counting import processors
from helpers.counting.planning import parameters
from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoder.modes import evaluating
from helpers.files import ROOT
from helpers.languages.markov_chain import Chain, chain
from helpers.training.adamw import AdamW
from helpers.training.batches import Batch
from helpers.training.loop import train
from helpers.training.schedules import Schedule

FILE = ROOT / "data" / "benchmarks" / "scaling.json"

WIDTHS = (4, 6, 8, 12, 16, 24, 32)
TOKENS = tuple(2**k for k in (15, 16, 17, 18, 19))
SEEDS = (0, 1, 2)
GRID = [(seed, width, tokens) for seed in SEEDS for width in WIDTHS for tokens in TOKENS]

LENGTH, ROWS = 32, 8  # of a batch
WARM = 0.05  # share of the steps in which the rate rises
HELD_OUT = 256  # rows on which a model is judged


def config(width: int, V: int = 64) -> DecoderConfig:
    """One block without biases, as wide as asked; every head has at most 16 lanes."""
    return DecoderConfig(
        vocab_size=V,
        context=LENGTH,
        width=width,
        heads=max(1, width // 16),
        pad_id=None,
        norm="rms",
        norm_placement="pre",
        final_norm=True,
        positions="rotary",
        qkv_bias=False,
        output_bias=False,
        feed_forward_bias=False,
        head_bias=False,
    )


def schedule(width: int, steps: int) -> Schedule:
    """The learning rate: up in the first twentieth of the steps, then straight down.

    A wider model wants smaller steps: as the root of its width.
    """
    warm = round(WARM * steps)
    return Schedule(0.08 / math.sqrt(width), steps, "wsd", warm=warm, decay=steps - warm)


def train_on(language: Chain, width: int, tokens: int, seed: int) -> Decoder:
    """Train a model on fresh text of so many tokens, each of them seen once."""
    model = Decoder(config(width, language.V), seed=seed)
    steps = tokens // (ROWS * LENGTH)
    text = language.draw(steps * ROWS, LENGTH, seed=1000 + seed)
    real = torch.ones(ROWS, LENGTH, dtype=torch.bool)
    train(
        model,
        (Batch(rows, real) for rows in text.split(ROWS)),
        steps=steps,
        schedule=schedule(width, steps),
        optimizer=AdamW(model.parameters(), betas=(0.9, 0.95)),
    )
    return model


@torch.no_grad()
def excess(model: Decoder, language: Chain) -> float:
    """A model's loss above the entropy, in nats a token, on texts it was not trained on."""
    held_out = language.draw(HELD_OUT, LENGTH, seed=7)
    with evaluating(model):
        lost = language.divergence(model(held_out), held_out)[:, :-1]  # no word after the last
    return float(lost.double().mean())


def measure(seed: int, width: int, tokens: int) -> dict[str, Any]:
    """Train one model; its size, with and without embeddings, and its loss above the entropy."""
    language, begun = chain(), time.process_time()
    model = train_on(language, width, tokens, seed)
    size = parameters(model.config)
    return {
        "N": size.total,
        "N_without_embeddings": size.total - size.embeddings,
        "excess": round(excess(model, language), 6),
        "seconds": round(time.process_time() - begun, 2),
    }


def _check(point: dict[str, Any]) -> None:
    int(point["N"]), int(point["N_without_embeddings"]), float(point["excess"])


def record(file: Path = FILE) -> Record:
    """The runs; a point is what `measure` gives, by seed, width and tokens."""
    return Record(
        file,
        "scaling --again",
        ("seed", "width", "tokens"),
        measure,
        _check,
        cost=lambda seed, width, tokens: tokens * (1 + width / 16),
        told=lambda point: f"N {point['N']:,}, excess {point['excess']:.4f}",
    )


def load_runs(file: Path = FILE) -> list[dict[str, Any]]:
    """The recorded runs. Raises FileNotFoundError or ValueError with the command for them."""
    return record(file).load()["points"]


def main(arguments: list[str], file: Path = FILE, grid: Sequence[tuple] = GRID) -> int:
    """The command line: train what is missing; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m helpers scaling",
        description="Train models of many sizes on a language whose entropy is known; minutes.",
    )
    parser.add_argument("--again", action="store_true", help="also runs that are there")
    options = parser.parse_args(arguments)
    processors.limit_torch()
    return record(file).complete(grid, options.again)
