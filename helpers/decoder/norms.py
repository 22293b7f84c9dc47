"""Norms: each position's vector brought to one size, then stretched by learned weights.

Written out as functions to be read. Inside they count in float32 at least: the mean of squares of
16-bit numbers overflows or loses its small ones.
"""

from __future__ import annotations

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
    return (centred * torch.rsqrt(variance + eps) * weight + bias).to(x.dtype)


def rms_norm(
    x: Float[Tensor, "... C"], weight: Float[Tensor, "C"], *, eps: float = 1e-5
) -> Float[Tensor, "... C"]:
    """x / sqrt(mean of squares + eps) * weight, over the last axis; shape in, shape out.

    Nothing is subtracted and nothing added. eps stands inside the root: it matters only where x is
    about as small as sqrt(eps). Source: Zhang & Sennrich 2019.
    """
    exact = x.to(torch.promote_types(x.dtype, torch.float32))
    root_mean_square = torch.linalg.vector_norm(exact, dim=-1, keepdim=True) / x.shape[-1] ** 0.5
    # sqrt(a * a + eps) as the long side of a triangle: fewer and faster steps than to write it out
    size = torch.hypot(root_mean_square, torch.full_like(root_mean_square, eps**0.5))
    return (exact / size * weight).to(x.dtype)


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
        return nn.LayerNorm(width, eps=eps)
    return RMSNorm(width, eps=eps, one_plus=kind == "one_plus_rms")
