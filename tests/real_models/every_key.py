"""Every key of the nine configuration classes, each with values that change something.

A case is a family, a key, what the file says there, and what has to follow: "equal" (our logits are
the library's) or "refused" (by the key's name). The lists hold each key that the library's classes
have, inherited ones and other names included, and keys that real files have besides.
"""

from typing import Any, NamedTuple

from tests.real_models.library_models import CLASSES, pair

EQUAL, REFUSED = "equal", "refused"
ABSENT = object()


class Case(NamedTuple):
    """One change of a configuration, and what follows from it."""

    family: str
    key: str
    change: dict
    follows: str

    def settings(self) -> dict[str, Any]:
        """The configuration of the family's small model, with this change."""
        changed = base(self.family) | self.change
        return {key: value for key, value in changed.items() if value is not ABSENT}


def base(family):
    """What the library writes for the family's small model."""
    settings = dict(pair(family, 0).settings)
    settings.pop("layer_types", None)  # the library writes it beside what it follows from
    return settings


# ---- keys of all families ------------------------------------------------------------------------

EVERYWHERE = {
    EQUAL: {
        "transformers_version": ["4.1.0", ABSENT],
        "architectures": [["LlamaModel"], None, ABSENT],
        "model_type": [ABSENT],
        "_name_or_path": ["some/name"],
        "name_or_path": ["some/name"],
        "auto_map": [{"AutoModel": "code.Model"}],
        "_commit_hash": ["0123"],
        "tokenizer_class": ["GPT2Tokenizer"],
        "transformers.js_config": [{"dtype": "q4"}],
        "dtype": ["bfloat16", ABSENT],
        "torch_dtype": ["float16"],
        "use_bfloat16": [True],
        "output_hidden_states": [True],
        "output_attentions": [True],
        "return_dict": [True],  # with False the library's own models fail
        "use_cache": [False, True, ABSENT],
        "chunk_size_feed_forward": [2],
        "id2label": [{"0": "a", "1": "b", "2": "c"}],
        "label2id": [{"a": 0, "b": 1, "c": 2}],
        "num_labels": [5],
        "problem_type": ["regression"],
        "finetuning_task": ["x"],
        "task_specific_params": [{"text-generation": {"max_length": 50}}],
        "bos_token_id": [0, ABSENT],
        "eos_token_id": [[3, 4], ABSENT],
        "pad_token_id": [3, ABSENT],
        "unk_token_id": [3],
        "decoder_start_token_id": [3],
        "initializer_range": [0.5, ABSENT],
        "attention_dropout": [0.5],
        "hidden_dropout": [0.5],
        "gradient_checkpointing": [True],
        "temperature": [0.1],
        "top_k": [1],
        "repetition_penalty": [2.0],
        "max_length": [3],
        "num_beams": [4],
        "suppress_tokens": [[1, 2]],
        "tie_last_hidden_states": [False],
        "is_causal": [True],
        "is_decoder": [True],
        "is_encoder_decoder": [False],
        "add_cross_attention": [False],
        "pruned_heads": [{}],
        "quantization_config": [None],
        "rope_interleaved": [False],
        "use_bidirectional_attention": [False, None],
        "pretraining_tp": [2],
        "a_name_of_tomorrow": [None],
    },
    REFUSED: {
        "is_causal": [False, None],
        "is_encoder_decoder": [True],
        "add_cross_attention": [True],
        "pruned_heads": [{"0": [1]}],
        "quantization_config": [{"quant_method": "gptq", "bits": 4}],
        "compression_config": [{"format": "int-quantized"}],
        "per_layer_config": [{"0": {"sliding_window": 4}}],
        "attention_chunk_size": [4],
        "rope_interleaved": [True],
        "use_bidirectional_attention": [True],
        "attn_logit_softcapping": [50.0],
        "final_logit_softcapping": [30.0],
        "query_pre_attn_scalar": [4],
        "embedding_multiplier": [12.0],
        "residual_multiplier": [0.2],
        "logits_scaling": [8.0],
        "attention_multiplier": [0.01],
        "clip_qkv": [1.0],
        "use_qk_norm": [True],
        "qk_layernorm": [True],
        "no_rope_layers": [[1, 0]],
        "parallel_attn": [True],
        "num_nextn_predict_layers": [1],
        "kv_lora_rank": [4],
        "lm_head_bias": [True],
        "a_name_of_tomorrow": [1],
        "vocab_size": [ABSENT, None, 0, -1, "29", 29.0, True],
        "tie_word_embeddings": [None, "yes", 1],
    },
}


