"""Recall with any number of objects: a yardstick for texts longer than those of training.

There are four shapes. A longer text names them again and again, each time with the same size, so
that every question keeps its one answer and nothing grows but distances.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Int
from torch import Tensor

from helpers.decoder.model import Decoder
from helpers.decoder.modes import evaluating
from helpers.languages.language import BOS, RECALL_SHAPES, RECALL_WORDS, SIZES
from helpers.needs import need_int

_ID = {word: number for number, word in enumerate(RECALL_WORDS)}
_SIZES = torch.tensor([_ID[size] for size in SIZES])
_SHAPES = torch.tensor([_ID[shape] for shape in RECALL_SHAPES])


class Questions(NamedTuple):
    """Recall texts of one length that end in "the SHAPE is", and the size that comes next."""

    prompts: Int[Tensor, "N T"]
    answers: Int[Tensor, "N"]


def questions(objects: int, count: int = 400, *, seed: int = 0) -> Questions:
    """Draw `count` texts with this many objects and one question each; T = 4 objects + 3.

    No shape comes again before all four have been named.
    """
    need_int("objects", objects, 1)
    need_int("count", count, 1)
    draw = torch.Generator().manual_seed(seed)
    size_of = _SIZES[torch.randint(2, (count, 4), generator=draw)]  # [N, 4]: one for each shape
    rounds = [
        torch.stack([torch.randperm(4, generator=draw) for _ in range(count)])
        for _ in range(-(-objects // 4))  # rounded up
    ]
    named = torch.cat(rounds, dim=1)[:, :objects]  # [N, objects], numbers of shapes
    asked = named.gather(1, torch.randint(objects, (count, 1), generator=draw))  # [N, 1]

    def word(text: str) -> Tensor:
        return torch.full((count, 1), _ID[text])

    columns = [torch.full((count, 1), BOS)]
    for i in range(objects):
        shape = named[:, i : i + 1]
        columns += [word("and")] * (i > 0) + [word("a"), size_of.gather(1, shape), _SHAPES[shape]]
    columns += [word("the"), _SHAPES[asked], word("is")]
    return Questions(torch.cat(columns, dim=1), size_of.gather(1, asked)[:, 0])


@torch.no_grad()
def share_right(model: Decoder, asked: Questions) -> float:
    """How many of the questions a model answers rightly by its likeliest word, 0 to 1."""
    with evaluating(model):
        said = model.next_logits(asked.prompts).argmax(dim=-1)  # [N]
    return float((said == asked.answers).double().mean())


def sizes_only(asked: Questions) -> float:
    """The best share for someone who has counted the sizes and cannot tell whose they are."""
    large = (asked.prompts == _SIZES[0]).sum(dim=1).double()
    small = (asked.prompts == _SIZES[1]).sum(dim=1).double()
    return float((torch.maximum(large, small) / (large + small)).mean())
