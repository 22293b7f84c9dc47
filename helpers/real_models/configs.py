"""What a real model's configuration file says, as a DecoderConfig; one function a family.

A setting that our Decoder does not have is refused by name, and never passed over in silence; where
nothing is said, it is as the transformers library takes it, or refused. Dropout is left out: these
are models to run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any

from helpers.decoder.config import DecoderConfig
from helpers.real_models.rope import read_rotary
from helpers.real_models.settings import HARMLESS, ONLY, Settings

# the names of activations in such files -> our kinds of feed-forward
PLAIN = {"gelu": "gelu", "gelu_new": "gelu_tanh", "gelu_fast": "gelu_tanh",
         "gelu_pytorch_tanh": "gelu_tanh", "relu": "relu"}  # fmt: skip
GATED = {"silu": "swiglu", "gelu": "geglu", "gelu_pytorch_tanh": "geglu_tanh"}

NEVER = (False,)  # all that may be said about a part which a family has not


def _family(**names: str) -> Callable:
    """Let a family's function read a plain mapping, of which no key is passed over.

    names: other names of keys, as the library takes them.
    """

    def of(read: Callable[[Settings], DecoderConfig]) -> Callable[[Mapping], DecoderConfig]:
        @wraps(read)
        def whole(content: Mapping[str, Any]) -> DecoderConfig:
            settings = Settings(content, names=names)
            settings.only(**ONLY)
            config = read(settings)
            settings.finish(HARMLESS)
            return config

        return whole

    return of


# ---- Llama and its relatives ---------------------------------------------------------------------


def _llama_like(
    settings: Settings, *, base: float = 10_000.0, bias: bool = False, **changes: Any
) -> DecoderConfig:
    """What Llama and its relatives share.

    base: of rotary positions, where nothing is said. bias: of the four projections of attention.
    changes: fields in which a relative differs.
    """
    width, heads = settings.count("hidden_size"), settings.count("num_attention_heads")
    changes.setdefault(
        "head_width", settings.count("head_dim", width // heads, null=width // heads)
    )
    shape = {
        "vocab_size": settings.count("vocab_size"),
        "context": settings.count("max_position_embeddings"),
        "width": width,
        "blocks": settings.count("num_hidden_layers"),
        "pad_id": None,
        "positions": "rotary",
        "rotary": read_rotary(settings, changes["head_width"], base=base),
        "heads": heads,
        "qkv_bias": bias,
        "output_bias": bias,
        "hidden": settings.count("intermediate_size"),
        "feed_forward_bias": False,
        "norm": "rms",
        "norm_eps": settings.number("rms_norm_eps"),
        "norm_placement": "pre",
        "final_norm": True,
        "head_bias": False,
        "tied_head": settings.flag("tie_word_embeddings", False),
    }
    if "feed_forward" not in changes:
        shape["feed_forward"] = settings.kind("hidden_act", GATED)
    return DecoderConfig(**shape | changes)


@_family()
def llama_config(settings: Settings) -> DecoderConfig:
    """Llama (Touvron et al. 2023): RMS norms before each part, rotary positions, SwiGLU."""
    heads = settings.count("num_attention_heads")
    return _llama_like(
        settings,
        bias=settings.flag("attention_bias", False),
        key_value_heads=settings.count("num_key_value_heads", heads, null=heads),
        feed_forward_bias=settings.flag("mlp_bias", False),
    )


@_family()
def mistral_config(settings: Settings) -> DecoderConfig:
    """Mistral (Jiang et al. 2023): Llama with a window, of 4,096 where the file says nothing."""
    settings.only(attention_bias=NEVER, mlp_bias=NEVER)
    return _llama_like(
        settings,
        key_value_heads=settings.count("num_key_value_heads"),
        window=settings.count("sliding_window", 4096, null=None),
    )


@_family()
def qwen2_config(settings: Settings) -> DecoderConfig:
    """Qwen2 (Yang et al. 2024): Llama with a bias on queries, keys and values."""
    settings.only(attention_bias=NEVER, mlp_bias=NEVER)
    return _llama_like(
        settings,
        qkv_bias=True,
        key_value_heads=_groups(settings),
        window=_windows(settings),
    )


@_family()
def qwen3_config(settings: Settings) -> DecoderConfig:
    """Qwen3 (Yang et al. 2025): Llama with normed queries and keys, and D apart from C / H."""
    settings.only(mlp_bias=NEVER)
    return _llama_like(
        settings,
        bias=settings.flag("attention_bias", False),
        key_value_heads=_groups(settings),
        head_width=settings.count("head_dim"),
        query_key_norm=True,
        window=_windows(settings),
    )


def _groups(settings: Settings) -> int:
    """How many key/value heads a Qwen model has: one for each query head where that is null."""
    return settings.count("num_key_value_heads", null=settings.count("num_attention_heads"))


def _windows(settings: Settings) -> int | tuple[int | None, ...] | None:
    """How far back each block of a Qwen model looks: one number, or one for each block."""
    blocks = settings.count("num_hidden_layers")
    window = settings.count("sliding_window", 4096, null=None)
    first = settings.get("max_window_layers", 28)  # blocks before it see all of the past
    if not settings.flag("use_sliding_window", False):
        window = None
    kinds = settings.get("layer_types")
    if kinds is None:
        if not isinstance(first, int) or isinstance(first, bool):
            raise ValueError(f"max_window_layers is {first!r}; give a whole number")
        kinds = ["sliding_attention" if i >= first else "full_attention" for i in range(blocks)]
        kinds = kinds if window is not None else ["full_attention"] * blocks
    if not isinstance(kinds, list) or not set(kinds) <= {"sliding_attention", "full_attention"}:
        raise ValueError(
            f"layer_types is {kinds!r}; known are 'sliding_attention' and 'full_attention'"
        )
    if len(kinds) != blocks:
        raise ValueError(f"layer_types names {len(kinds)} blocks, num_hidden_layers {blocks}")
    if "sliding_attention" in kinds and window is None:
        raise ValueError(
            "layer_types has blocks with 'sliding_attention', but sliding_window is null or "
            "use_sliding_window false; say how far they look back"
        )
    windows = tuple(window if kind == "sliding_attention" else None for kind in kinds)
    return windows[0] if len(set(windows)) == 1 else windows


@_family()
def gemma_config(settings: Settings) -> DecoderConfig:
    """Gemma (2024): scaled token rows, GeGLU, norms that learn the distance from 1, tied head."""
    # first files say "gelu" and mean the tanh form, as the library that reads them knows
    kinds = {"gelu": "geglu_tanh", "gelu_pytorch_tanh": "geglu_tanh"}
    settings.only(hidden_activation=(*kinds, None), mlp_bias=NEVER)
    return _llama_like(
        settings,
        bias=settings.flag("attention_bias", False),
        key_value_heads=settings.count("num_key_value_heads"),
        head_width=settings.count("head_dim"),
        feed_forward=settings.kind("hidden_act", kinds),
        embedding_scale=math.sqrt(settings.count("hidden_size")),
        norm="one_plus_rms",
        tied_head=settings.flag("tie_word_embeddings", True),
    )


@_family(num_experts="num_local_experts")
def mixtral_config(settings: Settings) -> DecoderConfig:
    """Mixtral (Jiang et al. 2024): Mistral with experts; no window where the file says nothing."""
    settings.only(attention_bias=NEVER, mlp_bias=NEVER)
    return _llama_like(
        settings,
        base=1e6,
        key_value_heads=settings.count("num_key_value_heads"),
        window=settings.count("sliding_window", None, null=None),
        experts=settings.count("num_local_experts"),
        experts_used=settings.count("num_experts_per_tok"),
    )


# ---- the others ----------------------------------------------------------------------------------


@_family(
    hidden_size="n_embd",
    max_position_embeddings="n_positions",
    num_attention_heads="n_head",
    num_hidden_layers="n_layer",
)
def gpt2_config(settings: Settings) -> DecoderConfig:
    """GPT-2 (Radford et al. 2019): learned positions, layer norms before each part, tied head."""
    settings.only(scale_attn_weights=(True,), scale_attn_by_inverse_layer_idx=(False,))
    return DecoderConfig(
        vocab_size=settings.count("vocab_size"),
        context=settings.count("n_positions"),
        width=settings.count("n_embd"),
        blocks=settings.count("n_layer"),
        pad_id=None,
        heads=settings.count("n_head"),
        hidden=settings.count("n_inner", None, null=None),
        feed_forward=settings.kind("activation_function", PLAIN),
        norm_eps=settings.number("layer_norm_epsilon"),
        norm_placement="pre",
        final_norm=True,
        head_bias=False,
        tied_head=settings.flag("tie_word_embeddings", True),
    )


@_family()
def gpt_neox_config(settings: Settings) -> DecoderConfig:
    """GPT-NeoX (Black et al. 2022): attention beside feed-forward, a part of the lanes rotary."""
    width, heads = settings.count("hidden_size"), settings.count("num_attention_heads")
    rotary = read_rotary(
        settings, width // heads, base_key="rotary_emb_base", share=0.25, share_key="rotary_pct"
    )
    # the library does not look at these two names here; some files have them besides
    settings.only(
        rope_theta=(rotary.base, None),
        partial_rotary_factor=(settings.get("rotary_pct", 0.25), None),
    )
    bias = settings.flag("attention_bias", True)
    return DecoderConfig(
        vocab_size=settings.count("vocab_size"),
        context=settings.count("max_position_embeddings"),
        width=width,
        blocks=settings.count("num_hidden_layers"),
        pad_id=None,
        positions="rotary",
        rotary=rotary,
        heads=heads,
        qkv_bias=bias,
        output_bias=bias,
        hidden=settings.count("intermediate_size"),
        feed_forward=settings.kind("hidden_act", PLAIN),
        norm_eps=settings.number("layer_norm_eps"),
        norm_placement="pre",
        parallel=settings.flag("use_parallel_residual", True),
        final_norm=True,
        head_bias=False,
        tied_head=settings.flag("tie_word_embeddings", False),
    )


@_family(num_hidden_layers="n_layer", num_attention_heads="n_head", n_embed="hidden_size")
def bloom_config(settings: Settings) -> DecoderConfig:
    """BLOOM (Le Scao et al. 2022): ALiBi, and a norm right after the token rows.

    Its files set no limit to the context; ours is seq_length, 2048 where that is not said.
    """
    width = settings.count("hidden_size")
    settings.only(apply_residual_connection_post_layernorm=(False,), n_inner=(4 * width, None))
    return DecoderConfig(
        vocab_size=settings.count("vocab_size"),
        context=settings.count("seq_length", 2048, null=2048),
        width=width,
        blocks=settings.count("n_layer"),
        pad_id=None,
        embedding_norm=True,
        positions="alibi",
        heads=settings.count("n_head"),
        feed_forward="gelu_tanh",
        norm_eps=settings.number("layer_norm_epsilon"),
        norm_placement="pre",
        final_norm=True,
        head_bias=False,
        tied_head=settings.flag("tie_word_embeddings", True),
    )
