"""Weight formats: the product x W^T of one matrix, with its numbers held in fewer bits.

A small batch is answered as fast as the weights can be read, so half the bytes are nearly half the
time. Each format is a function from a matrix to the matrix that is really meant after rounding, and
the product with it. Only this file calls torch's private operators, and it knows what they do not
check. Where a build of torch lacks one, a warning says so and the same matrix is multiplied in
float32: as exact, and no smaller.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from functools import cache
from itertools import accumulate

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from helpers.attention import MultiHeadAttention
from helpers.blockwise import BLOCK, nearest, quantize_4
from helpers.feed_forward import FeedForward
from helpers.needs import need_choice
from helpers.norms import FixedRMSNorm, RMSNorm

Matrix = Float[Tensor, "N K"]
Product = Callable[[Float[Tensor, "... K"]], Float[Tensor, "... N"]]  # float32, contiguous


# ---- formats: (what is meant, the product by torch's own operator) ------------------------------


def float32(weight: Matrix) -> tuple[Matrix, Callable[[], Product]]:
    """The numbers as they are, in the order in which oneDNN reads them fastest."""
    return weight, lambda: _onednn(weight)


def bfloat16(weight: Matrix) -> tuple[Matrix, Callable[[], Product]]:
    """16 bits with the range of float32 and 8 bits of precision."""
    short = weight.bfloat16()
    return short.float(), lambda: _onednn(short)


def float16(weight: Matrix) -> tuple[Matrix, Callable[[], Product]]:
    """16 bits with 11 bits of precision; numbers stay under 65504. x is kept in float32."""
    limit = torch.finfo(torch.float16).max
    if weight.abs().max() > limit:
        raise ValueError(f"a weight is {weight.abs().max():.3g}; float16 ends at {limit:.0f}")

    def pack_product() -> Product:
        packed = torch.ops.quantized.linear_prepack_fp16(weight, None)
        multiply = torch.ops.quantized.linear_dynamic_fp16.default
        return lambda x: multiply(x, packed)

    return weight.half().float(), pack_product


def int8(weight: Matrix) -> tuple[Matrix, Callable[[], Product]]:
    """Whole numbers from -127 to 127 and a scale for each row; K must be a multiple of 16."""
    rows, columns = weight.shape
    _need_multiple("columns K", columns, 16)  # torch checks nothing: wrong or a crash
    scale = (weight.abs().amax(dim=1, keepdim=True) / 127).bfloat16().float()  # [N, 1]
    code = nearest(weight, scale).clamp(-127, 127)

    def pack_product() -> Product:
        codes, scales = code.to(torch.int8), scale[:, 0].bfloat16()
        multiply = torch.ops.aten._weight_int8pack_mm.default

        def product(x: Tensor) -> Tensor:
            out = multiply(x.bfloat16().view(-1, columns), codes, scales)  # [rows, N]
            return out.float().view(*x.shape[:-1], rows)

        return product

    return code * scale, pack_product


def int4(weight: Matrix) -> tuple[Matrix, Callable[[], Product]]:
    """Blocks of 32 with 16 levels; a matrix that stood in a Q4_1 file keeps the file's own levels.

    torch counts the levels around zero: (code - 8) * scale + zero, so zero = low + 8 scale. Scale
    and zero are rounded to bfloat16, which moves a weight by 0.2 % at most.
    """
    rows, columns = weight.shape
    _need_multiple("rows N", rows, 16)
    _need_multiple("columns K", columns, BLOCK)
    code, scale, low = quantize_4(weight)
    pairs = torch.cat([scale, low + 8 * scale], dim=-1).bfloat16()  # [N, J, 2]
    scale, zero = pairs.float().split(1, dim=-1)

    def pack_product() -> Product:
        codes = torch.ops.aten._convert_weight_to_int4pack_for_cpu(code.flatten(1).int(), 1)
        by_block = pairs.transpose(0, 1).contiguous()  # [J, N, 2]
        multiply = torch.ops.aten._weight_int4pack_mm_for_cpu.default

        def product(x: Tensor) -> Tensor:
            out = multiply(x.bfloat16().view(-1, columns), codes, BLOCK, by_block)  # [rows, N]
            return out.float().view(*x.shape[:-1], rows)

        return product

    return ((code - 8.0) * scale + zero).flatten(1), pack_product


FORMATS = {f.__name__: f for f in (float32, bfloat16, float16, int8, int4)}
# The largest matrix, and mistakes in it go straight into the logits.
HEAD_FORMATS = {"int8": "float16", "int4": "float16"}


def _onednn(weight: Matrix) -> Product:
    packed = torch.ops.mkldnn._reorder_linear_weight(weight, 1)
    multiply, dtype = torch.ops.mkldnn._linear_pointwise.default, weight.dtype
    if dtype == torch.float32:
        return lambda x: multiply(x, packed, None, "none", [], "")
    return lambda x: multiply(x.to(dtype), packed, None, "none", [], "").float()


def _need_multiple(what: str, number: int, of: int) -> None:
    if number % of:
        raise ValueError(f"the matrix has {number} {what}; this format needs a multiple of {of}")


# ---- using them ---------------------------------------------------------------------------------


@cache
def missing(name: str) -> str:
    """Why this build of torch cannot multiply in a format, in one sentence; "" if it can."""
    weight = torch.linspace(-1, 1, 32 * 64).sin().view(32, 64)
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

    It has the same biases, is used and not trained, and gives float32.
    """

    def __init__(self, name: str, *linears: nn.Linear) -> None:
        super().__init__()
        need_choice("format", name, tuple(FORMATS))
        self.format = name
        self.in_features = linears[0].in_features
        self.out_features = sum(linear.out_features for linear in linears)
        weight = torch.cat([linear.weight.detach().float() for linear in linears])
        biases = [linear.bias for linear in linears if linear.bias is not None]
        if biases and len(biases) < len(linears):
            raise ValueError("some of the layers have a bias and some have none; give all one")
        if biases:
            bias = torch.cat([bias.detach().float() for bias in biases])
            self.register_buffer("bias", bias, persistent=False)
        else:
            self.bias = None
        meant, pack_product = FORMATS[name](weight)
        if reason := missing(name):
            warnings.warn(f"{reason}; the weights are held in float32", stacklevel=2)
            self.product: Product = lambda x: F.linear(x, meant)
        else:
            self.product = pack_product()

    def forward(self, x: Float[Tensor, "... K"]) -> Float[Tensor, "... N"]:
        """x W^T + b, float32."""
        if x.requires_grad and torch.is_grad_enabled():
            raise RuntimeError("packed weights have no gradients; call under torch.no_grad()")
        if x.ndim == 1:  # not every operator takes a single vector
            return self(x[None])[0]
        out = self.product(x.contiguous())
        return out if self.bias is None else out + self.bias


