"""A model for use, with its weights packed: the same numbers, nearly, from fewer bytes, sooner.

A step that makes one token reads all weights and computes little. So besides the bytes it is the
number of small operations that counts, and each module that is called. Blocks as most models of
today have them are therefore written straight through here: the whole of a block in one function,
to be read from top to bottom. Tests hold it equal to `Block`, which stays the form to learn from.
"""

from __future__ import annotations

import copy
import math

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from helpers.decoder.attention import Remember, fused_attention
from helpers.decoder.block import Block
from helpers.decoder.feed_forward import FeedForward
from helpers.decoder.norms import RMSNorm
from helpers.decoder.rotary import Rotation, rotate_in_place
from helpers.needs import need_choice
from helpers.weights.formats import FORMATS, Packed, need_no_gradients

# The largest matrix, and mistakes in it go straight into the logits.
HEAD_FORMATS = {"int8": "float16", "int4": "float16"}
TOO_LARGE = 1e17  # the squares of a thousand such numbers still have a sum in float32


def pack(model: nn.Module, name: str) -> nn.Module:
    """A model that gives the same, nearly, from weights in another format; for use, not training.

    name: "float32", "bfloat16", "float16", "int8" or "int4". Every linear layer is packed, the head
    of an int8 or int4 model in float16. Blocks that `PackedBlock` can stand for become one; the
    rest is shared with the given model, which stays as it was. Raises ValueError, naming the layer,
    where a matrix does not fit the format.
    """
    need_choice("format", name, tuple(FORMATS))
    new = {id(tensor): tensor for tensor in [*model.parameters(), *model.buffers()]}
    done: tuple[str, ...] = ()  # blocks whose layers are packed already
    for path, module in model.named_modules():
        if path.startswith(done):
            continue
        if isinstance(module, Block) and can_go_straight(module):
            new[id(module)] = PackedBlock(module, name, path)
            done = (*done, f"{path}.")
        elif path == "final_norm" and done and isinstance(module, RMSNorm):
            new[id(module)] = _LastNorm(module)
        elif isinstance(module, nn.Linear) and id(module) not in new:
            of_layer = HEAD_FORMATS.get(name, name) if path == "head" else name
            new[id(module)] = _packed(of_layer, path, module)
    return copy.deepcopy(model, new).train(model.training)


def can_go_straight(block: Block) -> bool:
    """Whether a block is of the kind that `PackedBlock` stands for."""
    attention, feed_forward = block.attention, block.feed_forward
    return (
        block.pre_norm
        and not block.parallel
        and block.cross_attention is None
        and attention is not None
        and isinstance(attention.query_norm, nn.Identity)
        and isinstance(feed_forward, FeedForward)
        and feed_forward.gate is not None
        and isinstance(block.attention_norm, RMSNorm)
        and not hasattr(block, "attention_after_norm")
    )


class PackedBlock(nn.Module):
    """A block with RMS norms before its parts and a gated feed-forward, written straight through.

    Llama's kind, and that of most models since. It is for use: without dropout and gradients.
    """

    def __init__(self, block: Block, name: str, path: str = "block") -> None:
        super().__init__()
        attention, feed_forward = block.attention, block.feed_forward
        self.heads, self.groups = attention.heads, attention.groups
        self.bend = feed_forward.bend
        self.attention_norm = _FixedNorm(block.attention_norm)
        self.feed_forward_norm = _FixedNorm(block.feed_forward_norm)
        joint = (attention.query, attention.key, attention.value)
        self.qkv = _packed(name, f"{path}.attention", *joint).product
        self.output = _packed(name, f"{path}.attention.output", attention.output).product
        joint = (feed_forward.widen, feed_forward.gate)
        self.wide_gate = _packed(name, f"{path}.feed_forward", *joint).product
        self.narrow = _packed(name, f"{path}.feed_forward.narrow", feed_forward.narrow).product

    def forward(
        self,
        x: Float[Tensor, "B T C"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        bias: Float[Tensor, "..."] | None = None,
        turn: Rotation | None = None,
        remember: Remember | None = None,
        memory: None = None,
    ) -> Float[Tensor, "B T C"]:
        """[B, T, C] in and out, float32; the arguments are those of `Block`."""
        need_no_gradients(x)
        (B, T, C), H, G = x.shape, self.heads, self.groups
        x = x.float().reshape(B * T, C)

        # [B, H + 2 G, T, D]; positions and the cache want float32, sums below make it themselves
        heads = self.qkv(self.attention_norm(x)).float().view(B, T, H + 2 * G, -1).transpose(1, 2)
        if turn is not None:
            rotate_in_place(heads[:, : H + G], turn)  # queries and keys in one step
        query, key, value = heads.split_with_sizes((H, G, G), dim=1)  # [B, H or G, T, D]
        if remember is not None:
            key, value = remember(key, value)  # [B, G, Tk, D]
        if bias is None:
            seen = F.scaled_dot_product_attention(
                query, key, value, attn_mask=mask, enable_gqa=G != H
            )
        else:
            seen = fused_attention(query, key, value, mask, bias=bias)
        x = x + self.output(seen.transpose(1, 2).reshape(B * T, -1))

        wide, gate = self.wide_gate(self.feed_forward_norm(x)).chunk(2, dim=-1)
        return (x + self.narrow(self.bend(gate) * wide)).view(B, T, C)


class _FixedNorm:
    """An RMSNorm that learns no more: what does not depend on x is worked out once.

    x / sqrt(mean of squares + eps) * w is x / hypot(length of x, sqrt(C eps)) * (sqrt(C) w).
    """

    def __init__(self, norm: RMSNorm) -> None:
        weight = norm.weight.detach().float()
        width = len(weight)
        self.weight = (1 + weight if norm.one_plus else weight) * width**0.5
        self.least = weight.new_full((1,), (width * norm.eps) ** 0.5)

    def __call__(self, x: Float[Tensor, "N C"]) -> Float[Tensor, "N C"]:
        length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)  # [N, 1]
        return x / torch.hypot(length, self.least) * self.weight


class _LastNorm(RMSNorm):
    """The norm before the head, which also looks for states that the blocks could not norm.

    To look in each of them would take many small operations. States are sums, so what is huge in a
    block is huge here.
    """

    def __init__(self, norm: RMSNorm) -> None:
        super().__init__(len(norm.weight), eps=norm.eps, one_plus=norm.one_plus)
        self.weight = norm.weight

    def forward(self, x: Float[Tensor, "... C"]) -> Float[Tensor, "... C"]:
        """Shape in, shape out. Raises ValueError where squares overflow in float32."""
        if x.numel() and TOO_LARGE < (largest := x.abs().max().item()) < math.inf:
            raise ValueError(
                f"the model's states reach {largest:.3g}; a packed model takes them up to "
                f"{TOO_LARGE:.0e}: use the model that it was made of"
            )
        return super().forward(x)


def _packed(name: str, path: str, *linears: nn.Linear) -> Packed:
    try:
        return Packed(name, *linears)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
