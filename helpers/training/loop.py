"""Teaching a decoder to predict the next token, and measuring what it has learned against truth."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import Literal

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor

from helpers.decoder.model import Decoder
from helpers.decoder.modes import evaluating, in_mode
from helpers.languages.language import Language
from helpers.languages.tokens import check_token_mask, check_tokens
from helpers.needs import need_int, need_positive
from helpers.training.adamw import AdamW
from helpers.training.batches import Batch, digest
from helpers.training.clipping import clip, gradient_norm, norm_of
from helpers.training.log import Log, Progress, Step
from helpers.training.loss_scaling import LossScaler
from helpers.training.master_weights import MasterWeights
from helpers.training.resuming import Checkpoint
from helpers.training.schedules import Schedule

IGNORE = -100  # the target that counts for nothing; torch's cross_entropy uses the same number
Loss = Callable[..., Tensor]  # called as next_token_loss is


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


def accumulate(
    model: Decoder, parts: Sequence[Batch], loss: Loss = next_token_loss, *, scale: float = 1.0
) -> float:
    """Add the gradients of the mean loss over all counted targets of all parts; return that loss.

    scale: a factor on the gradients, and not on what is returned.

    The parts may have unequal counts: every target counts the same, wherever it stands. The mean
    of the parts' means would count a target of a short part more, and teach another law.
    """
    counted = sum((next_token_targets(p.tokens, p.token_mask) != IGNORE).sum() for p in parts)
    total = 0.0
    for part in parts:
        logits = model(*part.inputs)  # [B, T, V]
        share = loss(logits, part.tokens, part.token_mask, reduction="sum") / counted.clamp(min=1)
        (share * scale).backward()
        total += share.item()
    return total


def train(
    model: Decoder,
    batches: Iterator[Batch],
    *,
    steps: int,
    rate: float = 0.003,
    schedule: Literal["cosine", "constant"] | Schedule = "cosine",
    seed: int = 0,
    after_step: Callable[[int, float], None] | None = None,
    optimizer: AdamW | MasterWeights | None = None,
    scaler: LossScaler | None = None,
    parts: int = 1,
    clip_at: float | None = None,
    loss: Loss = next_token_loss,
    log: Log | None = None,
    progress: bool = False,
    checkpoint: Path | None = None,
    save_every: int = 100,
) -> list[float]:
    """Train for `steps` steps; returns the loss of each in nats a counted target.

    schedule: the rates, by name from `rate` over these steps, or a Schedule, which may be longer:
    then the run stops early, and may go on later. seed: decides dropout's draws; torch's global
    generator is left as it was found. after_step: called with (step from 1, loss), for printing or
    recording. optimizer: AdamW for this model's weights, by default Adam, or MasterWeights.
    scaler: multiplies the loss, and may leave steps out. parts: batches that make a step. clip_at:
    the longest gradient. loss: called as next_token_loss is, with reduction="sum". log: gets a Step
    for each. progress: say how far it is, and the time left.

    checkpoint: a file that is written every `save_every` steps and at the end. If it is there, the
    run goes on from it, and every number is as if it had never stopped. Batches then need a place
    (`state` and `load_state`, as shuffled_batches have them). Nothing else may have changed but
    `steps`, if `schedule` is a Schedule: ValueError says what has.

    Every part of the model is left in the mode (train or eval) it came in. Raises ValueError on
    impossible numbers before anything is changed and when the batches end too early; RuntimeError
    if loss or gradient is no longer finite, before a weight has moved by it, with the step, the
    batch's digest and the last good checkpoint; OSError if a checkpoint cannot be written.
    """
    need_int("parts", parts, 1)
    need_int("save_every", save_every, 1)
    if clip_at is not None:
        need_positive("clip_at", clip_at)
    plan = _plan(schedule, steps, rate)
    optimizer = AdamW(model.parameters()) if optimizer is None else optimizer
    if {id(p) for p in optimizer.model_weights} - {id(p) for p in model.parameters()}:
        raise ValueError("the optimizer moves weights of another model; give this model's")
    file = None
    if checkpoint is not None:
        settings = {"schedule": asdict(plan), "seed": seed, "parts": parts, "clip_at": clip_at}
        file = Checkpoint(checkpoint, model, optimizer, batches, log, settings, scaler)
    losses: list[float] = []
    with in_mode(model, training=True), torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)  # dropout draws from it, and from nothing else
        if file is not None:
            losses = file.load(steps)
        tell = Progress(steps, done=len(losses)) if progress else None
        for step in range(len(losses), steps):
            group = list(islice(batches, parts))
            if len(group) < parts:
                raise ValueError(f"batches ended after {step} of {steps} steps; give one a step")
            optimizer.zero_grad()
            scale = 1.0 if scaler is None else scaler.scale
            value = accumulate(model, group, loss, scale=scale)
            optimizer.gather(scale)
            moved = optimizer.parameters
            norm = gradient_norm(moved) if clip_at is None else clip(moved, clip_at)
            may_skip = scaler is not None and not scaler.at_least
            _refuse_infinite(step + 1, value, 0.0 if may_skip else norm, group, file)
            before = [] if log is None else [p.detach().clone() for p in moved]
            skipped = scaler is not None and not scaler.accepts(norm)
            if not skipped:
                optimizer.step(plan.rate(step))
            losses.append(value)
            if log is not None:
                change = norm_of(p - b for p, b in zip(moved, before, strict=True))
                update = change / max(norm_of(before), 1e-30)
                step_made = _described(step + 1, value, norm, update, plan.rate(step), group)
                log.add(replace(step_made, scale=scale, skipped=skipped))
            if after_step is not None:
                after_step(step + 1, value)
            if tell is not None:
                tell.update(step + 1, value)
            if file is not None and ((step + 1) % save_every == 0 or step + 1 == steps):
                file.save(losses)
    return losses


def _plan(schedule: str | Schedule, steps: int, rate: float) -> Schedule:
    """The schedule that is meant, of at least so many steps."""
    if steps < 1:
        raise ValueError(f"steps is {steps}; give 1 or more")
    if isinstance(schedule, Schedule):
        if schedule.steps < steps:
            raise ValueError(f"the schedule has {schedule.steps} steps and steps is {steps}")
        return schedule
    if not (rate > 0 and math.isfinite(rate)):
        raise ValueError(f"rate is {rate}; give a positive finite number")
    if schedule not in ("cosine", "constant"):
        raise ValueError(f"schedule is {schedule!r}; give 'cosine' or 'constant', or a Schedule")
    return Schedule(rate, steps, schedule)


def _refuse_infinite(
    step: int, loss: float, norm: float, parts: Sequence[Batch], file: Checkpoint | None
) -> None:
    """Raise RuntimeError if loss or gradient is not finite, with all that helps to find out why."""
    if math.isfinite(loss) and math.isfinite(norm):
        return
    what = f"the loss is {loss}" if not math.isfinite(loss) else f"the gradient's norm is {norm}"
    kept = "no checkpoint was asked for" if file is None else file.kept()
    raise RuntimeError(
        f"{what} at step {step}; lower the rate, or look at the batch (digest {digest(*parts)}). "
        f"No weight was moved by it; {kept}"
    )


def _described(
    step: int, loss: float, norm: float, update: float, rate: float, parts: Sequence[Batch]
) -> Step:
    """A step as the log has it."""
    counted = sum(int((next_token_targets(p.tokens, p.token_mask) != IGNORE).sum()) for p in parts)
    positions = sum(p.token_mask.numel() for p in parts)
    padding = 1 - sum(int(p.token_mask.sum()) for p in parts) / positions
    return Step(step, loss, norm, update, rate, counted, padding, digest(*parts))


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
