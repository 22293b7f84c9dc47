"""Norms: each position's vector brought to one size, then stretched by learned weights.

Written out as functions to be read. Inside they count in float32 at least: the mean of squares of
16-bit numbers overflows or loses its small ones.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn

from helpers.needs import need_choice, need_positive

NORMS = ("layer", "rms", "one_plus_rms")


def layer_norm(
    x: Float[Tensor, "... C"],
    weight: Float[Tensor, "C"],
    bias: Float[Tensor, "C"],
    *,
    eps: float = 1e-5,
) -> Float[Tensor, "... C"]:
    """(x - mean) / sqrt(variance + eps) * weight + bias, over the last axis; shape in, shape out.

    torch's nn.LayerNorm gives the same numbers. Source: Ba et al. 2016.
    """
    exact = x.to(torch.promote_types(x.dtype, torch.float32))
    centred = exact - exact.mean(dim=-1, keepdim=True)
    variance = centred.square().mean(dim=-1, keepdim=True)
    if _ordinary(variance, eps):
        return (centred * torch.rsqrt(variance + eps) * weight + bias).to(x.dtype)
    shrink = _shrink(exact)
    exact = exact * shrink
    centred = exact - exact.mean(dim=-1, keepdim=True)
    deviation = centred.square().mean(dim=-1, keepdim=True).sqrt()
    return (centred / torch.hypot(deviation, shrink * eps**0.5) * weight + bias).to(x.dtype)


def rms_norm(
    x: Float[Tensor, "... C"], weight: Float[Tensor, "C"], *, eps: float = 1e-5
) -> Float[Tensor, "... C"]:
    """x / sqrt(mean of squares + eps) * weight, over the last axis; shape in, shape out.

    Nothing is subtracted and nothing added. eps stands inside the root: it matters only where x is
    about as small as sqrt(eps). Source: Zhang & Sennrich 2019.
    """
    exact = x.to(torch.promote_types(x.dtype, torch.float32))
    root_mean_square = torch.linalg.vector_norm(exact, dim=-1, keepdim=True) / x.shape[-1] ** 0.5
    if not _ordinary(root_mean_square, eps):
        shrink = _shrink(exact)
        length = torch.linalg.vector_norm(exact * shrink, dim=-1, keepdim=True)
        root_mean_square = length / x.shape[-1] ** 0.5 / shrink
    # sqrt(a * a + eps) as the long side of a triangle: fewer and faster steps than to write it out
    size = torch.hypot(root_mean_square, torch.full_like(root_mean_square, eps**0.5))
    return (exact / size * weight).to(x.dtype)


def _ordinary(size: Float[Tensor, "... 1"], eps: float) -> bool:
    """Whether sizes that come from squares can be trusted: none overflowed, none vanished.

    Squares that vanish are far below eps, unless eps itself is next to nothing. On a GPU the answer
    would have to be waited for, so there it is no.
    """
    if size.device.type != "cpu" or eps < 1e-30:
        return False
    return math.isfinite(size.detach().sum())


def _shrink(x: Float[Tensor, "... C"]) -> Float[Tensor, "... 1"]:
    """A power of two for each vector: 1, or what brings the squares of its numbers into range."""
    far = math.frexp(torch.finfo(x.dtype).max)[1] * 2 // 5  # 51 in float32, 409 in float64
    largest = x.detach().abs().amax(dim=-1, keepdim=True)
    one = torch.ones_like(largest)
    small = torch.where(largest < 2.0**-far, 4.0**far, one)
    return torch.where(largest > 2.0**far, 4.0**-far, small)


class LayerNorm(nn.LayerNorm):
    """torch's nn.LayerNorm, right also where the squares of its numbers overflow (on a CPU).

    torch's own gives zeros or NaN there. Ordinary numbers come out of its own operator.
    """

    def forward(self, x: Float[Tensor, "... C"]) -> Float[Tensor, "... C"]:
        """Shape in, shape out."""
        out, _, one_by_deviation = torch.native_layer_norm(
            x, self.normalized_shape, self.weight, self.bias, self.eps
        )
        if x.device.type != "cpu" or not one_by_deviation.numel():
            return out
        if one_by_deviation.detach().amin().item() > 0:  # 0 or NaN after an overflow
            return out
        return layer_norm(x, self.weight, self.bias, eps=self.eps)


class RMSNorm(nn.Module):
    """`rms_norm` with a learned weight for each column, 1 at the start.

    one_plus: what is learned is the distance from 1, so it starts at 0, and weight decay pulls
    towards a plain norm.
    """

    def __init__(self, width: int, *, eps: float = 1e-5, one_plus: bool = False) -> None:
        super().__init__()
        self.eps, self.one_plus = eps, one_plus
        self.weight = nn.Parameter(torch.zeros(width) if one_plus else torch.ones(width))

    def forward(self, x: Float[Tensor, "... C"]) -> Float[Tensor, "... C"]:
        """Shape in, shape out."""
        return rms_norm(x, 1 + self.weight if self.one_plus else self.weight, eps=self.eps)


def make_norm(kind: str, width: int, *, eps: float = 1e-5) -> nn.Module:
    """A norm over vectors of this width: "layer", "rms" or "one_plus_rms"."""
    need_choice("norm", kind, NORMS)
    need_positive("norm_eps", eps)
    if kind == "layer":
        return LayerNorm(width, eps=eps)
    return RMSNorm(width, eps=eps, one_plus=kind == "one_plus_rms")