class Part(nn.Module):
    """One layer of several that were packed together, for those who ask for it alone."""

    def __init__(self, joint: Packed, start: int, stop: int) -> None:
        super().__init__()
        self.of = [joint]  # in a list, so that it is no part of this one
        self.columns = slice(start, stop)

    def forward(self, x: Float[Tensor, "... K"]) -> Float[Tensor, "... n"]:
        """Its own columns of the joint product."""
        return self.of[0](x)[..., self.columns]


def pack(model: nn.Module, name: str) -> nn.Module:
    """A model that gives the same, nearly, from weights in another format; for use, not training.

    name: "float32", "bfloat16", "float16", "int8" or "int4". Every linear layer is packed; those
    that read the same vectors as one matrix, and the head of an int8 or int4 model in float16. RMS
    norms are fixed too. The rest is shared with the given model, which stays as it was. Raises
    ValueError, naming the layer, where a matrix does not fit the format.
    """
    need_choice("format", name, tuple(FORMATS))
    new = {id(tensor): tensor for tensor in [*model.parameters(), *model.buffers()]}
    joints = []
    for path, module in model.named_modules():
        try:
            together = _read_the_same(path, module)
            if together:
                joints.append((path, Packed(name, *together)))
                stops = list(accumulate(linear.out_features for linear in together))
                for linear, start, stop in zip(together, [0, *stops], stops, strict=False):
                    new[id(linear)] = Part(joints[-1][1], start, stop)
            elif isinstance(module, nn.Linear) and id(module) not in new:
                of_layer = HEAD_FORMATS.get(name, name) if path == "head" else name
                new[id(module)] = Packed(of_layer, module)
            elif isinstance(module, RMSNorm):
                new[id(module)] = FixedRMSNorm(module)
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
    packed = copy.deepcopy(model, new)
    for path, joint in joints:
        packed.get_submodule(path).joint = joint
    return packed.train(model.training)


def _read_the_same(path: str, module: nn.Module) -> tuple[nn.Linear, ...]:
    """Linear layers of this module that read the same vectors."""
    if isinstance(module, MultiHeadAttention) and not path.endswith("cross_attention"):
        return module.query, module.key, module.value
    if isinstance(module, FeedForward) and module.gate is not None:
        return module.widen, module.gate
    return ()
