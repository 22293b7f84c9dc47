"""What a decoder looks like, as one frozen record that refuses impossible values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from helpers.needs import need_choice, need_int


@dataclass(frozen=True, kw_only=True)
class DecoderConfig:
    """What a decoder looks like. Impossible values are refused by name.

    vocab_size: V. context: the most tokens it can take, T at most. width: C. heads: H.
    blocks: how many stand on each other (0 = embeddings and head only).
    hidden: width inside the feed-forward; 4 C if None.
    attention: False leaves attention out of every block. causal: False shows every token to every
    other one, which makes it an encoder. window: a token sees itself and window - 1 before it; all
    of the past if None. cross_attention: each block also looks at a second sequence, its memory.
    positions: learned table, fixed sines, or none.
    norm_placement: "post" normalises after adding to the residual stream (2017), "pre" before
    each part. final_norm: one more norm before the head; pre-norm models need it.
    dropout: share of numbers set to zero in training, after the embedding and each part.
    pad_id: the token whose embedding is the zero row; None for no such token.
    """

    vocab_size: int
    context: int
    width: int = 32
    heads: int = 4
    blocks: int = 1
    hidden: int | None = None
    attention: bool = True
    causal: bool = True
    window: int | None = None
    cross_attention: bool = False
    positions: Literal["learned", "sinusoidal", "none"] = "learned"
    norm_placement: Literal["post", "pre"] = "post"
    final_norm: bool = False
    dropout: float = 0.0
    pad_id: int | None = 0

    def __post_init__(self) -> None:
        for name in ("vocab_size", "context", "width", "heads"):
            need_int(name, getattr(self, name), 1)
        need_int("blocks", self.blocks, 0)
        if self.hidden is not None:
            need_int("hidden", self.hidden, 1)
        if self.width % self.heads:
            raise ValueError(
                f"width C={self.width} is not divisible by heads H={self.heads}; "
                "every head needs the same whole number of columns"
            )
        need_choice("positions", self.positions, ("learned", "sinusoidal", "none"))
        if self.positions == "sinusoidal" and self.width % 2:
            raise ValueError(f"width C={self.width} is odd; sinusoidal positions need pairs")
        need_choice("norm_placement", self.norm_placement, ("post", "pre"))
        for name in ("attention", "causal", "cross_attention", "final_norm"):
            need_choice(name, getattr(self, name), (True, False))
        if self.window is not None:
            need_int("window", self.window, 1)
            if not self.causal:
                raise ValueError("window needs causal=True; it is how far a token looks back")
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout is {self.dropout}; give a share of 0 or more, under 1")
        if self.pad_id is not None:
            need_int("pad_id", self.pad_id, 0)
            if self.pad_id >= self.vocab_size:
                raise ValueError(
                    f"pad_id is {self.pad_id}; give 0 to {self.vocab_size - 1} or None"
                )
