"""What several checks of lesson 07 need."""

import functools

import torch

from helpers.languages.language import captions
from helpers.training import pretrained

INFINITY = float("inf")


def whole_number(draw: torch.Generator, least: int, most: int) -> int:
    """Return a whole number from least to most."""
    return int(torch.randint(least, most + 1, (), generator=draw))


LANGUAGE = captions()


PREFIXES = [list(prefix) for prefix in LANGUAGE.prefixes]


CAPTIONS = [list(sentence) for sentence in LANGUAGE.sentences]


@functools.cache
def trained_logits() -> torch.Tensor:
    """Return what the trained model of captions says after every beginning, [N, V]."""
    places = [
        next(
            (i, len(prefix) - 1) for i, text in enumerate(CAPTIONS) if text[: len(prefix)] == prefix
        )
        for prefix in PREFIXES
    ]
    model = pretrained.load("captions")
    with torch.no_grad():
        logits = model(torch.tensor(CAPTIONS))  # [8, T, V]
    return torch.stack([logits[i, t] for i, t in places])