# ---- rotary positions ----------------------------------------------------------------------------


def rope(**more):
    """A rope dictionary."""
    return {"rope_type": "default", "rope_theta": 500.0} | more


LINEAR = rope(rope_type="linear", factor=3.0)
LLAMA3 = rope(rope_type="llama3", rope_theta=50.0, factor=4.0, low_freq_factor=1.0,
              high_freq_factor=4.0, original_max_position_embeddings=12)  # fmt: skip
YARN = rope(rope_type="yarn", rope_theta=100.0, factor=3.0, beta_fast=4, beta_slow=1,
            original_max_position_embeddings=8)  # fmt: skip


def without(content, *names):
    """A dictionary without some of its keys."""
    return {key: value for key, value in content.items() if key not in names}


def older(content):
    """The older spelling: the base beside the dictionary, `type` in it."""
    inner = without(content, "rope_theta", "rope_type") | {"type": content["rope_type"]}
    return {"rope_scaling": inner, "rope_theta": content["rope_theta"], "rope_parameters": ABSENT}


# what stands in rope_parameters, by the key that it tries
ROPE = {
    EQUAL: {
        "rope_theta": [rope(), rope(rope_theta=20), without(rope(), "rope_theta"), {}],
        "rope_type": [without(rope(), "rope_type"), LINEAR, LLAMA3, YARN],
        "type": [without(LINEAR, "rope_type") | {"type": "linear"}, LINEAR | {"type": "yarn"}],
        "factor": [LINEAR | {"factor": 2}, LLAMA3 | {"factor": 9.0}, YARN | {"factor": 1.5},
                   LINEAR | {"factor": 0.5}, YARN | {"factor": 0.5}],
        "low_freq_factor": [LLAMA3 | {"low_freq_factor": 0.5}],
        "high_freq_factor": [LLAMA3 | {"high_freq_factor": 2}],
        "original_max_position_embeddings": [
            without(LLAMA3, "original_max_position_embeddings"),
            without(YARN, "original_max_position_embeddings"),
            LLAMA3 | {"original_max_position_embeddings": 20},
            YARN | {"original_max_position_embeddings": 20},
            YARN | {"original_max_position_embeddings": 1},  # under half a turn of any pair
            YARN | {"original_max_position_embeddings": 10**6},  # many turns of each pair
        ],
        "beta_fast": [
            YARN | {"beta_fast": 2}, YARN | {"beta_fast": None}, without(YARN, "beta_fast"),
        ],
        "beta_slow": [YARN | {"beta_slow": 0.3}, without(YARN, "beta_slow")],
        "attention_factor": [YARN | {"attention_factor": 2.0}, YARN | {"attention_factor": None}],
        "truncate": [YARN | {"truncate": True}],
        "mscale": [YARN | {"mscale": None}],
    },
    REFUSED: {
        "rope_type": [rope(rope_type=x) for x in ("dynamic", "longrope", "proportional", "x")],
        "rope_theta": [rope(rope_theta=None), rope(rope_theta="500"), rope(rope_theta=0)],
        "factor": [rope(factor=2.0), without(LINEAR, "factor"), YARN | {"factor": None}],
        "low_freq_factor": [without(LLAMA3, "low_freq_factor"), LINEAR | {"low_freq_factor": 1.0},
                            LLAMA3 | {"low_freq_factor": 5.0}],
        "high_freq_factor": [without(LLAMA3, "high_freq_factor")],
        "attention_factor": [LLAMA3 | {"attention_factor": 2.0}, YARN | {"attention_factor": 0.0}],
        "beta_fast": [YARN | {"beta_fast": 0.5}],
        "truncate": [YARN | {"truncate": False}],
        "mscale": [YARN | {"mscale": 0.7, "mscale_all_dim": 0.5}],
        "mscale_all_dim": [YARN | {"mscale_all_dim": 0.5}],
        "short_factor": [rope(short_factor=[1.0])],
        "long_factor": [rope(long_factor=[1.0])],
        "mrope_section": [rope(mrope_section=[1, 1, 1])],
        "full_attention": [{"full_attention": rope(), "sliding_attention": rope()}],
    },
}  # fmt: skip
WHOLE_HEADS = {  # families that turn every lane
    EQUAL: {
        "partial_rotary_factor": [rope(partial_rotary_factor=1.0), {"partial_rotary_factor": 1}]
    },
    REFUSED: {"partial_rotary_factor": [rope(partial_rotary_factor=x) for x in (0.5, 0.0)]},
}
BESIDE = {  # keys beside rope_parameters, as whole changes
    EQUAL: {
        "rope_theta": [
            {"rope_theta": 500.0},  # in the dictionary stands another one, which counts
            {"rope_theta": 500.0, "rope_parameters": ABSENT},
            {"rope_theta": 500.0, "rope_parameters": None},
            {"rope_theta": ABSENT, "rope_parameters": ABSENT},
        ],
        "rope_scaling": [
            *(older(kind) for kind in (LINEAR, LLAMA3, YARN, rope())),
            {"rope_scaling": YARN, "rope_parameters": ABSENT},
            {"rope_scaling": YARN, "rope_parameters": YARN},
            {"rope_scaling": {}, "rope_parameters": YARN},
            {"rope_scaling": None},
        ],
        "original_max_position_embeddings": [
            {
                "original_max_position_embeddings": 16,
                "rope_parameters": without(YARN, "original_max_position_embeddings"),
            },
            {"original_max_position_embeddings": 16, "rope_parameters": LLAMA3},
            {"original_max_position_embeddings": 16, "rope_parameters": LINEAR},
            {"original_max_position_embeddings": 16},
        ],
        "partial_rotary_factor": [{"partial_rotary_factor": 1.0}],
    },
    REFUSED: {
        "rope_scaling": [
            {"rope_scaling": YARN},  # beside rope_parameters
            {"rope_scaling": 2.0, "rope_parameters": ABSENT},
        ],
        "rope_theta": [
            {"rope_theta": None, "rope_parameters": ABSENT},
            {"rope_theta": "x", "rope_parameters": ABSENT},
        ],
        "partial_rotary_factor": [{"partial_rotary_factor": 0.5}],
    },
}

