"""What a real model's configuration file says, as a DecoderConfig; one function a family.

A setting that our Decoder does not have is refused by name, and never passed over in silence.
Dropout is left out: these are models to run.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from helpers.decoder.config import DecoderConfig
from helpers.decoder.rotary import Rotary

Settings = Mapping[str, Any]

# the names of activations in such files -> our kinds of feed-forward
PLAIN = {"gelu": "gelu", "gelu_new": "gelu_tanh", "gelu_fast": "gelu_tanh",
         "gelu_pytorch_tanh": "gelu_tanh", "relu": "relu"}  # fmt: skip
GATED = {"silu": "swiglu", "gelu": "geglu", "gelu_pytorch_tanh": "geglu_tanh"}


def _take(settings: Settings, name: str) -> Any:
    if settings.get(name) is None:
        raise ValueError(f"the configuration does not say {name}")
    return settings[name]


def _kind(settings: Settings, name: str, kinds: Mapping[str, str]) -> str:
    value = _take(settings, name)
    if value not in kinds:
        raise ValueError(f"{name} is {value!r}; known are {', '.join(map(repr, kinds))}")
    return kinds[value]


def _need(settings: Settings, **wanted: object) -> None:
    """Refuse settings that would need a part which our Decoder has not."""
    for name, value in wanted.items():
        given = settings.get(name)
        if given is not None and given != value:
            raise ValueError(f"{name} is {given!r}; this Decoder has only {value!r}")


def _rotary(settings: Settings, head_width: int) -> Rotary:
    """Rotary options, in today's spelling (rope_parameters) or the older one (rope_scaling)."""
    rope = settings.get("rope_parameters") or settings.get("rope_scaling") or {}
    kind = rope.get("rope_type", rope.get("type", "default"))
    base = rope.get("rope_theta") or settings.get("rope_theta") or 10_000.0
    share = rope.get("partial_rotary_factor") or settings.get("partial_rotary_factor") or 1.0
    options: dict[str, Any] = {"base": float(base)}
    if share != 1:
        options["width"] = int(head_width * share)
    if kind in ("linear", "llama3", "yarn"):
        options |= {"scaling": kind, "factor": float(_take(rope, "factor"))}
    elif kind != "default":
        raise ValueError(f"rope_type is {kind!r}; known are 'default', 'linear', 'llama3', 'yarn'")
    if kind in ("llama3", "yarn"):
        context = settings.get("max_position_embeddings")
        options["original_context"] = rope.get("original_max_position_embeddings") or context
    if kind == "llama3":
        options["low_turns"] = float(_take(rope, "low_freq_factor"))
        options["high_turns"] = float(_take(rope, "high_freq_factor"))
    if kind == "yarn":
        _need(rope, truncate=True, mscale=None, mscale_all_dim=None)
        options["low_turns"] = float(rope.get("beta_slow") or 1)
        options["high_turns"] = float(rope.get("beta_fast") or 32)
        options["magnitude"] = rope.get("attention_factor")
    return Rotary(**options)


def _windows(settings: Settings, blocks: int) -> int | tuple[int | None, ...] | None:
    """How far back each block looks: one number, or one for each block."""
    window = settings.get("sliding_window")
    if not settings.get("use_sliding_window", True):
        window = None
    kinds = settings.get("layer_types")
    if kinds is None:
        first = settings.get("max_window_layers") or 0  # blocks before it see all of the past
        kinds = ["sliding_attention" if i >= first else "full_attention" for i in range(blocks)]
    unknown = set(kinds) - {"sliding_attention", "full_attention"}
    if unknown:
        raise ValueError(f"layer_types holds {sorted(unknown)}; known are sliding and full ones")
    windows = tuple(window if kind == "sliding_attention" else None for kind in kinds)
    return windows[0] if len(set(windows)) == 1 else windows


def llama_config(settings: Settings, **changes: Any) -> DecoderConfig:
    """Llama (Touvron et al. 2023): RMS norms before each part, rotary positions, SwiGLU.

    changes: fields in which a relative of Llama differs.
    """
    width, heads = _take(settings, "hidden_size"), _take(settings, "num_attention_heads")
    head_width = settings.get("head_dim") or width // heads
    bias = bool(settings.get("attention_bias"))
    shape = {
        "vocab_size": _take(settings, "vocab_size"),
        "context": _take(settings, "max_position_embeddings"),
        "width": width,
        "blocks": _take(settings, "num_hidden_layers"),
        "pad_id": None,
        "positions": "rotary",
        "rotary": _rotary(settings, head_width),
        "heads": heads,
        "key_value_heads": settings.get("num_key_value_heads") or heads,
        "head_width": head_width,
        "qkv_bias": bias,
        "output_bias": bias,
        "hidden": _take(settings, "intermediate_size"),
        "feed_forward": _kind(settings, "hidden_act", GATED),
        "feed_forward_bias": bool(settings.get("mlp_bias")),
        "norm": "rms",
        "norm_eps": _take(settings, "rms_norm_eps"),
        "norm_placement": "pre",
        "final_norm": True,
        "head_bias": False,
        "tied_head": bool(settings.get("tie_word_embeddings", False)),
    }
    return DecoderConfig(**shape | changes)


