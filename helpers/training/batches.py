"""Batches of rows, in an order that can be stopped and gone on with."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Int
from torch import Tensor

from helpers.languages.tokens import pad_rows
from helpers.needs import need_int


@dataclass(frozen=True)
class Batch:
    """Rows of tokens [B, T] with their token mask [B, T], True = real token."""

    tokens: Int[Tensor, "B T"]
    token_mask: Bool[Tensor, "B T"]

    @staticmethod
    def of(rows: Sequence[Sequence[int]], length: int | None = None) -> Batch:
        """Rows of unequal length, padded on the right."""
        return Batch(*pad_rows(rows, length))

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """What a model is called with."""
        return self.tokens, self.token_mask


def digest(*batches: Batch) -> str:
    """Twelve hexadecimal digits of the SHA-256 of all that a model is given: equal batches, equal
    digits. So a log shows a batch that comes again, and an error names the one it was."""
    seen = hashlib.sha256()
    for batch in batches:
        for tensor in batch.inputs:
            seen.update(f"{tensor.dtype}{list(tensor.shape)}".encode())
            seen.update(tensor.detach().cpu().contiguous().numpy().tobytes())
    return seen.hexdigest()[:12]


class ShuffledBatches(Iterator[Batch]):
    """What shuffled_batches gives. `state` is its place: another one goes on from there."""

    def __init__(self, rows: Sequence[Sequence[int]], batch_size: int, seed: int) -> None:
        if not 1 <= batch_size <= len(rows):
            raise ValueError(
                f"batch_size is {batch_size}; give 1 to {len(rows)}, the number of rows"
            )
        self.everything = Batch.of(rows)
        self.batch_size = batch_size
        self.generator = torch.Generator().manual_seed(seed)
        self.order = torch.empty(0, dtype=torch.long)  # of this round; drawn when it begins
        self.place = 0  # rows of this round that were given out

    def __next__(self) -> Batch:
        rows = len(self.everything.tokens)
        if self.place + self.batch_size > len(self.order):
            self.order, self.place = torch.randperm(rows, generator=self.generator), 0
        chosen = self.order[self.place : self.place + self.batch_size]
        self.place += self.batch_size
        return Batch(self.everything.tokens[chosen], self.everything.token_mask[chosen])

    def state(self) -> dict:
        """The generator, this round's order and the place in it. The rows are not in it, but their
        digest is."""
        return {
            "generator": self.generator.get_state(),
            "order": self.order,
            "place": self.place,
            "batch_size": self.batch_size,
            "rows": digest(self.everything),
        }

    def load_state(self, state: dict) -> None:
        """Go on from such a place. Raises ValueError for another size of batches, or other rows."""
        here = self.state()
        for name, what in (("batch_size", "batches of another size"), ("rows", "other rows")):
            if state.get(name) != here[name]:
                raise ValueError(
                    f"the saved place belongs to {what}: {name} was {state.get(name)}, here it is "
                    f"{here[name]}"
                )
        self.generator.set_state(state["generator"])
        self.order, self.place = state["order"].clone(), state["place"]


def shuffled_batches(
    rows: Sequence[Sequence[int]], batch_size: int, *, seed: int
) -> ShuffledBatches:
    """Batches without end: every row once in a new random order, then again.

    The last rows of a round that do not fill a batch are left for the next round's order.
    """
    return ShuffledBatches(rows, batch_size, seed)


class InTurn(Iterator[Batch]):
    """The first `count` batches of one kind, then those of another; its place is both places."""

    def __init__(self, first: ShuffledBatches, count: int, rest: ShuffledBatches) -> None:
        need_int("count", count, 0)
        self.first, self.count, self.rest = first, count, rest
        self.given = 0

    def __next__(self) -> Batch:
        self.given += 1
        return next(self.first if self.given <= self.count else self.rest)

    def state(self) -> dict:
        """How many were given, and the places of both kinds."""
        return {
            "given": self.given,
            "count": self.count,
            "first": self.first.state(),
            "rest": self.rest.state(),
        }

    def load_state(self, state: dict) -> None:
        """Go on from there. Raises ValueError if the first kind had another count."""
        if state.get("count") != self.count:
            raise ValueError(
                f"the saved place has count {state.get('count')}, these batches {self.count}"
            )
        self.first.load_state(state["first"])
        self.rest.load_state(state["rest"])
        self.given = state["given"]
