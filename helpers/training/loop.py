"""Teaching a decoder to predict the next token, and measuring what it has learned against truth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from helpers.decoder.model import Decoder
from helpers.decoder.modes import evaluating, in_mode
from helpers.languages.language import Language
from helpers.languages.tokens import check_token_mask, check_tokens, pad_rows

IGNORE = -100  # the target that counts for nothing; torch's cross_entropy uses the same number


def next_token_targets(
    tokens: Int[Tensor, "B T"], token_mask: Bool[Tensor, "B T"] | None = None
) -> Int[Tensor, "B T"]:
    """What each position should predict: the token one to its right, shape [B, T].

    The last column, and every position at padding or followed by padding, gets IGNORE. Padding is
    known from the mask and never from an id, since a model may pad with its end token.
    """
    targets = torch.full_like(tokens, IGNORE)
    targets[:, :-1] = tokens[:, 1:]
    if token_mask is not None:
        check_token_mask(token_mask, tokens)
        followed = token_mask[:, :-1] & token_mask[:, 1:]  # both ends of the step are real
        targets[:, :-1] = targets[:, :-1].masked_fill(~followed, IGNORE)
    return targets


def next_token_loss(
    logits: Float[Tensor, "B T V"],
    tokens: Int[Tensor, "B T"],
    token_mask: Bool[Tensor, "B T"] | None = None,
    *,
    reduction: Literal["mean", "sum", "none"] = "mean",
) -> Float[Tensor, ""] | Float[Tensor, "B T"]:
    """Cross-entropy of the next token in nats. The shift happens here, and only here.

    tokens: the very tokens that went into the model, not shifted. reduction: "mean" divides by the
    number of counted targets, "sum" does not, "none" gives [B, T] with zeros where nothing counts.
    With no counted target at all the result is 0 and its gradients are zeros, never NaN.
    """
    if logits.ndim != 3 or logits.shape[:2] != tokens.shape:
        raise ValueError(
            f"logits has shape {list(logits.shape)}, tokens {list(tokens.shape)}; "
            "give [B, T, V] and [B, T]"
        )
    if reduction not in ("mean", "sum", "none"):
        raise ValueError(f"reduction is {reduction!r}; give 'mean', 'sum' or 'none'")
    check_tokens(tokens, logits.shape[-1])
    targets = next_token_targets(tokens, token_mask)
    exact = torch.promote_types(logits.dtype, torch.float32)  # sums of 16-bit losses overflow
    losses = F.cross_entropy(
        logits.to(exact).transpose(1, 2), targets, ignore_index=IGNORE, reduction="none"
    )  # [B, T]
    if reduction == "none":
        return losses
    counted = (targets != IGNORE).sum()
    return losses.sum() if reduction == "sum" else losses.sum() / counted.clamp(min=1)


@dataclass(frozen=True)
class Batch:
    """Rows of tokens [B, T] with their token mask [B, T], True = real token."""

    tokens: Int[Tensor, "B T"]
    token_mask: Bool[Tensor, "B T"]

    @staticmethod
    def of(rows: Sequence[Sequence[int]], length: int | None = None) -> Batch:
        """Rows of unequal length, padded on the right."""
        return Batch(*pad_rows(rows, length))

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """What a model is called with."""
        return self.tokens, self.token_mask


def shuffled_batches(
    rows: Sequence[Sequence[int]], batch_size: int, *, seed: int
) -> Iterator[Batch]:
    """Batches without end: every row once in a new random order, then again.

    The last rows of a round that do not fill a batch are left for the next round's order.
    """
    if not 1 <= batch_size <= len(rows):
        raise ValueError(f"batch_size is {batch_size}; give 1 to {len(rows)}, the number of rows")
    everything = Batch.of(rows)
    generator = torch.Generator().manual_seed(seed)
    while True:
        order = torch.randperm(len(rows), generator=generator)
        for start in range(0, len(rows) - batch_size + 1, batch_size):
            chosen = order[start : start + batch_size]
            yield Batch(everything.tokens[chosen], everything.token_mask[chosen])


def cosine_rate(step: int, steps: int, start: float) -> float:
    """The learning rate at `step` of `steps`: from `start` down to 0 along half a cosine."""
    return start * 0.5 * (1 + math.cos(math.pi * step / steps))


def train(
    model: Decoder,
    batches: Iterator[Batch],
    *,
    steps: int,
    rate: float = 0.003,
    schedule: Literal["cosine", "constant"] = "cosine",
    seed: int = 0,
    after_step: Callable[[int, float], None] | None = None,
) -> list[float]:
    """Train with Adam for `steps` batches; returns each step's loss in nats a token.

    seed: decides dropout's draws; torch's global generator is left as it was found.
    after_step: called with (step from 1, loss), for printing or recording.
    Every part of the model is left in the mode (train or eval) it came in. Raises ValueError on
    impossible numbers before anything is changed and when the batches end too early, RuntimeError
    naming the step if the loss is no longer finite.
    """
    if steps < 1:
        raise ValueError(f"steps is {steps}; give 1 or more")
    if not (rate > 0 and math.isfinite(rate)):
        raise ValueError(f"rate is {rate}; give a positive finite number")
    if schedule not in ("cosine", "constant"):
        raise ValueError(f"schedule is {schedule!r}; give 'cosine' or 'constant'")
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    losses = []
    with in_mode(model, training=True), torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)  # dropout draws from it, and from nothing else
        for step in range(steps):
            if schedule == "cosine":
                optimizer.param_groups[0]["lr"] = cosine_rate(step, steps, rate)
            batch = next(batches, None)
            if batch is None:
                raise ValueError(f"batches ended after {step} of {steps} steps; give one a step")
            logits = model(*batch.inputs)  # [B, T, V]
            loss = next_token_loss(logits, batch.tokens, batch.token_mask)
            if not torch.isfinite(loss):
                raise RuntimeError(f"the loss is {loss.item()} at step {step + 1}; lower the rate")
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            if after_step is not None:
                after_step(step + 1, losses[-1])
    return losses


# ---- measured against the exact law -------------------------------------------------------------


@torch.no_grad()
def cross_entropy(model: Decoder, language: Language) -> float:
    """The model's loss under the language's own law, nats a predicted token. At least its floor.

    Every sentence counts with its probability: nothing is sampled, so nothing is noise.
    """
    batch = Batch.of(language.sentences)
    with evaluating(model):
        logits = model(batch.tokens, batch.token_mask)
    losses = next_token_loss(logits, batch.tokens, batch.token_mask, reduction="none")
    weights = torch.tensor(language.probabilities, dtype=torch.float64)
    return float((losses.double().sum(dim=1) * weights).sum() / language.predicted_tokens)


@torch.no_grad()
def learned_law(model: Decoder, prefixes: Sequence[Sequence[int]]) -> Float[Tensor, "N V"]:
    """The model's next-token law after each prefix, float64, shape [N, V]."""
    batch = Batch.of(prefixes)
    with evaluating(model):
        logits = model(batch.tokens, batch.token_mask)  # [N, T, V]
    last = batch.token_mask.sum(dim=1) - 1  # [N]
    return logits[torch.arange(len(last)), last].double().softmax(dim=-1)


def total_variation(p: Float[Tensor, "... V"], q: Float[Tensor, "... V"]) -> Float[Tensor, "..."]:
    """Half the summed absolute difference of two laws: the most any event's probability differs."""
    return (p - q).abs().sum(dim=-1) / 2


def worst_prefix(model: Decoder, language: Language) -> float:
    """The largest total variation, over every prefix, between the model's law and the exact one."""
    exact = torch.stack([language.next_token(prefix) for prefix in language.prefixes])
    return float(total_variation(learned_law(model, language.prefixes), exact).max())
