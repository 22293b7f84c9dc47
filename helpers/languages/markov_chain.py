"""A language in which each word depends on the word before it, with a known entropy.

It is large enough that small models learn it a little at a time, and simple enough that the least
possible loss is a sum: so a law that is fitted to losses can be held against the truth.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

STILL = 1e-14  # the stationary law is found when a round moves no more than this


@dataclass(frozen=True)
class Chain:
    """A law of the next word given the one before.

    law: [V, V] float64, row = the word before, each row sums to 1. stationary: [V], the share of
    each word in a long text.
    """

    law: Float[np.ndarray, "V V"]
    stationary: Float[np.ndarray, "V"]

    @property
    def V(self) -> int:
        """The number of words."""
        return len(self.stationary)

    @property
    def entropy(self) -> float:
        """The least possible loss in nats a word, for a model that knows the word before."""
        return float(-(self.stationary[:, None] * self.law * np.log(self.law)).sum())

    @property
    def word_entropy(self) -> float:
        """The least possible loss in nats a word, for a model that knows no word before."""
        return float(-(self.stationary * np.log(self.stationary)).sum())

    def draw(self, rows: int, length: int, seed: int) -> Int[Tensor, "rows length"]:
        """Draw texts. The first word of each has the stationary law, so no place is special."""
        if rows < 1 or length < 1:
            raise ValueError(f"rows is {rows}, length {length}; give 1 or more of each")
        uniform = np.random.default_rng(seed).random((rows, length))
        edges = self.law.cumsum(axis=1)
        words = np.empty((rows, length), dtype=np.int64)
        words[:, 0] = np.searchsorted(self.stationary.cumsum(), uniform[:, 0])
        words[:, 0] = words[:, 0].clip(max=self.V - 1)
        for place in range(1, length):
            passed = edges[words[:, place - 1]] < uniform[:, place, None]
            words[:, place] = passed.sum(axis=1).clip(max=self.V - 1)
        return torch.from_numpy(words)

    def divergence(
        self, logits: Float[Tensor, "B T V"], words: Int[Tensor, "B T"]
    ) -> Float[Tensor, "B T"]:
        """How much a model loses against the law after each word, in nats: KL(law, model).

        A model's loss is the entropy and this. It is a sum over all next words, so no luck in the
        words that were drawn stands in it.
        """
        law = torch.from_numpy(self.law).to(logits.dtype)[words]  # [B, T, V]
        return (law * (law.log() - logits.log_softmax(dim=-1))).sum(dim=-1)


def chain(V: int = 64, *, spread: float = 1.5, decay: float = 0.7, seed: int = 0) -> Chain:
    """Make a chain whose finer regularities are ever weaker, as those of a natural text are.

    The logit of a word is -ln(rank), so that words alone have Zipf's law, and `spread` times the
    entry of a table [V, V] of variance 1. The table's singular values fall as i ** -decay: a model
    of small width can hold the strong ones only.
    """
    if V < 2:
        raise ValueError(f"V is {V}; give 2 words or more")
    if not all(math.isfinite(x) and x >= 0 for x in (spread, decay)):
        raise ValueError(f"spread is {spread}, decay {decay}; give finite numbers from 0 on")
    draws = np.random.default_rng(seed)
    left, right = (np.linalg.qr(draws.standard_normal((V, V)))[0] for _ in range(2))
    table = (left * np.arange(1, V + 1) ** -decay) @ right.T
    logits = -np.log(np.arange(1, V + 1)) + spread * table / table.std()
    law = np.exp(logits - logits.max(axis=1, keepdims=True))
    law /= law.sum(axis=1, keepdims=True)
    return Chain(law, stationary_law(law))


def stationary_law(law: Float[np.ndarray, "V V"]) -> Float[np.ndarray, "V"]:
    """Return the law of words that one step of the chain does not change, [V].

    Raises: ValueError where rounds do not settle.
    """
    now = np.full(len(law), 1 / len(law))
    for _ in range(10_000):
        after = now @ law
        moved, now = np.abs(after - now).sum(), after
        if moved < STILL:
            return now
    raise ValueError("no law of words was found that a step leaves as it is")
