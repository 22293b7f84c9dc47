"""Small models of nine real architectures, made by the transformers library, and our twins."""

import json
import tempfile
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import NamedTuple

import torch
import transformers
from torch import nn

from helpers.decoder.model import Decoder
from helpers.real_models.checkpoint import decoder_of, read_folder

transformers.logging.set_verbosity_error()
transformers.logging.disable_progress_bar()

V, CONTEXT = 29, 24
SEEDS = (0, 1, 2)


def _sizes(seed):
    """Shapes that differ from seed to seed: C, H, G, D, hidden width and blocks."""
    return (
        {"C": 24, "H": 4, "G": 2, "D": 6, "hidden": 20, "blocks": 2},
        {"C": 16, "H": 2, "G": 1, "D": 10, "hidden": 28, "blocks": 3},
        {"C": 30, "H": 3, "G": 3, "D": 4, "hidden": 33, "blocks": 1},
    )[seed]


def _llama_like(seed, **more):
    n = _sizes(seed)
    return {
        "hidden_size": n["C"],
        "num_attention_heads": n["H"],
        "num_key_value_heads": n["G"],
        "head_dim": n["D"],
        "intermediate_size": n["hidden"],
        "num_hidden_layers": n["blocks"],
        "max_position_embeddings": CONTEXT,
        "rms_norm_eps": (1e-5, 1e-6, 1e-3)[seed],
        "rope_parameters": {"rope_type": "default", "rope_theta": (10_000.0, 500.0, 1e6)[seed]},
    } | more


LLAMA3 = {"rope_type": "llama3", "rope_theta": 50.0, "factor": 4.0, "low_freq_factor": 1.0,
          "high_freq_factor": 4.0, "original_max_position_embeddings": 12}  # fmt: skip
YARN = {"rope_type": "yarn", "rope_theta": 100.0, "factor": 3.0,
        "original_max_position_embeddings": 8, "beta_fast": 4, "beta_slow": 1}  # fmt: skip


def _settings(name, seed):
    """What each family's configuration class is given."""
    n, last = _sizes(seed), seed == 2
    if name == "gpt2":
        return {"n_embd": n["C"], "n_head": n["H"], "n_layer": n["blocks"], "n_positions": CONTEXT,
                "n_inner": (None, n["hidden"], 50)[seed]}  # fmt: skip
    if name == "bloom":
        heads = (3, 4, 6)[seed]  # powers of two and others
        return {"hidden_size": 4 * heads, "n_head": heads, "n_layer": n["blocks"]}
    if name == "gpt_neox":
        return {"hidden_size": 16 * n["H"], "num_attention_heads": n["H"],
                "num_hidden_layers": n["blocks"], "intermediate_size": n["hidden"],
                "max_position_embeddings": CONTEXT, "use_parallel_residual": not last,
                "attention_bias": seed != 1,
                "rope_parameters": {"rope_type": "default", "rope_theta": 10_000.0,
                                    "partial_rotary_factor": (0.25, 0.5, 1.0)[seed]}}  # fmt: skip
    more = {
        "llama": {"attention_bias": last, "mlp_bias": last, "tie_word_embeddings": seed == 1},
        "mistral": {"sliding_window": (4, 2, 7)[seed]},
        "qwen2": {"use_sliding_window": seed != 0, "sliding_window": 3, "max_window_layers": seed},
        "qwen3": {"attention_bias": last, "tie_word_embeddings": last},
        "gemma": {},
        "mixtral": {"num_local_experts": 4 - seed, "num_experts_per_tok": 2 - (seed == 1),
                    "sliding_window": 5 if last else None},
    }[name]  # fmt: skip
    if name == "qwen2":  # its heads have no width of their own
        shape = _llama_like(seed, hidden_size=n["H"] * n["D"], **more)
        del shape["head_dim"]
        return shape
    if name == "llama" and seed:
        more["rope_parameters"] = (LLAMA3, YARN)[seed - 1]
        more["hidden_size"] = 12 * n["H"]
    return _llama_like(seed, **more)


CLASSES = {
    "gpt2": (transformers.GPT2Config, transformers.GPT2LMHeadModel),
    "llama": (transformers.LlamaConfig, transformers.LlamaForCausalLM),
    "mistral": (transformers.MistralConfig, transformers.MistralForCausalLM),
    "qwen2": (transformers.Qwen2Config, transformers.Qwen2ForCausalLM),
    "qwen3": (transformers.Qwen3Config, transformers.Qwen3ForCausalLM),
    "gpt_neox": (transformers.GPTNeoXConfig, transformers.GPTNeoXForCausalLM),
    "gemma": (transformers.GemmaConfig, transformers.GemmaForCausalLM),
    "bloom": (transformers.BloomConfig, transformers.BloomForCausalLM),
    "mixtral": (transformers.MixtralConfig, transformers.MixtralForCausalLM),
}


class Pair(NamedTuple):
    """A model of the library, what its files hold, and our Decoder made of these files."""

    theirs: nn.Module
    settings: dict
    weights: dict
    ours: Decoder


def real_model(name, seed):
    """A model of the library whose norms and biases are away from their plain beginning."""
    ids = {"bos_token_id": 1, "eos_token_id": None, "pad_token_id": None}
    return model_of(name, {"vocab_size": V, **ids, **_settings(name, seed)}, seed)


def model_of(name, settings, seed=0):
    """The library's model of a configuration, as its file says it, with drawn weights."""
    config_class, model_class = CLASSES[name]
    config = config_class(**deepcopy(settings))
    config._attn_implementation = config._experts_implementation = "eager"
    model = model_class(config).eval()
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in model.parameters():  # a tied matrix is here once
            noise = torch.randn(parameter.shape, generator=generator)
            if parameter.ndim == 1:
                parameter += 0.3 * noise
            else:
                parameter.copy_(noise / parameter.shape[-1] ** 0.5)
    return model


def saved(model):
    """What the files hold that the library writes: settings, and weights by name."""
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        return read_folder(Path(folder))


@cache
def pair(name, seed):
    """The pair of a family and seed; the weights went over the disk, as with a real model."""
    theirs = real_model(name, seed)
    settings, weights = saved(theirs)
    return Pair(theirs, json.loads(json.dumps(settings)), weights, decoder_of(settings, weights))
