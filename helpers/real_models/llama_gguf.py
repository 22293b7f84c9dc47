"""A llama model out of a GGUF file: its settings as a DecoderConfig, and where its weights go.

Such files hold the rows of queries and keys so that neighbours are turned together. That is the
rotary layout "pairs", so nothing has to be reordered on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from torch import Tensor

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoder.rotary import Rotary
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
# what our Decoder would have to know of, if a file had it
UNKNOWN = ("llama.expert_count", "llama.rope.scaling.type", "llama.attention.sliding_window")


def read_config(settings: Mapping[str, Any]) -> DecoderConfig:
    """The configuration in a file's fields. Raises ValueError for what is missing or not ours."""
    architecture = settings.get("general.architecture")
    if architecture != "llama":
        raise ValueError(f"the file holds the architecture {architecture!r}; known is 'llama'")
    for name in UNKNOWN:
        if settings.get(name) not in (None, 0, "none"):
            raise ValueError(f"{name} is {settings[name]!r}; this Decoder has no such part")
    width, heads = (
        _number(settings, name, int) for name in ("embedding_length", "attention.head_count")
    )
    head_width = _number(settings, "attention.key_length", int, width // max(heads, 1))
    turned = _number(settings, "rope.dimension_count", int, head_width)
    return DecoderConfig(
        vocab_size=_number(settings, "vocab_size", int, settings["vocabulary"]),
        context=_number(settings, "context_length", int),
        width=width,
        blocks=_number(settings, "block_count", int),
        pad_id=None,
        positions="rotary",
        rotary=Rotary(
            base=_number(settings, "rope.freq_base", float, 10_000.0),
            width=None if turned == head_width else turned,
            layout="pairs",
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
