"""Small decoders for tests: drawn shapes, weights moved off their start, twins made by torch."""

import torch
from hypothesis import strategies as st
from torch import nn

from helpers.decoder.config import DecoderConfig
from helpers.decoder.rotary import Rotary

V, CONTEXT = 7, 12
WIDTHS = st.sampled_from([(4, 1), (4, 2), (8, 2), (6, 3)])  # C and H
POSITIONS = ("learned", "sinusoidal", "none")


@st.composite
def configs(draw, **fixed):
    """A small configuration; `fixed` holds values, or strategies to draw them from."""
    width, heads = draw(WIDTHS)
    options = {
        "vocab_size": V,
        "context": CONTEXT,
        "width": width,
        "heads": heads,
        "blocks": st.integers(0, 3),
        "hidden": st.sampled_from([None, 5]),
        "attention": st.sampled_from([True, True, False]),
        "causal": st.sampled_from([True, True, False]),
        "positions": st.sampled_from(POSITIONS),
        "norm_placement": st.sampled_from(["post", "pre"]),
        "final_norm": st.booleans(),
        "dropout": st.sampled_from([0.0, 0.5]),
        "pad_id": st.sampled_from([0, 2, None]),
    }
    chosen = options | fixed
    return DecoderConfig(
        **{
            name: draw(value) if isinstance(value, st.SearchStrategy) else value
            for name, value in chosen.items()
        }
    )


@st.composite
def modern_configs(draw, **fixed):
    """A small configuration of today's parts, in any combination that is possible."""

    def one_of(*values):
        return draw(st.sampled_from(values))

    heads, groups = one_of((4, 4), (4, 2), (4, 1), (3, 1))
    blocks = one_of(1, 2, 3)
    shape = {
        "vocab_size": V,
        "context": CONTEXT,
        "width": one_of(12, 24),
        "heads": heads,
        "key_value_heads": groups,
        "head_width": one_of(None, 6) if heads == 3 else 6,
        "blocks": blocks,
        "pad_id": None,
        "window": draw(st.none() | st.integers(2, 5))
        if draw(st.booleans())
        else draw(st.tuples(*[st.none() | st.integers(1, 5)] * blocks)),
        "query_key_norm": draw(st.booleans()),
        "qkv_bias": draw(st.booleans()),
        "output_bias": draw(st.booleans()),
        "hidden": 9,
        "feed_forward": one_of("gelu", "gelu_tanh", "relu", "geglu", "geglu_tanh", "swiglu"),
        "feed_forward_bias": draw(st.booleans()),
        "norm": one_of("layer", "rms", "one_plus_rms"),
        "norm_placement": one_of("pre", "both"),
        "parallel": draw(st.booleans()),
        "final_norm": True,
        "embedding_norm": draw(st.booleans()),
        "embedding_scale": one_of(1.0, 2.5),
        "head_bias": draw(st.booleans()),
        "tied_head": draw(st.booleans()),
        "logit_cap": one_of(None, 5.0),
        "positions": one_of("rotary", "rotary", "alibi", "relative", "learned"),
    }
    shape["width"] = 4 * heads if shape["head_width"] is None else shape["width"]
    if shape["positions"] == "relative":
        shape["relative_reach"] = 4
    if shape["positions"] == "rotary":
        shape["rotary"] = Rotary(base=50.0, width=one_of(2, 4), layout=one_of("halves", "pairs"))
    if draw(st.booleans()):
        shape |= {"experts": 3, "experts_used": one_of(1, 2)}
    return DecoderConfig(**shape | fixed)


def rows(max_length=6, max_rows=3):
    """Rows of unequal length. They hold the pad id too: only a mask tells it from padding."""
    row = st.lists(st.integers(0, V - 1), min_size=1, max_size=max_length)
    return st.lists(row, min_size=1, max_size=max_rows)


def tokens_of(batch, length, seed=0, vocab_size=V):
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(vocab_size, (batch, length), generator=generator)


def vectors(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def shaken(module):
    """The module with every weight, bias and norm moved away from its plain beginning."""
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for parameter in module.parameters():
            parameter += 0.3 * torch.randn(parameter.shape, generator=generator)
    return module


# ---- the same block by torch --------------------------------------------------------------------


def torch_layer(config):
    """torch's layer with this shape: an encoder layer, or a decoder layer with cross-attention."""
    kind = nn.TransformerDecoderLayer if config.cross_attention else nn.TransformerEncoderLayer
    return kind(
        config.width,
        config.heads,
        config.hidden or 4 * config.width,
        dropout=config.dropout,
        activation="gelu",
        batch_first=True,
        norm_first=config.norm_placement == "pre",
    )


def torch_layer_weights(block):
    """The block's weights under the names of torch's layer."""
    table, pairs = {}, {"linear1": block.feed_forward.widen, "linear2": block.feed_forward.narrow}
    norms = [block.attention_norm]
    kinds = [("self_attn", block.attention)]
    if block.cross_attention is not None:
        norms.append(block.cross_attention_norm)
        kinds.append(("multihead_attn", block.cross_attention))
    for name, attention in kinds:
        qkv = (attention.query, attention.key, attention.value)
        table[f"{name}.in_proj_weight"] = torch.cat([part.weight for part in qkv])
        table[f"{name}.in_proj_bias"] = torch.cat([part.bias for part in qkv])
        pairs[f"{name}.out_proj"] = attention.output
    for i, norm in enumerate([*norms, block.feed_forward_norm], start=1):
        pairs[f"norm{i}"] = norm
    for name, part in pairs.items():
        table |= {f"{name}.weight": part.weight, f"{name}.bias": part.bias}
    return {name: tensor.detach().clone() for name, tensor in table.items()}
