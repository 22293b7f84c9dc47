"""Real architectures as configurations of one Decoder, and where their weights go.

A family is a function from the configuration that comes with its files to a DecoderConfig, and a
table: our name, their name, and what is done to the tensor on the way. {i} stands for the block,
{e} for the expert. Nothing here is a part of the model; the model knows of no family.

Names and settings are those of the files that the transformers library writes and reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from torch import Tensor

from helpers.decoder.config import DecoderConfig
from helpers.decoder.rotary import lane_order
from helpers.real_models.configs import (
    bloom_config,
    gemma_config,
    gpt2_config,
    gpt_neox_config,
    llama_config,
    mistral_config,
    mixtral_config,
    qwen2_config,
    qwen3_config,
)

# ---- what is done to a tensor on the way ---------------------------------------------------------


def _third(number: int) -> Callable[[Tensor, DecoderConfig], Tensor]:
    return lambda x, config: x.chunk(3)[number]


def _third_of_each_head(number: int) -> Callable[[Tensor, DecoderConfig], Tensor]:
    # rows [H * 3 * D, ...]: a head's queries, keys and values, then the next head's
    return lambda x, config: x.unflatten(0, (config.heads, 3, -1))[:, number].flatten(0, 1)


def _lanes_to_pairs(x: Tensor, config: DecoderConfig) -> Tensor:
    order = lane_order("pairs", config.D, config.rotary.width)
    return x.unflatten(0, (-1, config.D))[:, order].flatten(0, 1)  # [heads * D, ...]


TRANSFORMS: dict[str, Callable[[Tensor, DecoderConfig], Tensor]] = {
    "transpose": lambda x, config: x.t(),  # [in, out] -> [out, in]; a bias stays as it is
    "first third": _third(0),
    "second third": _third(1),
    "last third": _third(2),
    "first third of each head": _third_of_each_head(0),
    "second third of each head": _third_of_each_head(1),
    "last third of each head": _third_of_each_head(2),
    "lanes to pairs": _lanes_to_pairs,
}

# ---- tables --------------------------------------------------------------------------------------

# our name -> (their name, transforms in order)
Table = Mapping[str, tuple[str, ...]]

LLAMA: Table = {
    "token_embedding": ("model.embed_tokens",),
    "blocks.{i}.attention_norm": ("model.layers.{i}.input_layernorm",),
    "blocks.{i}.attention.query": ("model.layers.{i}.self_attn.q_proj",),
    "blocks.{i}.attention.key": ("model.layers.{i}.self_attn.k_proj",),
    "blocks.{i}.attention.value": ("model.layers.{i}.self_attn.v_proj",),
    "blocks.{i}.attention.output": ("model.layers.{i}.self_attn.o_proj",),
    "blocks.{i}.feed_forward_norm": ("model.layers.{i}.post_attention_layernorm",),
    "blocks.{i}.feed_forward.gate": ("model.layers.{i}.mlp.gate_proj",),
    "blocks.{i}.feed_forward.widen": ("model.layers.{i}.mlp.up_proj",),
    "blocks.{i}.feed_forward.narrow": ("model.layers.{i}.mlp.down_proj",),
    "final_norm": ("model.norm",),
    "head": ("lm_head",),
}
QWEN3: Table = {
    **LLAMA,
    "blocks.{i}.attention.query_norm": ("model.layers.{i}.self_attn.q_norm",),
    "blocks.{i}.attention.key_norm": ("model.layers.{i}.self_attn.k_norm",),
}
_EXPERTS, _THEIRS = "blocks.{i}.feed_forward", "model.layers.{i}.block_sparse_moe"
MIXTRAL: Table = {
    **{ours: row for ours, row in LLAMA.items() if "feed_forward." not in ours},
    f"{_EXPERTS}.router": (f"{_THEIRS}.gate",),
    f"{_EXPERTS}.experts.{{e}}.gate": (f"{_THEIRS}.experts.{{e}}.w1",),
    f"{_EXPERTS}.experts.{{e}}.widen": (f"{_THEIRS}.experts.{{e}}.w3",),
    f"{_EXPERTS}.experts.{{e}}.narrow": (f"{_THEIRS}.experts.{{e}}.w2",),
}
GPT2: Table = {
    "token_embedding": ("transformer.wte",),
    "position_embedding": ("transformer.wpe",),
    "blocks.{i}.attention_norm": ("transformer.h.{i}.ln_1",),
    "blocks.{i}.attention.query": ("transformer.h.{i}.attn.c_attn", "transpose", "first third"),
    "blocks.{i}.attention.key": ("transformer.h.{i}.attn.c_attn", "transpose", "second third"),
    "blocks.{i}.attention.value": ("transformer.h.{i}.attn.c_attn", "transpose", "last third"),
    "blocks.{i}.attention.output": ("transformer.h.{i}.attn.c_proj", "transpose"),
    "blocks.{i}.feed_forward_norm": ("transformer.h.{i}.ln_2",),
    "blocks.{i}.feed_forward.widen": ("transformer.h.{i}.mlp.c_fc", "transpose"),
    "blocks.{i}.feed_forward.narrow": ("transformer.h.{i}.mlp.c_proj", "transpose"),
    "final_norm": ("transformer.ln_f",),
    "head": ("lm_head",),
}


def _fused_by_head(block: str, attention: str) -> Table:
    """The rows that GPT-NeoX and BLOOM share: queries, keys and values in one, head by head."""
    fused = f"{block}.{attention}.query_key_value"
    return {
        "blocks.{i}.attention_norm": (f"{block}.input_layernorm",),
        "blocks.{i}.attention.query": (fused, "first third of each head"),
        "blocks.{i}.attention.key": (fused, "second third of each head"),
        "blocks.{i}.attention.value": (fused, "last third of each head"),
        "blocks.{i}.attention.output": (f"{block}.{attention}.dense",),
        "blocks.{i}.feed_forward_norm": (f"{block}.post_attention_layernorm",),
        "blocks.{i}.feed_forward.widen": (f"{block}.mlp.dense_h_to_4h",),
        "blocks.{i}.feed_forward.narrow": (f"{block}.mlp.dense_4h_to_h",),
    }


GPT_NEOX: Table = {
    "token_embedding": ("gpt_neox.embed_in",),
    **_fused_by_head("gpt_neox.layers.{i}", "attention"),
    "final_norm": ("gpt_neox.final_layer_norm",),
    "head": ("embed_out",),
}
BLOOM: Table = {
    "token_embedding": ("transformer.word_embeddings",),
    "embedding_norm": ("transformer.word_embeddings_layernorm",),
    **_fused_by_head("transformer.h.{i}", "self_attention"),
    "final_norm": ("transformer.ln_f",),
    "head": ("lm_head",),
}

# ---- families ------------------------------------------------------------------------------------


class Row(NamedTuple):
    """One weight: our name, their name, and the transforms that lead from theirs to ours."""

    ours: str
    theirs: str
    transforms: tuple[str, ...]


@dataclass(frozen=True)
class Family:
    """An architecture: how its configuration reads, and where its weights go.

    prefix: what all their names begin with but the head's; older files leave it out.
    not_weights: what such files hold besides, by pattern: tables that can be computed.
    """

    name: str
    read_config: Callable[[Mapping[str, Any]], DecoderConfig]
    table: Table
    prefix: str
    not_weights: str | None = None

    def rows(self, names: Iterable[str]) -> list[Row]:
        """The table written out for these weights of ours, one row each.

        Raises ValueError for a weight that the family has no row for.
        """
        return [self._row(name) for name in names]

    def _row(self, ours: str) -> Row:
        stem, kind = ours.rsplit(".", 1)  # kind: weight or bias
        block, expert = (
            re.search(pattern, stem) for pattern in (r"^blocks\.(\d+)", r"\.experts\.(\d+)")
        )
        if expert:
            stem = stem[: expert.start(1)] + "{e}" + stem[expert.end(1) :]
        if block:
            stem = stem[: block.start(1)] + "{i}" + stem[block.end(1) :]
        if stem not in self.table:
            raise ValueError(f"{self.name} has no weight for our {ours}")
        theirs, *transforms = self.table[stem]
        theirs = theirs.format(i=block and block[1], e=expert and expert[1])
        return Row(ours, f"{theirs}.{kind}", tuple(transforms))


_PREFIXED = {"prefix": "model.", "not_weights": r"rotary_emb\.inv_freq$"}
_MASKS = r"\.attn\.(masked_)?bias$"  # GPT-2's files hold its causal masks
_NEOX = r"attention\.(masked_bias|bias|rotary_emb\.inv_freq)$"
FAMILIES = {
    family.name: family
    for family in (
        Family("gpt2", gpt2_config, GPT2, "transformer.", _MASKS),
        Family("llama", llama_config, LLAMA, **_PREFIXED),
        Family("mistral", mistral_config, LLAMA, **_PREFIXED),
        Family("qwen2", qwen2_config, LLAMA, **_PREFIXED),
        Family("qwen3", qwen3_config, QWEN3, **_PREFIXED),
        Family("gpt_neox", gpt_neox_config, GPT_NEOX, "gpt_neox.", _NEOX),
        Family("gemma", gemma_config, LLAMA, **_PREFIXED),
        Family("bloom", bloom_config, BLOOM, "transformer."),
        Family("mixtral", mixtral_config, MIXTRAL, **_PREFIXED),
    )
}


def family_of(config: Mapping[str, Any]) -> Family:
    """The family of a configuration, by its model_type; raises ValueError listing those known."""
    name = config.get("model_type")
    if name not in FAMILIES:
        raise ValueError(f"model_type is {name!r}; known are {', '.join(FAMILIES)}")
    return FAMILIES[name]


TURNED = ("query", "key", "query_norm", "key_norm")  # weights whose rows are rotary lanes


def in_pairs(family: Family) -> Family:
    """The same family with neighbouring rotary lanes: another layout, the same logits."""

    def read_config(config: Mapping[str, Any]) -> DecoderConfig:
        read = family.read_config(config)
        return replace(read, rotary=replace(read.rotary, layout="pairs"))

    table = {
        ours: (*row, "lanes to pairs") if ours.rsplit(".", 1)[-1] in TURNED else row
        for ours, row in family.table.items()
    }
    return replace(family, read_config=read_config, table=table)
