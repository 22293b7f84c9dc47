"""What is checked before text is made: every bad argument raises before the first pass."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from numbers import Integral

from jaxtyping import Float
from torch import Tensor

from helpers.decoder.cache import Cache, PreallocatedCache
from helpers.decoder.model import Decoder
from helpers.decoding.controls import first_row
from helpers.decoding.grammar import Grammar
from helpers.decoding.stops import Stops, TextVocabulary
from helpers.languages.tokens import check_ids


def check_device(model: Decoder, tokens: Tensor) -> None:
    """Raise ValueError if tokens and model are not on one device."""
    for parameter in model.parameters():
        if isinstance(tokens, Tensor) and tokens.device != parameter.device:
            raise ValueError(
                f"tokens are on {tokens.device}, the model on {parameter.device}; "
                "move one with .to(device)"
            )


def check_lengths(
    model: Decoder, tokens: Tensor, max_new_tokens: int | None, cache: Cache | None
) -> int:
    """How many tokens may be made at most.

    Raises ValueError if the prompt leaves no room, or max_new_tokens exceeds the context or cache.
    """
    context, prompt = model.config.context, tokens.shape[1]
    if cache is not None:
        model.check_cache(cache, *tokens.shape)
        prompt += cache.length
    room = context - prompt
    if max_new_tokens is None:
        if room < 1:
            raise ValueError(
                f"the prompt has {prompt} tokens and fills the context of {context}; "
                "no room to go on"
            )
        max_new_tokens = room
    whole = isinstance(max_new_tokens, Integral) and not isinstance(max_new_tokens, bool)
    if not whole or max_new_tokens < 1:
        raise ValueError(f"max_new_tokens is {max_new_tokens!r}; give a whole number of 1 or more")
    if max_new_tokens > room:
        raise ValueError(
            f"a prompt of {prompt} tokens plus max_new_tokens={max_new_tokens} exceeds the context "
            f"of {context}; at most {max(room, 0)} new tokens fit"
        )
    needed = prompt + max_new_tokens - 1  # the last token is not read any more
    if isinstance(cache, PreallocatedCache) and needed > cache.capacity:
        raise ValueError(
            f"a prompt of {prompt} tokens plus max_new_tokens={max_new_tokens} needs room for "
            f"{needed}, the cache has {cache.capacity}; make a larger one"
        )
    return max_new_tokens


def check_stop_ids(stop_ids: Collection[int] | None, vocab_size: int) -> list[int]:
    """The ids that end a text, none if None; raises ValueError for an empty list or unknown id."""
    if stop_ids is None:
        return []
    if not isinstance(stop_ids, Iterable):
        raise TypeError(f"stop_ids is {stop_ids!r}; give a list of ids, or None for no stop token")
    stops = check_ids(stop_ids, vocab_size, "stop_ids")
    if not stops:
        raise ValueError("stop_ids is empty; give at least one id, or None if no id ends a row")
    return stops


def check_vocabulary(vocabulary: TextVocabulary, vocab_size: int) -> None:
    """Raise TypeError for what tells no tokens' texts, ValueError for another number of ids."""
    if not isinstance(vocabulary, TextVocabulary):
        raise TypeError(f"vocabulary is {vocabulary!r}; give a Vocabulary or a Tokenizer")
    if len(vocabulary) != vocab_size:
        raise ValueError(
            f"vocabulary has {len(vocabulary)} words or tokens, the model {vocab_size} ids; "
            "give the model's own"
        )