# ---- keys of one family, or of some --------------------------------------------------------------

SIZE = [ABSENT, None, 0, "8"]
LLAMA_LIKE = {
    EQUAL: {
        "vocab_size": [40],
        "hidden_size": [40],
        "num_hidden_layers": [3],
        "num_attention_heads": [6],
        "num_key_value_heads": [1, 2],
        "intermediate_size": [12],
        "max_position_embeddings": [20],
        "rms_norm_eps": [0.1],
        "tie_word_embeddings": [True, False, ABSENT],
        "mlp_bias": [False],
        "classifier_dropout": [0.5],
    },
    REFUSED: {
        "hidden_size": SIZE,
        "num_hidden_layers": SIZE,
        "num_attention_heads": SIZE,
        "num_key_value_heads": [0, 2.0],
        "head_dim": [0, 6.5],
        "intermediate_size": SIZE,
        "max_position_embeddings": SIZE,
        "rms_norm_eps": [ABSENT, None, 0, "1e-5"],
        "hidden_act": [ABSENT, None, "relu", "gelu_new", "quick_gelu", "swish"],
        "attention_bias": ["true"],
        "mlp_bias": [1],
        "scale_attn_by_inverse_layer_idx": [True],
        "n_embd": [8],
        "n_layer": [1],
    },
}
ACTS = {EQUAL: {"hidden_act": ["silu", "gelu", "gelu_pytorch_tanh"]}, REFUSED: {}}
FREE_HEADS = {EQUAL: {"head_dim": [8, ABSENT]}, REFUSED: {}}  # D is C / H where nothing is said
NO_EXPERTS = {EQUAL: {}, REFUSED: {"num_experts": [4], "num_local_experts": [4]}}
NO_WINDOW = {
    EQUAL: {"sliding_window": [None]},
    REFUSED: {
        "sliding_window": [4],
        "use_sliding_window": [True],
        "max_window_layers": [1],
        "layer_types": [["sliding_attention", "full_attention"]],
    },
}
WINDOW = {
    EQUAL: {"sliding_window": [1, 5, None, ABSENT]},
    REFUSED: {
        "sliding_window": [0, 2.5, "all"],
        "use_sliding_window": [False],
        "max_window_layers": [1],
        "layer_types": [["sliding_attention", "full_attention"]],
    },
}
QWEN = {
    EQUAL: {
        "use_sliding_window": [
            {"use_sliding_window": use, "sliding_window": 3, "max_window_layers": 1}
            for use in (True, False, ABSENT)
        ],
        "max_window_layers": [
            {"use_sliding_window": True, "sliding_window": 3, "max_window_layers": first}
            for first in (0, 1, 2, ABSENT)
        ],
        "sliding_window": [
            {"use_sliding_window": True, "sliding_window": width, "max_window_layers": 0}
            for width in (1, 5, None, ABSENT)
        ],
        "layer_types": [
            {"layer_types": kinds, "use_sliding_window": True, "sliding_window": 3}
            for kinds in (
                ["full_attention"] * 2,
                ["sliding_attention"] * 2,
                ["sliding_attention", "full_attention"],
                None,
            )
        ],
    },
    REFUSED: {
        "use_sliding_window": [{"use_sliding_window": None}, {"use_sliding_window": "no"}],
        "max_window_layers": [
            {"max_window_layers": first, "use_sliding_window": True, "sliding_window": 3,
             "layer_types": None} for first in (None, "1")
        ],
        "layer_types": [
            {"layer_types": kinds, "use_sliding_window": True, "sliding_window": 3}
            for kinds in (["sliding_attention"], ["chunked_attention"] * 2, "full_attention")
        ],
        "sliding_window": [
            {"layer_types": ["sliding_attention"] * 2, "sliding_window": 3},
            {"layer_types": ["sliding_attention"] * 2, "use_sliding_window": True,
             "sliding_window": None},
        ],
    },
}  # fmt: skip

