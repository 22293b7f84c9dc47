"""A llama model out of a GGUF file: its settings as a DecoderConfig, and where its weights go.

Such files hold the rows of queries and keys so that neighbours are turned together. That is the
rotary layout "pairs", so nothing has to be reordered on the way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from torch import Tensor

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoder.rotary import Rotary
from helpers.fields import refuse_other, refuse_unknown
from helpers.real_models.checkpoint import decoder_of
from helpers.real_models.families import Family, Table
from helpers.weights.gguf_file import GGUF, Stored

TABLE: Table = {
    "token_embedding": ("token_embd",),
    "blocks.{i}.attention_norm": ("blk.{i}.attn_norm",),
    "blocks.{i}.attention.query": ("blk.{i}.attn_q",),
    "blocks.{i}.attention.key": ("blk.{i}.attn_k",),
    "blocks.{i}.attention.value": ("blk.{i}.attn_v",),
    "blocks.{i}.attention.output": ("blk.{i}.attn_output",),
    "blocks.{i}.feed_forward_norm": ("blk.{i}.ffn_norm",),
    "blocks.{i}.feed_forward.gate": ("blk.{i}.ffn_gate",),
    "blocks.{i}.feed_forward.widen": ("blk.{i}.ffn_up",),
    "blocks.{i}.feed_forward.narrow": ("blk.{i}.ffn_down",),
    "final_norm": ("output_norm",),
    "head": ("output",),
}
# fields under "llama.": what is read
READ = (
    "context_length",
    "embedding_length",
    "block_count",
    "feed_forward_length",
    "vocab_size",
    "attention.head_count",
    "attention.head_count_kv",
    "attention.key_length",
    "attention.value_length",
    "attention.layer_norm_rms_epsilon",
    "rope.dimension_count",
    "rope.freq_base",
    "rope.scaling.type",
    "rope.scaling.factor",
    "rope.scale_linear",
)
# what is read only where it says that nothing is done, as llama.cpp takes it
OFF = {
    "attention.causal": (True,),
    "attention.clamp_kqv": (0.0,),
    "attention.max_alibi_bias": (0.0,),
    "attention.scale": (0.0,),
    "attention.sliding_window": (0,),
    "attn_logit_softcapping": (0.0,),
    "embedding_scale": (0.0, 1.0),
    "expert_count": (0,),
    "expert_used_count": (0,),
    "final_logit_softcapping": (0.0,),
    "logit_scale": (0.0, 1.0),
    "pooling_type": (0,),
    "residual_scale": (0.0, 1.0),
    "rope.scaling.attn_factor": (1.0,),
    "use_parallel_residual": (False,),
}
# what cannot change a logit here: how the scaling came about, and what only "yarn" looks at
HARMLESS = ("rope.scaling.finetuned", "rope.scaling.original_context_length")
# the same for all other fields; those under "tokenizer." are the tokenizer's to read
OTHERS_OFF = {
    "general.type": ("model",),
    "split.no": (0,),
    "split.count": (0, 1),
}
_TOLD = (
    "name author version organization finetune basename description quantized_by size_label "
    "license license.name license.link url doi uuid repo_url tags languages datasets file_type "
    "quantization_version alignment parameter_count source.url source.doi source.uuid "
    "source.repo_url source.huggingface.repository base_model.count dataset.count "
    "sampling.sequence sampling.top_k sampling.top_p sampling.min_p sampling.xtc_probability "
    "sampling.xtc_threshold sampling.temp sampling.penalty_last_n sampling.penalty_repeat "
    "sampling.mirostat sampling.mirostat_tau sampling.mirostat_eta"
).split()
_NUMBERED = re.compile(
    r"general\.(base_model|dataset)\.\d+\."
    r"(name|author|version|organization|description|url|doi|uuid|repo_url)"
)
OTHERS_HARMLESS = {
    *(f"general.{name}" for name in _TOLD),
    *(f"GGUF.{name}" for name in ("version", "tensor_count", "kv_count")),
    *(f"imatrix.{name}" for name in ("chunk_count", "chunk_size", "datasets")),
    *(f"quantize.imatrix.{n}" for n in ("file", "dataset", "entries_count", "chunks_count")),
    "split.tensors.count",
}
OURS = ("vocabulary", "tied_head")  # what decoder_of_gguf puts beside the fields


def read_config(settings: Mapping[str, Any]) -> DecoderConfig:
    """The configuration in a file's fields. Raises ValueError for what is missing or not ours."""
    architecture = settings.get("general.architecture")
    if architecture != "llama":
        raise ValueError(f"the file holds the architecture {architecture!r}; known is 'llama'")
    _check_fields(settings)
    width, heads = (
        _number(settings, name, int) for name in ("embedding_length", "attention.head_count")
    )
    head_width = _number(settings, "attention.key_length", int, width // max(heads, 1))
    for name in ("attention.value_length", "rope.dimension_count"):
        if _number(settings, name, int, head_width) != head_width:
            raise ValueError(
                f"llama.{name} is {settings[f'llama.{name}']}; a head here has {head_width} lanes "
                "in queries, keys and values, and all of them are turned"
            )
    return DecoderConfig(
        vocab_size=_number(settings, "vocab_size", int, settings["vocabulary"]),
        context=_number(settings, "context_length", int),
        width=width,
        blocks=_number(settings, "block_count", int),
        pad_id=None,
        positions="rotary",
        rotary=Rotary(
            base=_number(settings, "rope.freq_base", float, 10_000.0),
            layout="pairs",
            **_scaling(settings),
        ),
        heads=heads,
        key_value_heads=_number(settings, "attention.head_count_kv", int, heads),
        head_width=head_width,
        qkv_bias=False,
        output_bias=False,
        hidden=_number(settings, "feed_forward_length", int),
        feed_forward="swiglu",
        feed_forward_bias=False,
        norm="rms",
        norm_eps=_number(settings, "attention.layer_norm_rms_epsilon", float),
        norm_placement="pre",
        final_norm=True,
        head_bias=False,
        tied_head=settings["tied_head"],
    )


def _check_fields(settings: Mapping[str, Any]) -> None:
    """Refuse what could change a logit and is not read."""
    where, under = "the GGUF file", "llama."
    off = {under + name: allowed for name, allowed in OFF.items()} | OTHERS_OFF
    refuse_other(settings, off, where)
    read = {*(under + name for name in READ), *OURS, "general.architecture"}
    harmless = {*(under + name for name in HARMLESS), *OTHERS_HARMLESS, *off}
    others = {name for name in settings if name.startswith("tokenizer.")}
    others |= {name for name in settings if _NUMBERED.fullmatch(name)}
    refuse_unknown(settings, read, harmless | others, where)


def _scaling(settings: Mapping[str, Any]) -> dict[str, Any]:
    """How positions are stretched; 0 and an absent factor stand for 1, an absent type for linear.

    scale_linear is the field's first name.
    """
    kind = settings.get("llama.rope.scaling.type", "linear")
    factors = {
        _number(settings, name, float, 0.0) or 1.0
        for name in ("rope.scaling.factor", "rope.scale_linear")
        if f"llama.{name}" in settings
    }
    if kind not in ("none", "linear"):
        raise ValueError(f"llama.rope.scaling.type is {kind!r}; built here are none and linear")
    if len(factors) > 1:
        raise ValueError("llama.rope.scaling.factor and rope.scale_linear differ; give one of them")
    factor = factors.pop() if factors else 1.0
    return {} if kind == "none" or factor == 1 else {"scaling": "linear", "factor": factor}


def _number(settings: Mapping[str, Any], name: str, kind: type, usual: Any = None) -> Any:
    value = settings.get(f"llama.{name}", usual)
    if value is None:
        raise ValueError(f"the file does not say llama.{name}")
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"llama.{name} is {value!r}; it should be of type {kind.__name__}")
    return value


LLAMA_GGUF = Family("llama in a GGUF file", read_config, TABLE, prefix="")


class _Weights(Mapping[str, Tensor]):
    """Each tensor as numbers when it is asked for, so that never more than one is there twice."""

    def __init__(self, tensors: Mapping[str, Stored]) -> None:
        self._tensors = tensors

    def __getitem__(self, name: str) -> Tensor:
        return self._tensors[name].weight()

    def __iter__(self) -> Iterator[str]:
        return iter(self._tensors)

    def __len__(self) -> int:
        return len(self._tensors)


def decoder_of_gguf(file: GGUF) -> Decoder:
    """The model in a GGUF file, in float32 and eval mode.

    Raises ValueError, in one sentence, for what is missing or does not fit.
    """
    vocabulary = file.fields.get("tokenizer.ggml.tokens") or ()
    settings = {
        **file.fields,
        "vocabulary": len(vocabulary),
        "tied_head": "output.weight" not in file.tensors,  # as such files say it
    }
    return decoder_of(settings, _Weights(file.tensors), family=LLAMA_GGUF)
