"""From next-token laws to text: one loop, `stream`, and `generate`, which collects what it yields.

Each step reads the new tokens into the model, turns the last position's logits into a law by the
chain of controls, draws one token a row, and goes on with it. A row is finished at its first stop
token or stop string; the loop ends when all are.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from helpers.decoder.block import BlockMemory
from helpers.decoder.cache import Cache
from helpers.decoder.model import Decoder
from helpers.decoding.arguments import (
    check_device,
    check_grammar,
    check_law,
    check_lengths,
    check_seed,
    check_stops,
)
from helpers.decoding.controls import Controls, seen_ids
from helpers.decoding.grammar import Grammar
from helpers.decoding.reader import Reader
from helpers.decoding.stops import TextVocabulary
from helpers.languages.language import EOS, PAD
from helpers.languages.tokens import check_ids, check_token_mask, check_tokens
from helpers.needs import need_choice


@dataclass(frozen=True)
class Step:
    """What one step of `stream` gives, for B rows.

    tokens: the chosen ids [B]; the pad id in rows that had finished before.
    log_probabilities: ln of each chosen token's probability under the model's own law, before any
    control [B], float64; 0 in rows that had finished. None where they were not asked for.
    reasons: one a row: None while it goes on, "stop" after a stop token or string, "length" when
    max_new_tokens is reached, "context" when the model can take no more tokens.
    """

    tokens: Int[Tensor, "B"]
    log_probabilities: Float[Tensor, "B"] | None
    reasons: tuple[str | None, ...]


@dataclass(frozen=True)
class Generation:
    """What `generate` gives, for B rows.

    tokens: only the new tokens [B, N], padded behind each row's end; N is the longest row's length.
    lengths: new tokens a row [B], its stop token counted.
    log_probabilities: of each row's new tokens together, under the model's own law [B], float64;
    None where they were not asked for.
    reasons: why each row ended: "stop" or "length".
    """

    tokens: Int[Tensor, "B N"]
    lengths: Int[Tensor, "B"]
    log_probabilities: Float[Tensor, "B"] | None
    reasons: tuple[str, ...]

    def rows(self) -> list[list[int]]:
        """The new tokens of each row as a list, without padding."""
        pairs = zip(self.tokens.tolist(), self.lengths.tolist(), strict=True)
        return [row[:length] for row, length in pairs]


def next_token_law(
    logits: Float[Tensor, "... V"], temperature: float = 1.0, **controls: float
) -> Float[Tensor, "... V"]:
    """The probabilities one samples from under these controls, same shape, float64.

    Temperature 1 is the model's own law, below 1 sharper, above 1 flatter, and 0 is greedy: all
    weight on the largest logit, the lowest id where several are equal. controls: see `Controls`.
    Raises ValueError for impossible values, and for a row of logits that holds NaN or no finite
    value.
    """
    return Controls.of(temperature=temperature, **controls).law(logits)


def choose(
    law: Float[Tensor, "B V"], generators: Sequence[torch.Generator] | None
) -> Int[Tensor, "B"]:
    """One token a row: drawn with that row's generator, or the most likely if there are none.

    Raises ValueError, naming the row, for one that is no law: zeros alone, NaN, a negative entry.
    """
    check_law(law)
    if generators is None:
        return law.argmax(dim=-1)
    draws = [
        torch.multinomial(row, 1, generator=generator)
        for row, generator in zip(law, generators, strict=True)
    ]
    return torch.cat(draws)  # [B]


def stream(
    model: Decoder,
    tokens: Int[Tensor, "B T"],
    *,
    token_mask: Bool[Tensor, "B T"] | None = None,
    max_new_tokens: int | None = None,
    seed: int = 0,
    stop_ids: Collection[int] | None = (EOS,),
    stop_strings: Collection[str] | None = None,
    vocabulary: TextVocabulary | None = None,
    grammar: Grammar | None = None,
    pad_id: int = PAD,
    cache: Cache | None = None,
    memory: Sequence[BlockMemory] | None = None,
    log_probabilities: bool = True,
    **controls: float,
) -> Iterator[Step]:
    """Yield one `Step` at a time until every row has ended.

    tokens: the prompts, unequal ones padded on the left and told apart by token_mask.
    max_new_tokens: how many at most; up to the model's context if None.
    controls: temperature (0 is greedy), top_k, top_p, min_p, typical, repetition_penalty: see
    `Controls`, which also states their order.
    seed: row b draws with a generator of its own seeded seed + b, so a row's text does not depend
    on its neighbours.
    stop_ids: ids that end a row; None = no id does. stop_strings: texts that end a row in the step
    in which its new text holds one, never part of the prompt. They need the vocabulary: with a
    `Vocabulary` they match whole words, with a `Tokenizer` they may begin and end inside a token.
    The row's last token is then whole: `helpers.decoding.text_stream` cuts the text.
    grammar: what the new tokens may be, one text of it a row.
    cache: takes in everything that is read; it may already hold an earlier part of the text. The
    last chosen token is not in it yet: to go on later, begin with that token. Padding behind the
    end of a row counts as text in it, so go on with one row, or with rows that ended together. The
    repetition penalty sees what this call reads, not what the cache held before.
    memory: what cross-attention looks at (`Decoder.memory_of`).
    log_probabilities: whether each step says how likely its tokens were; with a large vocabulary
    that takes longer than to choose them.
    Bad arguments raise at the call, before the first step: also a prompt plus max_new_tokens that
    exceeds the context. The model is run in eval mode and left as it was found.
    """
    check_device(model, tokens)
    check_tokens(tokens, model.config.vocab_size)
    if token_mask is not None:
        check_token_mask(token_mask, tokens)
        if not token_mask[:, -1].all():
            raise ValueError(
                "token_mask has padding at the end of a row; prompts are padded on the left, since "
                "the next token goes on the right: pad_rows(rows, side='left')"
            )
    limit = check_lengths(model, tokens, max_new_tokens, cache)
    if cache is not None:  # also no padding between what it holds and these
        real = torch.ones_like(tokens, dtype=torch.bool) if token_mask is None else token_mask
        check_token_mask(real, tokens, past=cache.token_mask)
    chain = Controls.of(**controls)
    stops = check_stops(stop_ids, stop_strings, vocabulary, model.config.vocab_size)
    check_grammar(grammar, limit, stops, model.config.vocab_size)
    check_ids([pad_id], model.config.vocab_size, "pad_id")
    seed = check_seed(seed, len(tokens))
    generators = None  # greedy needs none
    if chain.temperature > 0:
        generators = [torch.Generator().manual_seed(seed + b) for b in range(len(tokens))]
    if memory is not None or model.config.cross_attention:
        model.check_memory(memory, len(tokens))
    need_choice("log_probabilities", log_probabilities, (True, False))
    reader = Reader(model, cache, memory)
    at_limit = "context" if max_new_tokens is None else "length"
    return _steps(
        *(reader, tokens, token_mask, limit, at_limit, chain, generators, stops, grammar, pad_id),
        log_probabilities,
    )


def _steps(
    reader, tokens, token_mask, limit, at_limit, chain, generators, stops, grammar, pad_id, say_own
):  # fmt: skip
    vocab_size = reader.model.config.vocab_size
    done = torch.zeros(len(tokens), dtype=torch.bool)
    seen = None
    if chain.repetition_penalty != 1:
        seen = seen_ids(tokens, vocab_size, token_mask)  # [B, V]
    stop_ids = torch.tensor(stops.ids, dtype=torch.int64)
    texts = [stops.row_text() for _ in tokens] if stops.strings else []
    states = [0] * len(tokens)  # where each row is in the grammar
    for step in range(1, limit + 1):
        logits = reader.read(tokens, token_mask)  # [B, V]
        allowed = None
        if grammar is not None:
            rows = [grammar.allowed(state, vocab_size) for state in states]
            allowed = torch.stack(rows) | done[:, None]
        if generators is None:  # greedy: the largest of the logits, which need no law
            chosen = chain.greedy(logits, seen=seen, allowed=allowed)  # [B]
        else:
            chosen = choose(chain.law(logits, seen=seen, allowed=allowed), generators)
        own = None
        if say_own:
            own = logits.double().log_softmax(dim=-1).gather(-1, chosen[:, None])[:, 0]  # [B]
            own = own.masked_fill(done, 0.0)
        chosen = chosen.masked_fill(done, pad_id)
        if grammar is not None:
            states = [
                state if ended else grammar.advance(state, token)
                for state, ended, token in zip(states, done.tolist(), chosen.tolist(), strict=True)
            ]
        done = done | (chosen[:, None] == stop_ids).any(dim=1)
        if texts:
            for text, token in zip(texts, chosen.tolist(), strict=True):
                text.push(token)  # in a row that has ended it changes nothing
            done = done | torch.tensor([text.stopped for text in texts])
        ended_rows = done.tolist()
        going_on = at_limit if step == limit else None
        yield Step(chosen, own, tuple("stop" if ended else going_on for ended in ended_rows))
        if all(ended_rows):
            return
        # What stands behind a finished row's end is never looked at again, so it counts as real.
        tokens, token_mask = chosen[:, None], None  # [B, 1]
        if seen is not None:
            seen.scatter_(1, tokens, True)


def generate(
    model: Decoder, tokens: Int[Tensor, "B T"], *, max_new_tokens: int, **options: object
) -> Generation:
    """Go on from each prompt for up to max_new_tokens; every other argument as in `stream`."""
    if max_new_tokens is None:
        raise ValueError("max_new_tokens is None; give a whole number, or use stream")
    steps = list(stream(model, tokens, max_new_tokens=max_new_tokens, **options))
    chosen = torch.stack([step.tokens for step in steps], dim=1)  # [B, N]
    own = None
    if steps[0].log_probabilities is not None:
        own = torch.stack([step.log_probabilities for step in steps], dim=1).sum(dim=1)  # [B]
    running = torch.tensor(  # before each step, was the row still going on?
        [[True] * len(tokens)] + [[r is None for r in step.reasons] for step in steps[:-1]]
    )
    return Generation(chosen, running.sum(dim=0), own, steps[-1].reasons)