OWN = {
    "llama": [
        LLAMA_LIKE, ACTS, FREE_HEADS, NO_EXPERTS, NO_WINDOW,
        {
            EQUAL: {
                "attention_bias": [True, False, ABSENT],
                "mlp_bias": [True, ABSENT],
                "num_key_value_heads": [None, ABSENT],
                "head_dim": [None],
            },
            REFUSED: {},
        },
    ],
    "mistral": [
        LLAMA_LIKE, ACTS, FREE_HEADS, NO_EXPERTS, WINDOW,
        {
            EQUAL: {"head_dim": [None], "attention_bias": [False]},
            REFUSED: {
                "num_key_value_heads": [ABSENT, None], "attention_bias": [True], "mlp_bias": [True],
            },
        },
    ],
    "qwen2": [
        LLAMA_LIKE, ACTS, FREE_HEADS, NO_EXPERTS, QWEN,
        {
            EQUAL: {"num_key_value_heads": [None]},
            REFUSED: {
                "num_key_value_heads": [ABSENT], "attention_bias": [True], "mlp_bias": [True],
            },
        },
    ],
    "qwen3": [
        LLAMA_LIKE, ACTS, NO_EXPERTS, QWEN,
        {
            EQUAL: {
                "num_key_value_heads": [None],
                "head_dim": [8],
                "attention_bias": [True, False, ABSENT],
            },
            REFUSED: {
                "num_key_value_heads": [ABSENT], "head_dim": [ABSENT, None], "mlp_bias": [True],
            },
        },
    ],
    "gemma": [
        LLAMA_LIKE, NO_EXPERTS, NO_WINDOW,
        {
            EQUAL: {
                "head_dim": [8],
                "attention_bias": [True, False, ABSENT],
                "hidden_act": ["gelu", "gelu_pytorch_tanh"],
                "hidden_activation": ["gelu", "gelu_pytorch_tanh", None],
            },
            REFUSED: {
                "num_key_value_heads": [ABSENT, None],
                "head_dim": [ABSENT, None],
                "hidden_act": ["silu"],
                "hidden_activation": ["silu", "relu"],
                "mlp_bias": [True],
            },
        },
    ],
    "mixtral": [
        LLAMA_LIKE, ACTS, FREE_HEADS, WINDOW,
        {
            EQUAL: {
                "head_dim": [None],
                "attention_bias": [False],
                "num_local_experts": [3],
                "num_experts": [
                    {"num_experts": 3, "num_local_experts": ABSENT},
                    {"num_experts": 4},
                ],
                "num_experts_per_tok": [1, 4],
                "output_router_logits": [True],
                "router_aux_loss_coef": [0.5],
                "router_jitter_noise": [0.5],
            },
            REFUSED: {
                "num_key_value_heads": [ABSENT, None],
                "attention_bias": [True], "mlp_bias": [True],
                "num_local_experts": SIZE,
                "num_experts": [3, 0],
                "num_experts_per_tok": SIZE,
                "norm_topk_prob": [False],
                "moe_intermediate_size": [8],
            },
        },
    ],
    "gpt2": [{
        EQUAL: {
            "vocab_size": [40],
            "n_positions": [20],
            "n_embd": [40],
            "n_layer": [1],
            "n_head": [6],
            "n_inner": [12, None, ABSENT],
            "activation_function": ["gelu", "gelu_new", "gelu_fast", "gelu_pytorch_tanh", "relu"],
            "layer_norm_epsilon": [0.1],
            "tie_word_embeddings": [True, False, ABSENT],
            "scale_attn_weights": [True, ABSENT],
            "scale_attn_by_inverse_layer_idx": [False, ABSENT],
            "reorder_and_upcast_attn": [True],
            "n_ctx": [8],
            "hidden_size": [{"hidden_size": 40, "n_embd": ABSENT}, {"hidden_size": 24}],
            "max_position_embeddings": [{"max_position_embeddings": 20, "n_positions": ABSENT}],
            "num_attention_heads": [{"num_attention_heads": 6, "n_head": ABSENT}],
            "num_hidden_layers": [{"num_hidden_layers": 1, "n_layer": ABSENT}],
            **{f"{part}_pdrop": [0.5] for part in ("resid", "embd", "attn")},
            "summary_type": ["mean"],
            "summary_use_proj": [False],
            "summary_activation": ["tanh"],
            "summary_proj_to_labels": [False],
            "summary_first_dropout": [0.5],
        },
        REFUSED: {
            "n_positions": SIZE, "n_embd": SIZE, "n_layer": SIZE, "n_head": SIZE,
            "n_inner": [0, "12"],
            "activation_function": [ABSENT, None, "silu", "tanh", "quick_gelu"],
            "layer_norm_epsilon": [ABSENT, None, 0],
            "scale_attn_weights": [False, None],
            "scale_attn_by_inverse_layer_idx": [True],
            "hidden_size": [40], "max_position_embeddings": [20], "num_attention_heads": [6],
            "num_hidden_layers": [1],
            "rope_parameters": [rope()], "num_key_value_heads": [2], "sliding_window": [4],
            "multi_query": [True],
        },
    }],
    "gpt_neox": [{
        EQUAL: {
            "vocab_size": [40],
            "hidden_size": [32],
            "num_hidden_layers": [1],
            "num_attention_heads": [8],
            "intermediate_size": [12],
            "hidden_act": ["gelu", "gelu_new", "gelu_fast", "gelu_pytorch_tanh", "relu"],
            "max_position_embeddings": [20],
            "layer_norm_eps": [0.1],
            "tie_word_embeddings": [True, False, ABSENT],
            "use_parallel_residual": [True, False, ABSENT],
            "attention_bias": [True, False, ABSENT],
            "classifier_dropout": [0.5],
            "partial_rotary_factor": [
                {"rope_parameters": rope(partial_rotary_factor=0.5)},
                {"rope_parameters": LINEAR | {"partial_rotary_factor": 0.5}},
                {"rope_parameters": YARN | {"partial_rotary_factor": 0.5}},
                {"rope_parameters": rope()},
                {"partial_rotary_factor": 0.25},
            ],
            "rotary_pct": [
                {"rotary_pct": 0.5, "rope_parameters": ABSENT},
                {"rotary_pct": 0.5},  # in the dictionary stands another one, which counts
                {"rotary_pct": 1.0, "rope_parameters": rope()},
            ],
            "rotary_emb_base": [
                {"rotary_emb_base": 500, "rope_parameters": ABSENT},
                {"rotary_emb_base": 500},
                {"rotary_emb_base": 500, "rope_theta": 500.0, "rope_parameters": ABSENT},
            ],
            "rope_theta": [
                {"rope_theta": ABSENT, "rope_parameters": ABSENT},
                {"rope_theta": 10_000},
            ],
            "rope_scaling": [
                {"rope_scaling": {"type": "linear", "factor": 3.0}, "rope_parameters": ABSENT},
                {"rope_scaling": None},
            ],
        },
        REFUSED: {
            "hidden_size": SIZE, "num_hidden_layers": SIZE, "num_attention_heads": SIZE,
            "intermediate_size": SIZE, "max_position_embeddings": SIZE,
            "hidden_act": [ABSENT, None, "silu", "tanh"],
            "layer_norm_eps": [ABSENT, None, 0],
            "use_parallel_residual": [None, 1],
            "attention_bias": [None, "no"],
            "rope_theta": [500.0, {"rope_theta": 500.0, "rope_parameters": ABSENT}],
            "partial_rotary_factor": [
                0.5,
                {"rope_parameters": rope(partial_rotary_factor=0.2)},  # three lanes
                {"rope_parameters": rope(partial_rotary_factor=0.01)},
                {"rope_parameters": rope(partial_rotary_factor=0.0)},
                {"rope_parameters": rope(partial_rotary_factor=1.5)},
            ],
            "rotary_pct": [{"rotary_pct": None, "rope_parameters": ABSENT}],
            "rope_scaling": [{"rope_scaling": LINEAR}],
            "num_key_value_heads": [2], "head_dim": [8], "sliding_window": [4],
        },
    }],
    "bloom": [{
        EQUAL: {
            "vocab_size": [40],
            "hidden_size": [24],
            "n_embed": [{"n_embed": 24, "hidden_size": ABSENT}, {"n_embed": 12}],
            "n_layer": [1],
            "n_head": [4, 2],
            "num_hidden_layers": [{"num_hidden_layers": 1, "n_layer": ABSENT}],
            "num_attention_heads": [{"num_attention_heads": 4, "n_head": ABSENT}],
            "layer_norm_epsilon": [0.1],
            "tie_word_embeddings": [True, False, ABSENT],
            "apply_residual_connection_post_layernorm": [False, ABSENT],
            "slow_but_exact": [True],
            "pretraining_tp": [4],
            "seq_length": [20, None],
            "n_inner": [None, 48],
            "masked_softmax_fusion": [False],
            "bias_dropout_fusion": [True],
            "attention_softmax_in_fp32": [True],
            "skip_bias_add": [False],
            "skip_bias_add_qkv": [True],
            "offset_alibi": [7],
        },
        REFUSED: {
            "hidden_size": SIZE, "n_layer": SIZE, "n_head": SIZE,
            "n_embed": [24], "num_hidden_layers": [1], "num_attention_heads": [4],
            "layer_norm_epsilon": [ABSENT, None, 0],
            "apply_residual_connection_post_layernorm": [True],
            "seq_length": [0],
            "n_inner": [50],
            "rope_parameters": [rope()], "num_key_value_heads": [1], "sliding_window": [4],
            "hidden_act": ["relu"],
        },
    }],
}  # fmt: skip


def _cases():
    for family in CLASSES:
        groups = [EVERYWHERE, *OWN[family]]
        if family not in ("gpt2", "bloom", "gpt_neox"):
            groups.append(BESIDE)
        if family not in ("gpt2", "bloom"):
            for inside in [ROPE] + [WHOLE_HEADS] * (family != "gpt_neox"):
                groups.append(
                    {
                        follows: {
                            key: [
                                value if "partial_rotary_factor" in value and len(value) == 1
                                else {"rope_parameters": value} for value in values
                            ]
                            for key, values in keys.items()
                        }
                        for follows, keys in inside.items()
                    }
                )  # fmt: skip
        for group in groups:
            for follows, keys in group.items():
                for key, values in keys.items():
                    for value in values:
                        whole = isinstance(value, dict) and (
                            key in value or "rope_parameters" in value
                        )
                        yield Case(family, key, value if whole else {key: value}, follows)


CASES = tuple(_cases())
