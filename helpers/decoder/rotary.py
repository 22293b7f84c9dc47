"""Rotary positions: queries and keys are turned by their position, pair of lanes by pair of lanes.

Two turned vectors meet in a dot product, where only the difference of their angles is left. So a
score depends on how far apart two tokens are, and not on where they stand.

Which lanes make a pair is a convention, and there are two: "pairs" takes neighbours (0, 1), (2, 3)
..., "halves" takes lane i and lane i + R/2. Weights made for one give nonsense with the other,
without an error, until their rows are put in the other order. Source: Su et al. 2021.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import torch
from jaxtyping import Complex, Float, Int
from torch import Tensor

from helpers.needs import need_choice, need_int, need_positive

LAYOUTS = ("halves", "pairs")
SCALINGS = ("none", "linear", "llama3", "yarn")


@dataclass(frozen=True, kw_only=True)
class Rotary:
    """How fast each pair of lanes turns, and which lanes are pairs.

    base: pair i of R/2 turns by base ** (-2 i / R) radians a token. width: R, the lanes that are
    turned; all of a head if None, else the first R.
    scaling: how a model is stretched to texts `factor` times longer than its original_context.
    "linear" slows every pair. "llama3" and "yarn" slow those pairs that make fewer than low_turns
    full turns in the original context, leave those with more than high_turns alone, and blend in
    between. magnitude: multiplies turned vectors; for "yarn" 0.1 ln(factor) + 1 if None, else 1.
    """

    base: float = 10_000.0
    width: int | None = None
    layout: Literal["halves", "pairs"] = "halves"
    scaling: Literal["none", "linear", "llama3", "yarn"] = "none"
    factor: float = 1.0
    original_context: int | None = None
    low_turns: float = 1.0
    high_turns: float = 4.0
    magnitude: float | None = None

    def __post_init__(self) -> None:
        for name in ("base", "factor", "low_turns", "high_turns"):
            need_positive(f"rotary {name}", getattr(self, name))
        need_choice("rotary layout", self.layout, LAYOUTS)
        need_choice("rotary scaling", self.scaling, SCALINGS)
        if self.base == 1:
            raise ValueError("rotary base is 1; then all pairs turn alike: give another one")
        if self.width is not None:
            need_int("rotary width", self.width, 2)
            if self.width % 2:
                raise ValueError(f"rotary width is {self.width}; lanes are turned in pairs")
        if self.scaling in ("llama3", "yarn"):
            need_int(f"rotary original_context for {self.scaling!r}", self.original_context, 1)
            if self.low_turns >= self.high_turns:
                raise ValueError(
                    f"rotary low_turns={self.low_turns} is not under high_turns={self.high_turns}"
                )
        if self.scaling == "none" and self.factor != 1:
            raise ValueError(f"rotary factor is {self.factor}, but scaling is 'none'; name one")
        if self.magnitude is not None:
            need_positive("rotary magnitude", self.magnitude)


class Rotation(NamedTuple):
    """The angles of each token, as cosines and sines [B, 1, T, R/2], and which lanes are pairs.

    spin: cos + i sin, for the layout "pairs", where turning is one complex product.
    """

    cos: Float[Tensor, "B 1 T R/2"]
    sin: Float[Tensor, "B 1 T R/2"]
    layout: str
    spin: Complex[Tensor, "B 1 T R/2"] | None = None


def frequencies(rotary: Rotary, head_width: int) -> Float[Tensor, "R/2"]:
    """Radians that each pair of lanes turns a token, fastest first, float32."""
    width = rotary.width or head_width
    exponents = torch.arange(0, width, 2, dtype=torch.float32) / width
    plain = 1 / rotary.base**exponents  # [R/2]
    if rotary.scaling == "none":
        return plain
    if rotary.scaling == "linear":
        return plain / rotary.factor
    kept = _kept_share(rotary, plain, width)  # 1 = as it was, 0 = slowed
    return kept * plain + (1 - kept) * plain / rotary.factor


def _kept_share(rotary: Rotary, plain: Tensor, width: int) -> Float[Tensor, "R/2"]:
    """How much of its own speed each pair keeps, 0 to 1, by its turns in the original context."""
    if rotary.scaling == "llama3":  # the blend is even in the number of turns
        turns = rotary.original_context * plain / (2 * math.pi)
        return ((turns - rotary.low_turns) / (rotary.high_turns - rotary.low_turns)).clamp(0, 1)

    # yarn (Peng et al. 2023): even in the number of the pair, between two whole numbers
    def pair_with(turns: float) -> float:
        ratio = rotary.original_context / (turns * 2 * math.pi)
        return width * math.log(ratio) / (2 * math.log(rotary.base))

    first = max(math.floor(pair_with(rotary.high_turns)), 0)
    last = min(math.ceil(pair_with(rotary.low_turns)), width - 1)
    pairs = torch.arange(width // 2, dtype=torch.float32)
    # where the original context is so short or so long that last comes before first, the number of
    # the pair counts backwards: not meant by the paper, but so do those who run such models
    return 1 - ((pairs - first) / (last - first or 0.001)).clamp(0, 1)


def rotation(
    positions: Int[Tensor, "B T"],
    rotary: Rotary,
    head_width: int,
    *,
    speed: Float[Tensor, "R/2"] | None = None,
) -> Rotation:
    """The angles of tokens at these positions.

    Always in float32: 16-bit numbers cannot tell position 2049 from 2048.
    speed: the `frequencies`, from one who holds them.
    """
    speed = frequencies(rotary, head_width) if speed is None else speed
    angles = positions[:, None, :, None] * speed.to(positions.device)  # [B, 1, T, R/2]
    magnitude = rotary.magnitude
    if magnitude is None:
        magnitude = 0.1 * math.log(max(rotary.factor, 1)) + 1 if rotary.scaling == "yarn" else 1.0
    cos, sin = angles.cos(), angles.sin()
    if magnitude != 1:
        cos, sin = cos * magnitude, sin * magnitude
    spin = torch.complex(cos, sin) if rotary.layout == "pairs" else None
    return Rotation(cos, sin, rotary.layout, spin)


def rotate(x: Float[Tensor, "B H T D"], by: Rotation) -> Float[Tensor, "B H T D"]:
    """Each token's vector turned by its own angles; lanes after the first R stay as they are."""
    width = 2 * by.cos.shape[-1]
    turned = x if width == x.shape[-1] else x[..., :width]
    if by.layout == "halves":
        a, b = turned.chunk(2, dim=-1)  # [B, H, T, R/2] each
        whole = torch.cat([a * by.cos - b * by.sin, b * by.cos + a * by.sin], dim=-1)
    else:  # neighbours are the two parts of a complex number
        exact = turned if x.dtype.itemsize >= 4 else turned.float()
        pairs = exact.reshape(*exact.shape[:-1], -1, 2)  # [B, H, T, R/2, 2]
        pairs = torch.view_as_complex(pairs.contiguous())  # [B, H, T, R/2]
        whole = torch.view_as_real(pairs * by.spin).flatten(-2)
    whole = whole.to(x.dtype)  # angles are float32, so 16-bit vectors came back as float32
    return whole if width == x.shape[-1] else torch.cat([whole, x[..., width:]], dim=-1)


def rotate_in_place(x: Float[Tensor, "B H T D"], by: Rotation) -> None:
    """`rotate`, with the turned vectors written into x, for one that needs no gradients."""
    if by.spin is None or 2 * by.spin.shape[-1] != x.shape[-1] or x.dtype != torch.float32:
        x.copy_(rotate(x, by))
    else:
        pairs = x.view(*x.shape[:-1], -1, 2)  # [B, H, T, R/2, 2]
        torch.view_as_complex(pairs).mul_(by.spin)


def lane_order(
    to: Literal["halves", "pairs"], head_width: int, width: int | None = None
) -> Int[Tensor, "D"]:
    """Which lane of the other layout stands where, so that x[..., order] is in layout `to`.

    width: R, the lanes that are turned; the others stay in place.
    """
    need_choice("to", to, LAYOUTS)
    width = head_width if width is None else width
    if width % 2 or not 0 < width <= head_width:
        raise ValueError(f"width R={width}; give an even number from 2 to head_width={head_width}")
    lanes = torch.arange(head_width)
    turned = lanes[:width].view(2, -1) if to == "pairs" else lanes[:width].view(-1, 2)
    return torch.cat([turned.T.flatten(), lanes[width:]])
