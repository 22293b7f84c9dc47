"""What several checks of lesson 04 need."""

from collections.abc import Sequence

import torch

from helpers.exercises.exercise import Broken


def first_wrong(got: torch.Tensor, right: torch.Tensor) -> list[int] | None:
    """Return the place of the first entry in which two masks differ, or None."""
    places = (got != right).nonzero().tolist()
    return places[0] if places else None


def name_of(dtype: torch.dtype) -> str:
    """Return float16 for torch.float16."""
    return str(dtype).removeprefix("torch.")


def name_mask(got: torch.Tensor, known: Sequence[tuple[torch.Tensor, str]], seen: str) -> None:
    """Raise Broken with the sentence of the first mask that is the same."""
    for mask, sentence in known:
        if torch.equal(got, mask.expand_as(got)):
            raise Broken(sentence, seen)
