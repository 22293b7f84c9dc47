"""From next-token laws to text: one loop, `stream`, and `generate`, which collects what it yields.

Each step runs the model on everything so far, keeps the logits of the last position, chooses one
token a row, and appends it. A row is finished at its first stop token; the loop ends when all are.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from helpers.language import EOS, PAD
from helpers.model import Decoder, evaluating
from helpers.tokens import check_ids, check_token_mask, check_tokens


@dataclass(frozen=True)
class Step:
    """What one step of `stream` gives, for B rows.

    tokens: the chosen ids [B]; the pad id in rows that had finished before.
    reasons: one a row: None while it goes on, "stop" after a stop token, "length" when
    max_new_tokens is reached, "context" when the model can take no more tokens.
    """

    tokens: Int[Tensor, "B"]
    reasons: tuple[str | None, ...]


@dataclass(frozen=True)
class Generation:
    """What `generate` gives, for B rows.

    tokens: only the new tokens [B, N], padded behind each row's end; N is the longest row's length.
    lengths: new tokens a row [B], its stop token counted.
    reasons: why each row ended: "stop" or "length".
    """

    tokens: Int[Tensor, "B N"]
    lengths: Int[Tensor, "B"]
    reasons: tuple[str, ...]

    def rows(self) -> list[list[int]]:
        """The new tokens of each row as a list, without padding."""
        pairs = zip(self.tokens.tolist(), self.lengths.tolist(), strict=True)
        return [row[:length] for row, length in pairs]


def next_token_law(
    logits: Float[Tensor, "... V"], temperature: float = 1.0
) -> Float[Tensor, "... V"]:
    """The probabilities one samples from at `temperature`, same shape, float64.

    Temperature 1 is the model's own law, below 1 sharper, above 1 flatter. Temperature 0 is
    greedy: all weight on the largest logit, the lowest id where several are equal.
    Raises ValueError for a negative, infinite or NaN temperature, and for a row of logits that
    holds NaN or no finite value.
    """
    if not (temperature >= 0 and math.isfinite(temperature)):
        raise ValueError(f"temperature is {temperature}; give 0 (greedy) or a positive number")
    if logits.isnan().any():
        raise ValueError("logits hold NaN; the model's numbers are broken before decoding begins")
    largest = logits.double().amax(dim=-1, keepdim=True)
    if not largest.isfinite().all():
        raise ValueError("a row of logits has no finite largest value; no token could be chosen")
    below = logits.double() - largest  # at most 0, and 0 for the largest: division cannot overflow
    if temperature == 0:
        best = logits.argmax(dim=-1, keepdim=True)
        return torch.zeros_like(below).scatter(-1, best, 1.0)
    # A tiny temperature may turn a gap into -inf, which is weight 0, and leaves 0 / T at 0.
    return (below / temperature).softmax(dim=-1)


def choose(
    logits: Float[Tensor, "B V"],
    temperature: float,
    generators: list[torch.Generator] | None,
) -> Int[Tensor, "B"]:
    """One token a row: the most likely at temperature 0, else drawn with that row's generator."""
    law = next_token_law(logits, temperature)  # [B, V]
    if temperature == 0:
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
    temperature: float = 1.0,
    seed: int = 0,
    stop_ids: Collection[int] = (EOS,),
    pad_id: int = PAD,
) -> Iterator[Step]:
    """Yield one `Step` at a time until every row has ended.

    tokens: the prompts, unequal ones padded on the left and told apart by token_mask.
    max_new_tokens: how many at most; up to the model's context if None.
    temperature: 0 is greedy. seed: row b draws with a generator of its own seeded seed + b, so a
    row's text does not depend on its neighbours. stop_ids: ids that end a row; may be empty.
    Bad arguments raise at the call, before the first step: also a prompt plus max_new_tokens that
    exceeds the context. The model is run in eval mode and left as it was found.
    """
    _check_device(model, tokens)
    check_tokens(tokens, model.config.vocab_size)
    if token_mask is None:
        token_mask = torch.ones_like(tokens, dtype=torch.bool)
    check_token_mask(token_mask, tokens)
    if not token_mask[:, -1].all():
        raise ValueError(
            "token_mask has padding at the end of a row; prompts are padded on the left, since "
            "the next token goes on the right: pad_rows(rows, side='left')"
        )
    room = model.config.context - tokens.shape[1]
    _check_lengths(tokens.shape[1], max_new_tokens, room, model.config.context)
    next_token_law(torch.zeros(1), temperature)  # refuses an impossible temperature
    stop_row = check_ids(stop_ids, model.config.vocab_size, "stop_ids")
    stop = torch.tensor(stop_row, dtype=torch.int64)
    check_ids([pad_id], model.config.vocab_size, "pad_id")
    if isinstance(seed, bool) or not isinstance(seed, int):
        raise TypeError(f"seed is {seed!r}; give a whole number")
    generators = [torch.Generator().manual_seed(seed + b) for b in range(len(tokens))]
    limit, at_limit = (room, "context") if max_new_tokens is None else (max_new_tokens, "length")
    return _steps(
        model, tokens, token_mask, limit, at_limit, float(temperature), generators, stop, pad_id
    )


