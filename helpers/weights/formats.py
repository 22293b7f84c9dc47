"""Weight formats: the product x W^T of one matrix, with its numbers held in fewer bits.

A small batch waits for the weights to be read, so fewer bytes are less time, though not in
proportion: to turn them into numbers is work too. Each format is a function from a matrix to the
matrix that is really meant after rounding, and the product with it. Only this file calls torch's
private operators, and it knows what they do not check. Where a build of torch lacks one, a warning
says so and the same matrix is multiplied in float32: as exact, and no smaller.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from helpers.needs import need_choice
from helpers.weights.blockwise import BLOCK, level_4, nearest, need_levels, quantize_4_any_size

Matrix = Float[Tensor, "N K"]
# Of contiguous float32 or bfloat16. What it gives is float32, or bfloat16 where its operator does:
# to make that float32 again takes a moment, and a sum with float32 does so anyway.
Product = Callable[[Float[Tensor, "rows K"]], Float[Tensor, "rows N"]]


# ---- formats: (what is meant, the product by torch's own operator) ------------------------------


def float32(weight: Matrix) -> tuple[Matrix, Callable[[], Product]]:
    """The numbers as they are, in the order in which oneDNN reads them fastest."""
    return weight, lambda: _onednn(weight)


def bfloat16(weight: Matrix) -> tuple[Matrix, Callable[[], Product]]:
    """16 bits with the range of float32 and 8 bits of precision."""
    short = weight.bfloat16()
    _need_finite(short)
    return short.float(), lambda: _onednn(short)


def float16(weight: Matrix) -> tuple[Matrix, Callable[[], Product]]:
    """16 bits with 11 bits of precision; numbers stay under 65504. x is kept in float32."""
    _need_finite(weight)
    limit, largest = torch.finfo(torch.float16).max, weight.abs().max()
    if largest > limit:
        raise ValueError(f"a weight is {largest:.3g}; float16 ends at {limit:.0f}")
    if (weight.half().float() - weight).abs().max() > largest * 2**-10:
        raise ValueError(
            f"the largest weight is {largest:.3g}; float16 has only a few bits for numbers so small"
        )

    def pack_product() -> Product:
        packed = torch.ops.quantized.linear_prepack_fp16(weight, None)
        multiply = torch.ops.quantized.linear_dynamic_fp16.default
        return lambda x: multiply(x, packed)

    return weight.half().float(), pack_product


def int8(weight: Matrix) -> tuple[Matrix, Callable[[], Product]]:
    """Whole numbers from -127 to 127 and a scale for each row; K must be a multiple of 16."""
    _need_multiple("columns K", weight.shape[1], 16)  # torch checks nothing: wrong or a crash
    _need_finite(weight)
    scale = (weight.abs().amax(dim=1, keepdim=True) / 127).bfloat16().float()  # [N, 1]
    code = nearest(weight, scale).clamp(-127, 127)
    level = weight.abs().amax(dim=1)[:, None, None] / 127  # [N, 1, 1]
    need_levels(weight[:, None], (code * scale)[:, None], level, "bfloat16")

    def pack_product() -> Product:
        codes, scales = code.to(torch.int8), scale[:, 0].bfloat16()
        multiply = torch.ops.aten._weight_int8pack_mm.default
        return lambda x: multiply(x.bfloat16(), codes, scales)

    return code * scale, pack_product


def int4(weight: Matrix) -> tuple[Matrix, Callable[[], Product]]:
    """Blocks of 32 with 16 levels; a matrix that stood in a Q4_1 file keeps the file's own levels.

    torch counts the levels around zero: (code - 8) * scale + zero, so zero = low + 8 scale. Scale
    and zero are rounded to bfloat16, which moves a weight by 0.2 % at most. Numbers that are far
    from zero and close together would lose their levels by that: refused.
    """
    _need_multiple("rows N", weight.shape[0], 16)
    _need_multiple("columns K", weight.shape[1], BLOCK)
    _need_finite(weight)
    code, scale, low = quantize_4_any_size(weight)
    pairs = torch.cat([scale, low + 8 * scale], dim=-1).bfloat16()  # [N, J, 2]
    scale, zero = pairs.float().split(1, dim=-1)
    meant = (code - 8.0) * scale + zero  # [N, J, 32]
    blocks = weight.float().unflatten(1, (-1, BLOCK))
    need_levels(blocks, meant, level_4(blocks), "bfloat16")

    def pack_product() -> Product:
        codes = torch.ops.aten._convert_weight_to_int4pack_for_cpu(code.flatten(1).int(), 1)
        by_block = pairs.transpose(0, 1).contiguous()  # [J, N, 2]
        multiply = torch.ops.aten._weight_int4pack_mm_for_cpu.default
        return lambda x: multiply(x.bfloat16(), codes, BLOCK, by_block)

    return meant.flatten(1), pack_product


FORMATS = {f.__name__: f for f in (float32, bfloat16, float16, int8, int4)}


def _onednn(weight: Matrix) -> Product:
    packed = torch.ops.mkldnn._reorder_linear_weight(weight, 1)
    multiply, dtype = torch.ops.mkldnn._linear_pointwise.default, weight.dtype
    return lambda x: multiply(x.to(dtype), packed, None, "none", [], "")


def _need_finite(weight: Tensor) -> None:
    if not weight.isfinite().all():
        row, column = (~weight.isfinite()).nonzero()[0].tolist()
        raise ValueError(f"the weight in row {row}, column {column} is {weight[row, column]:.3g}")


def _need_multiple(what: str, number: int, of: int) -> None:
    if number % of:
        raise ValueError(f"the matrix has {number} {what}; this format needs a multiple of {of}")


# ---- using them ---------------------------------------------------------------------------------


@cache
def missing(name: str) -> str:
    """Why this build of torch cannot multiply in a format, in one sentence; "" if it can."""
    weight = torch.arange(32 * 64.0).sin().view(32, 64)
    x = torch.linspace(-1, 1, 3 * 64).cos().view(3, 64)
    meant, pack_product = FORMATS[name](weight)
    try:
        found = pack_product()(x)
    except (AttributeError, RuntimeError, NotImplementedError) as error:
        return f"this build of torch has no product for {name}: {str(error).splitlines()[0]}"
    wanted = F.linear(x, meant)
    if (found - wanted).abs().max() > 0.02 * wanted.abs().max():  # x itself has 8 bits in some
        return f"this build of torch multiplies wrongly in {name}"
    return ""


class Packed(nn.Module):
    """In place of one nn.Linear, or several that read the same x: their products side by side.

    It has the same biases, is used and not trained, and gives float32. `product` is the bare
    function from rows to rows, for one that knows that its rows are right.
    """

    def __init__(self, name: str, *linears: nn.Linear) -> None:
        super().__init__()
        need_choice("format", name, tuple(FORMATS))
        self.format = name
        self.in_features = linears[0].in_features
        self.out_features = sum(linear.out_features for linear in linears)
        biases = [linear.bias for linear in linears if linear.bias is not None]
        if biases and len(biases) < len(linears):
            raise ValueError("some of the layers have a bias and some have none; give all one")
        weight = torch.cat([linear.weight.detach().float() for linear in linears])
        meant, pack_product = FORMATS[name](weight)
        if reason := missing(name):
            warnings.warn(f"{reason}; the weights are held in float32", stacklevel=2)
            product: Product = lambda x: F.linear(x, meant)  # noqa: E731
        else:
            product = pack_product()
        if biases:
            bias = torch.cat([bias.detach().float() for bias in biases])
            self.product: Product = lambda x: product(x) + bias
        else:
            self.product = product

    def forward(self, x: Float[Tensor, "... K"]) -> Float[Tensor, "... N"]:
        """x W^T + b, float32."""
        need_no_gradients(x)
        # the operators want two axes, side by side in memory
        rows = x.reshape(-1, self.in_features).float().contiguous()
        return self.product(rows).float().view(*x.shape[:-1], self.out_features)


def need_no_gradients(x: Tensor) -> None:
    """Raise RuntimeError where somebody would wait for gradients in vain."""
    if x.requires_grad and torch.is_grad_enabled():
        raise RuntimeError("packed weights have no gradients; call under torch.no_grad()")