def mistral_config(settings: Settings) -> DecoderConfig:
    """Mistral (Jiang et al. 2023): Llama with a window."""
    return llama_config(settings, window=settings.get("sliding_window"))


def qwen2_config(settings: Settings) -> DecoderConfig:
    """Qwen2 (Yang et al. 2024): Llama with a bias on queries, keys and values."""
    windows = _windows(settings, _take(settings, "num_hidden_layers"))
    return llama_config(settings, qkv_bias=True, output_bias=False, window=windows)


def qwen3_config(settings: Settings) -> DecoderConfig:
    """Qwen3 (Yang et al. 2025): Llama with normed queries and keys, and D apart from C / H."""
    windows = _windows(settings, _take(settings, "num_hidden_layers"))
    return llama_config(settings, query_key_norm=True, window=windows)


def gemma_config(settings: Settings) -> DecoderConfig:
    """Gemma (2024): scaled token rows, GeGLU, norms that learn the distance from 1, tied head."""
    _need(settings, use_bidirectional_attention=False)
    # first files say "gelu" and mean the tanh form, as the library that reads them knows
    act = {
        **settings,
        "hidden_act": settings.get("hidden_activation") or settings.get("hidden_act"),
    }
    kinds = {"gelu": "geglu_tanh", "gelu_pytorch_tanh": "geglu_tanh"}
    return llama_config(
        {**settings, "hidden_act": "gelu_pytorch_tanh"},
        feed_forward=_kind(act, "hidden_act", kinds),
        embedding_scale=math.sqrt(_take(settings, "hidden_size")),
        norm="one_plus_rms",
        tied_head=bool(settings.get("tie_word_embeddings", True)),
    )


def mixtral_config(settings: Settings) -> DecoderConfig:
    """Mixtral (Jiang et al. 2024): Mistral with experts."""
    return llama_config(
        {"rope_theta": 1e6, **settings},
        window=settings.get("sliding_window"),
        experts=_take(settings, "num_local_experts"),
        experts_used=_take(settings, "num_experts_per_tok"),
    )


def gpt2_config(settings: Settings) -> DecoderConfig:
    """GPT-2 (Radford et al. 2019): learned positions, layer norms before each part, tied head."""
    _need(
        settings,
        scale_attn_weights=True,
        scale_attn_by_inverse_layer_idx=False,
        add_cross_attention=False,
    )
    return DecoderConfig(
        vocab_size=_take(settings, "vocab_size"),
        context=_take(settings, "n_positions"),
        width=_take(settings, "n_embd"),
        blocks=_take(settings, "n_layer"),
        pad_id=None,
        heads=_take(settings, "n_head"),
        hidden=settings.get("n_inner"),
        feed_forward=_kind(settings, "activation_function", PLAIN),
        norm_eps=_take(settings, "layer_norm_epsilon"),
        norm_placement="pre",
        final_norm=True,
        head_bias=False,
        tied_head=bool(settings.get("tie_word_embeddings", True)),
    )


def gpt_neox_config(settings: Settings) -> DecoderConfig:
    """GPT-NeoX (Black et al. 2022): attention beside feed-forward, a part of the lanes rotary."""
    width, heads = _take(settings, "hidden_size"), _take(settings, "num_attention_heads")
    spelled = {  # older files have names of their own
        "rope_theta": settings.get("rotary_emb_base"),
        "partial_rotary_factor": settings.get("rotary_pct", 0.25),
    }
    bias = settings.get("attention_bias")
    return DecoderConfig(
        vocab_size=_take(settings, "vocab_size"),
        context=_take(settings, "max_position_embeddings"),
        width=width,
        blocks=_take(settings, "num_hidden_layers"),
        pad_id=None,
        positions="rotary",
        rotary=_rotary({**spelled, **settings}, width // heads),
        heads=heads,
        qkv_bias=bias is not False,
        output_bias=bias is not False,
        hidden=_take(settings, "intermediate_size"),
        feed_forward=_kind(settings, "hidden_act", PLAIN),
        norm_eps=_take(settings, "layer_norm_eps"),
        norm_placement="pre",
        parallel=bool(settings.get("use_parallel_residual", True)),
        final_norm=True,
        head_bias=False,
        tied_head=bool(settings.get("tie_word_embeddings", False)),
    )


def bloom_config(settings: Settings) -> DecoderConfig:
    """BLOOM (Le Scao et al. 2022): ALiBi, and a norm right after the token rows.

    Its files set no limit to the context; ours is seq_length, 2048 where that is not said.
    """
    _need(settings, apply_residual_connection_post_layernorm=False)
    return DecoderConfig(
        vocab_size=_take(settings, "vocab_size"),
        context=settings.get("seq_length") or 2048,
        width=settings.get("n_embed") or _take(settings, "hidden_size"),
        blocks=settings.get("num_hidden_layers") or _take(settings, "n_layer"),
        pad_id=None,
        embedding_norm=True,
        positions="alibi",
        heads=settings.get("num_attention_heads") or _take(settings, "n_head"),
        feed_forward="gelu_tanh",
        norm_eps=_take(settings, "layer_norm_epsilon"),
        norm_placement="pre",
        final_norm=True,
        head_bias=False,
        tied_head=bool(settings.get("tie_word_embeddings", True)),
    )