def check_stops(
    stop_ids: Collection[int] | None,
    stop_strings: Collection[str] | None,
    vocabulary: TextVocabulary | None,
    vocab_size: int,
) -> Stops:
    """All that ends a row; raises for empty lists, strings that can never come, and no strings."""
    ids = tuple(check_stop_ids(stop_ids, vocab_size))
    if stop_strings is None:
        return Stops(ids, vocabulary=vocabulary)
    if isinstance(stop_strings, str):
        raise TypeError(f"stop_strings is {stop_strings!r}; give a list of strings")
    if vocabulary is None:
        raise ValueError(
            "stop_strings needs vocabulary=, the model's Vocabulary or Tokenizer, which knows the "
            "texts of its tokens"
        )
    check_vocabulary(vocabulary, vocab_size)
    strings = list(stop_strings)
    if not strings:
        raise ValueError("stop_strings is empty; give at least one, or None for no such string")
    stops = []
    for string in strings:
        if not isinstance(string, str):
            raise TypeError(f"stop_strings holds {string!r}; give strings")
        try:
            stops.append(tuple(vocabulary.text_units(string)))
        except ValueError as error:
            raise ValueError(f"stop string {string!r} can never come: {error}") from None
        if not stops[-1]:
            raise ValueError(
                f"stop string {string!r} has no word or character; it would end every row at once"
            )
    return Stops(ids, tuple(stops), vocabulary)


def check_grammar(grammar: Grammar | None, limit: int, stops: Stops, vocab_size: int) -> None:
    """Raise ValueError if a text of the grammar could be cut off, or would not end its row."""
    if grammar is None:
        return
    if not isinstance(grammar, Grammar):
        raise TypeError(f"grammar is {grammar!r}; give Grammar.of_texts(rows of ids)")
    ending = set(stops.ids)
    if stops.strings:
        if not stops.vocabulary.separator or any(len(string) > 1 for string in stops.strings):
            raise ValueError(
                "stop_strings of several words could cut off a text of the grammar in its middle, "
                "and so could characters; give stop_ids, its end tokens, alone"
            )
        words = {string[0] for string in stops.strings}
        ending |= {
            i for i in range(vocab_size) if {*stops.vocabulary.text_stream().push(i)} & words
        }
    check_ids(grammar.last_tokens() | grammar.inner_tokens(), vocab_size, "grammar")
    if not grammar.last_tokens() <= ending or grammar.inner_tokens() & ending:
        raise ValueError(
            f"the grammar's texts end with {sorted(grammar.last_tokens())}; these and no other of "
            f"its tokens must be in stop_ids, which are {sorted(ending)}"
        )
    if grammar.longest > limit:
        raise ValueError(
            f"the grammar's longest text has {grammar.longest} tokens, only {limit} may be made; "
            "a text that is cut off would not have the form"
        )


def check_seed(seed: int, batch: int) -> int:
    """The same seed as a plain whole number, if it and the next batch - 1 can seed a generator."""
    if isinstance(seed, bool) or not isinstance(seed, Integral):
        raise TypeError(f"seed is {seed!r}; give a whole number")
    seed = int(seed)
    if not -(2**63) <= seed <= 2**64 - batch:
        raise ValueError(f"seed is {seed}; give one from -2**63 to 2**64 - {batch}")
    return seed


def check_law(law: Float[Tensor, "B V"]) -> None:
    """Refuse rows that are no law to draw a token from, naming the first of them.

    Raises TypeError unless floating, ValueError for NaN, a negative or infinite entry, or zeros
    alone. A row need not sum to 1.
    """
    if not isinstance(law, Tensor) or not law.is_floating_point():
        given = law.dtype if isinstance(law, Tensor) else type(law).__name__
        raise TypeError(f"law is {given}; give a floating tensor [B, V]")
    if law.ndim != 2 or law.shape[-1] == 0:
        raise ValueError(f"law has shape {list(law.shape)}; give [B, V] with V of 1 or more")
    total, least = law.sum(dim=-1), law.amin(dim=-1)
    broken = ~((least >= 0) & (total > 0) & total.isfinite())  # NaN is in neither
    if broken.any():
        row = first_row(broken)
        entries = law[int(row)]
        if entries.isnan().any():
            what = "holds NaN"
        elif (entries < 0).any():
            what = f"holds a negative entry, {entries.min():.3g}"
        elif entries.isinf().any():
            what = "holds an infinite entry"
        elif not (entries > 0).any():
            what = "is zeros alone"
        else:
            what = f"sums to more than {law.dtype} can hold"
        raise ValueError(
            f"row {row} of the law {what}; give probabilities of 0 or more, at least one above 0"
        )
