"""What a config.json says, key by key: each one is read, or changes no logits, or is refused.

`Settings` notes which keys were asked for. What is left over at the end must stand on a list of
keys that cannot change logits; any other one is refused by its name, never passed over. A key that
says null is as good as absent there, since it says nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from helpers.fields import refuse_unknown
from helpers.needs import need_int, need_positive

_REQUIRED = object()

# ---- keys that cannot change logits --------------------------------------------------------------

_ABOUT_THE_FILE = (
    *("model_type", "architectures", "auto_map", "_name_or_path", "name_or_path", "_commit_hash"),
    *("transformers_version", "transformers.js_config", "tokenizer_class", "is_llama_config"),
    *("unsloth_fixed", "unsloth_version"),
    *("dtype", "torch_dtype", "use_bfloat16"),  # weights are held in float32 here
)
_HOW_IT_RUNS = (
    *("use_cache", "pretraining_tp", "slow_but_exact", "reorder_and_upcast_attn", "torchscript"),
    *("attn_implementation", "_attn_implementation", "_attn_implementation_autoset"),
    *("experts_implementation", "_experts_implementation", "chunk_size_feed_forward"),
    *("masked_softmax_fusion", "bias_dropout_fusion", "attention_softmax_in_fp32"),
    *(
        "skip_bias_add",
        "skip_bias_add_qkv",
        "offset_alibi",
        "n_ctx",
        "is_decoder",
        "tf_legacy_loss",
    ),
)
_WHAT_ELSE_IT_GIVES = (
    *("output_attentions", "output_hidden_states", "output_router_logits", "output_scores"),
    *("return_dict", "use_return_dict", "return_dict_in_generate", "tie_last_hidden_states"),
)
_TRAINING = (
    *("initializer_range", "gradient_checkpointing", "router_aux_loss_coef", "router_jitter_noise"),
    *("attention_dropout", "hidden_dropout", "classifier_dropout"),
    *("resid_pdrop", "embd_pdrop", "attn_pdrop"),
)
_OTHER_HEADS = (
    *("id2label", "label2id", "num_labels", "_num_labels", "problem_type", "finetuning_task"),
    *("task_specific_params", "prefix", "summary_type", "summary_use_proj", "summary_activation"),
    *("summary_proj_to_labels", "summary_first_dropout"),
)
_TOKENS = (
    *("bos_token_id", "eos_token_id", "pad_token_id", "unk_token_id", "sep_token_id"),
    *("cls_token_id", "mask_token_id", "decoder_start_token_id", "forced_bos_token_id"),
    *("forced_eos_token_id", "bad_words_ids"),
)
_GENERATION = (  # what older files say about decoding; newer ones have a file of their own for it
    *("do_sample", "temperature", "top_k", "top_p", "typical_p", "epsilon_cutoff", "eta_cutoff"),
    *("max_length", "min_length", "length_penalty", "repetition_penalty", "diversity_penalty"),
    *("encoder_repetition_penalty", "no_repeat_ngram_size", "encoder_no_repeat_ngram_size"),
    *("num_beams", "num_beam_groups", "num_return_sequences", "early_stopping"),
    *("exponential_decay_length_penalty", "remove_invalid_values", "suppress_tokens"),
    *("begin_suppress_tokens", "assistant_confidence_threshold", "assistant_lookbehind"),
    *("num_assistant_tokens", "num_assistant_tokens_schedule", "target_lookbehind"),
)
HARMLESS = frozenset(
    _ABOUT_THE_FILE + _HOW_IT_RUNS + _WHAT_ELSE_IT_GIVES + _TRAINING + _OTHER_HEADS
) | frozenset(_TOKENS + _GENERATION)

# keys that change nothing with these values, in every family, and are refused with any other
ONLY: Mapping[str, tuple[Any, ...]] = {
    "is_causal": (True,),
    "is_encoder_decoder": (False,),
    "add_cross_attention": (False,),
    "tie_encoder_decoder": (False,),
    "use_bidirectional_attention": (False, None),
    "pruned_heads": ({},),
    "rope_interleaved": (False,),
}

# ---- reading -------------------------------------------------------------------------------------


class Settings:
    """The keys of a configuration, and which of them were asked for.

    where: what a refusal calls it. names: other names of keys, as the library takes them, in the
    form {other: name}; two that say different things are refused.
    """

    def __init__(
        self,
        content: Mapping[str, Any],
        where: str = "config.json",
        *,
        names: Mapping[str, str] | None = None,
    ) -> None:
        content, self.where = dict(content), where
        for other, name in (names or {}).items():
            value = content.pop(other, None)
            if value is not None and content.setdefault(name, value) != value:
                raise ValueError(
                    f"{where} says {other} {value!r} and {name} {content[name]!r}, which are one "
                    "thing; leave one of them"
                )
        self._content, self._read = content, set()

    def get(self, name: str, absent: Any = None) -> Any:
        """What stands there, None for null; `absent` if nothing does."""
        self._read.add(name)
        return self._content.get(name, absent)

    def _take(self, name: str, absent: Any, null: Any) -> Any:
        value = self.get(name, absent)
        value = null if value is None else value
        if value is _REQUIRED:
            raise ValueError(f"{self.where} does not say {name}")
        return value

    def count(self, name: str, absent: Any = _REQUIRED, *, null: Any = _REQUIRED) -> Any:
        """A whole number of 1 or more, or what is given for absent and null."""
        value = self._take(name, absent, null)
        if value is not None:
            need_int(name, value, 1)
        return value

    def number(self, name: str, absent: Any = _REQUIRED, *, null: Any = _REQUIRED) -> Any:
        """A finite number above 0, as float, or what is given for absent and null."""
        value = self._take(name, absent, null)
        if value is None:
            return None
        need_positive(name, value)
        return float(value)

    def flag(self, name: str, absent: bool) -> bool:
        """True or false."""
        value = self.get(name, absent)
        if not isinstance(value, bool):
            raise ValueError(f"{name} is {value!r}; it should be true or false")
        return value

    def kind(self, name: str, kinds: Mapping[str, str]) -> str:
        """Our name for the kind that is named there."""
        value = self._take(name, _REQUIRED, _REQUIRED)
        if value not in kinds:
            raise ValueError(f"{name} is {value!r}; known are {', '.join(map(repr, kinds))}")
        return kinds[value]

    def only(self, **allowed: tuple[Any, ...]) -> None:
        """Refuse settings that would need a part which our Decoder has not.

        allowed: for each key the values it may have; it may be absent as well.
        """
        for name, values in allowed.items():
            if name in self._content and self.get(name) not in values:
                raise ValueError(
                    f"{name} is {self._content[name]!r}; this Decoder has only "
                    f"{' or '.join(map(repr, values))}"
                )

    def finish(self, harmless: Collection[str]) -> None:
        """Refuse by its name the first key that was not read and is not known to be harmless."""
        said = {name: value for name, value in self._content.items() if value is not None}
        refuse_unknown(said, self._read, harmless, self.where)
