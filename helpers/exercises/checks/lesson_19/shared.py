"""What several checks of lesson 19 need: a small Llama block and its weights."""

import torch

from helpers.decoder import masks
from helpers.decoder.block import Block
from helpers.decoder.config import DecoderConfig
from helpers.decoder.rotary import rotation
from helpers.weights.by_name import load_weights, own_weights


def normal(draw: torch.Generator, *shape: int) -> torch.Tensor:
    """Return float32 numbers around 0."""
    return torch.randn(shape, generator=draw)


def llama_config(C: int, H: int, G: int, hidden: int, base: float = 10_000.0) -> DecoderConfig:
    """Return the configuration of one Llama block."""
    return DecoderConfig(
        vocab_size=2,
        context=64,
        width=C,
        heads=H,
        key_value_heads=G,
        hidden=hidden,
        positions="rotary",
        rotary={"base": base},
        feed_forward="swiglu",
        norm="rms",
        norm_placement="pre",
        qkv_bias=False,
        output_bias=False,
        feed_forward_bias=False,
    )


def llama_weights(draw: torch.Generator, config: DecoderConfig) -> dict[str, torch.Tensor]:
    """Return drawn weights of a Llama block, the norms' too, by their names."""
    weights = {}
    for name, given in own_weights(Block(config)).items():
        if name.endswith("norm.weight"):
            weights[name] = 1 + normal(draw, *given.shape) / 3
        else:
            weights[name] = normal(draw, *given.shape) / given.shape[-1] ** 0.5
    return weights


def run_llama(config: DecoderConfig, weights: dict, x: torch.Tensor) -> torch.Tensor:
    """Return what the helpers' block makes of x [B, T, C] at positions 0, 1, 2 ..., in float64."""
    block = Block(config).double()
    load_weights(block, weights)
    T = x.shape[1]
    turn = rotation(torch.arange(T)[None], config.rotary, config.D)
    with torch.no_grad():
        return block(x.double(), masks.causal(T), turn=turn)
