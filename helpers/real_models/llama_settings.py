"""A DecoderConfig as the config.json of Llama or one of its relatives, or a refusal by name.

Each family's words are tried in turn. What was written is read again by that family's own function:
it counts if it says the same, field by field.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from helpers.decoder.config import PLAIN_ROTARY, DecoderConfig
from helpers.decoder.rotary import Rotary
from helpers.real_models.configs import GATED
from helpers.real_models.families import FAMILIES

Settings = dict[str, Any]

# what Llama and its relatives have in common; no file of theirs says anything else
ALWAYS = {
    "positions": "rotary",
    "relative_reach": None,
    "attention": True,
    "causal": True,
    "cross_attention": False,
    "embedding_scale": 1.0,
    "embedding_norm": False,
    "experts": None,
    "norm": "rms",
    "norm_placement": "pre",
    "parallel": False,
    "final_norm": True,
    "head_bias": False,
    "logit_cap": None,
}
# of the fields of Rotary besides the base, those that a scaling looks at
TURNS = {
    "none": (),
    "linear": ("factor",),
    "llama3": ("factor", "original_context", "low_turns", "high_turns"),
    "yarn": ("factor", "original_context", "low_turns", "high_turns", "magnitude"),
}
WORDS = {
    "factor": "factor",
    "original_context": "original_max_position_embeddings",
    "magnitude": "attention_factor",
}
TURN_WORDS = {
    "llama3": {"low_turns": "low_freq_factor", "high_turns": "high_freq_factor"},
    "yarn": {"low_turns": "beta_slow", "high_turns": "beta_fast"},
}


def settings_of(config: DecoderConfig) -> Settings:
    """The content of a config.json that says this configuration.

    The files have lanes in halves, and say nothing of dropout and of a row that stays zero.
    Raises ValueError, naming the fields, for a configuration that no relative of Llama can say.
    """
    wrong = [name for name, value in ALWAYS.items() if getattr(config, name) != value]
    if wrong:
        raise ValueError(_sentence(config, wrong))
    wanted = _as_read(config)
    closest, refusal = [], ""
    for name, words in FORMS.items():
        settings = _shared(wanted, name) | words(wanted)
        try:
            said = FAMILIES[name].read_config(settings)
        except ValueError as error:
            refusal = str(error)
            continue
        wrong = [f.name for f in fields(said) if getattr(said, f.name) != getattr(wanted, f.name)]
        if not wrong and name == "llama" and wanted.width % wanted.heads:
            wrong = ["width", "heads"]  # the library wants C to be a multiple of H there
        if not wrong:
            return settings
        closest = closest if closest and len(closest) <= len(wrong) else wrong
    raise ValueError(_sentence(config, closest) if closest else refusal)


def _sentence(config: DecoderConfig, names: list[str]) -> str:
    values = ", ".join(f"{name}={getattr(config, name)!r}" for name in names)
    return f"files of Llama's kind cannot say {values}"


def _as_read(config: DecoderConfig) -> DecoderConfig:
    """The same model as one who reads a file has it: all is said, and nothing that is idle."""
    rotary, windows = config.rotary, set(config.windows)
    turned = None if rotary.width == config.D else rotary.width
    used = {name: getattr(rotary, name) for name in TURNS[rotary.scaling]}
    if rotary.scaling != "yarn" and rotary.magnitude not in (None, 1):
        used["magnitude"] = rotary.magnitude  # nobody can say that; it is refused by name
    if rotary.scaling == "none":
        used["factor"] = rotary.factor
    plain = Rotary(base=float(rotary.base), width=turned, scaling=rotary.scaling, **used)
    return replace(
        config,
        pad_id=None,
        dropout=0.0,
        key_value_heads=config.G,
        head_width=config.D,
        hidden=config.hidden_width,
        rotary=PLAIN_ROTARY if plain == PLAIN_ROTARY else plain,
        window=windows.pop() if len(windows) == 1 else config.window,
    )


# ---- words --------------------------------------------------------------------------------------


def _shared(config: DecoderConfig, name: str) -> Settings:
    """What every one of these files says."""
    acts = {ours: theirs for theirs, ours in GATED.items()}
    return {
        "model_type": name,
        "architectures": [ARCHITECTURES[name]],
        "vocab_size": config.vocab_size,
        "hidden_size": config.width,
        "intermediate_size": config.hidden,
        "num_hidden_layers": config.blocks,
        "num_attention_heads": config.heads,
        "num_key_value_heads": config.key_value_heads,
        "head_dim": config.head_width,
        "hidden_act": acts.get(config.feed_forward, "silu"),
        "max_position_embeddings": config.context,
        "rms_norm_eps": config.norm_eps,
        "tie_word_embeddings": config.tied_head,
        **_rope(config.rotary),
    }


def _rope(rotary: Rotary) -> Settings:
    """Rotary options in the older spelling, which all readers know."""
    if rotary.scaling == "none":
        return {"rope_theta": rotary.base, "rope_scaling": None}
    words = WORDS | TURN_WORDS.get(rotary.scaling, {})
    said = {words[name]: getattr(rotary, name) for name in TURNS[rotary.scaling]}
    said = {word: value for word, value in said.items() if value is not None}
    return {"rope_theta": rotary.base, "rope_scaling": {"rope_type": rotary.scaling} | said}


def _llama(config: DecoderConfig) -> Settings:
    return {"attention_bias": config.qkv_bias, "mlp_bias": config.feed_forward_bias}


def _mistral(config: DecoderConfig) -> Settings:
    return {"sliding_window": config.window if isinstance(config.window, int) else None}


def _qwen2(config: DecoderConfig) -> Settings:
    """A window of one width, for each block or not."""
    widths = {width for width in config.windows if width is not None}
    kinds = ["full_attention" if w is None else "sliding_attention" for w in config.windows]
    return {
        "use_sliding_window": bool(widths),
        "sliding_window": max(widths, default=None),
        "max_window_layers": config.blocks,
        "layer_types": kinds,
    }


def _qwen3(config: DecoderConfig) -> Settings:
    return _qwen2(config) | {"attention_bias": config.qkv_bias}


FORMS: dict[str, Callable[[DecoderConfig], Settings]] = {
    "llama": _llama,
    "mistral": _mistral,
    "qwen2": _qwen2,
    "qwen3": _qwen3,
}
ARCHITECTURES = {
    "llama": "LlamaForCausalLM",
    "mistral": "MistralForCausalLM",
    "qwen2": "Qwen2ForCausalLM",
    "qwen3": "Qwen3ForCausalLM",
}