def _steps(model, tokens, token_mask, limit, at_limit, temperature, generators, stop, pad_id):
    done = torch.zeros(len(tokens), dtype=torch.bool)
    for step in range(1, limit + 1):
        with torch.no_grad(), evaluating(model):
            logits = model(tokens, token_mask)[:, -1]  # [B, V]: only the last position is needed
        chosen = choose(logits, temperature, generators).masked_fill(done, pad_id)  # [B]
        done = done | torch.isin(chosen, stop)
        going_on = at_limit if step == limit else None
        yield Step(chosen, tuple("stop" if ended else going_on for ended in done.tolist()))
        if done.all():
            return
        tokens = torch.cat([tokens, chosen[:, None]], dim=1)  # [B, T + 1]
        # What stands behind a finished row's end is never looked at again, so it may count as real.
        token_mask = torch.cat([token_mask, torch.ones_like(token_mask[:, :1])], dim=1)


def generate(
    model: Decoder,
    tokens: Int[Tensor, "B T"],
    *,
    max_new_tokens: int,
    token_mask: Bool[Tensor, "B T"] | None = None,
    temperature: float = 1.0,
    seed: int = 0,
    stop_ids: Collection[int] = (EOS,),
    pad_id: int = PAD,
) -> Generation:
    """Go on from each prompt for up to max_new_tokens; arguments as in `stream`."""
    steps = list(
        stream(
            model,
            tokens,
            token_mask=token_mask,
            max_new_tokens=max_new_tokens,
            temperature=temperature,
            seed=seed,
            stop_ids=stop_ids,
            pad_id=pad_id,
        )
    )
    chosen = torch.stack([step.tokens for step in steps], dim=1)  # [B, N]
    running = torch.tensor(  # before each step, was the row still going on?
        [[True] * len(tokens)] + [[r is None for r in step.reasons] for step in steps[:-1]]
    )
    return Generation(chosen, running.sum(dim=0), steps[-1].reasons)


def _check_device(model: Decoder, tokens: Tensor) -> None:
    for parameter in model.parameters():
        if isinstance(tokens, Tensor) and tokens.device != parameter.device:
            raise ValueError(
                f"tokens are on {tokens.device}, the model on {parameter.device}; "
                "move one with .to(device)"
            )


def _check_lengths(prompt: int, max_new_tokens: int | None, room: int, context: int) -> None:
    if max_new_tokens is None:
        if room < 1:
            raise ValueError(
                f"the prompt has {prompt} tokens and fills the context of {context}; "
                "no room to go on"
            )
        return
    whole = isinstance(max_new_tokens, int) and not isinstance(max_new_tokens, bool)
    if not whole or max_new_tokens < 1:
        raise ValueError(f"max_new_tokens is {max_new_tokens!r}; give a whole number of 1 or more")
    if max_new_tokens > room:
        raise ValueError(
            f"a prompt of {prompt} tokens plus max_new_tokens={max_new_tokens} exceeds the context "
            f"of {context}; at most {max(room, 0)} new tokens fit"
        )
