"""Beam search: keep the best few unfinished texts, and find a likelier one than greedy does."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from numbers import Real

import torch
from jaxtyping import Int
from torch import Tensor

from helpers.decoder.cache import Cache
from helpers.decoder.model import Decoder
from helpers.decoding.arguments import check_device, check_lengths, check_stop_ids
from helpers.decoding.controls import check_logits
from helpers.decoding.reader import Reader
from helpers.languages.language import EOS
from helpers.languages.tokens import check_tokens
from helpers.needs import need_int

MOST_PENALTY = 10.0


@dataclass(frozen=True)
class Hypothesis:
    """One text that beam search has found.

    tokens: the new tokens, the stop token included. log_probability: theirs together, ln.
    score: log_probability / len(tokens) ** length_penalty, what the search ranks by.
    reason: "stop" or "length".
    """

    tokens: tuple[int, ...]
    log_probability: float
    score: float
    reason: str


def beam_search(
    model: Decoder,
    prompt: Int[Tensor, "1 T"],
    *,
    beams: int,
    max_new_tokens: int,
    length_penalty: float = 0.0,
    stop_ids: Collection[int] | None = (EOS,),
    cache: Cache | None = None,
) -> list[Hypothesis]:
    """The best `beams` texts it meets, the best one first.

    At each step every running text is tried with every token. Of the `beams` likeliest, those that
    end are set aside; of all that do not end, the `beams` likeliest go on. It stops when no running
    text can still enter the list.
    length_penalty: 0 ranks by probability, which favours short texts; 1 by the mean log-probability
    a token, which favours long ones. stop_ids: ids that end a text; None = no id does.
    cache: of batch 1, perhaps with an earlier part of the text in it; it is reordered as texts
    branch. In the end it is of batch 1 again and holds what was read of the likeliest running text.
    Ties: the text whose parent ranks higher first, then the lower token id; of finished texts, the
    one that finished earlier first.
    With one beam and no penalty it is greedy. Raises TypeError or ValueError for impossible
    arguments before the first step, and ValueError for logits that hold NaN or no finite value.
    """
    check_device(model, prompt)
    check_tokens(prompt, model.config.vocab_size, "prompt")
    if model.config.cross_attention:
        raise ValueError(
            "cross_attention is True: beam search takes models without a second sequence; use "
            "generate(..., memory=)"
        )
    if len(prompt) != 1:
        raise ValueError(f"prompt has shape {list(prompt.shape)}; give one row [1, T]")
    need_int("beams", beams, 1)
    need_int("max_new_tokens", max_new_tokens, 1)
    if not isinstance(length_penalty, Real) or not 0 <= length_penalty <= MOST_PENALTY:
        raise ValueError(f"length_penalty is {length_penalty!r}; give 0 (off) to {MOST_PENALTY}")
    check_lengths(model, prompt, max_new_tokens, cache)
    stops = check_stop_ids(stop_ids, model.config.vocab_size)

    def score(log_probability: float, length: int) -> float:
        return log_probability / length**length_penalty

    reader = Reader(model, cache)
    running: list[tuple[int, ...]] = [()]
    totals = torch.zeros(1, dtype=torch.float64)  # ln of each running text's probability
    finished: list[Hypothesis] = []
    new = prompt
    for length in range(1, max_new_tokens + 1):
        logits = reader.read(new)  # [N, V]
        check_logits(logits)
        law = logits.double().log_softmax(dim=-1)
        candidates = (totals[:, None] + law).flatten()  # [N * V]
        going_on = []
        for rank, place in enumerate(candidates.argsort(descending=True, stable=True).tolist()):
            total = float(candidates[place])
            if total == -float("inf"):
                break  # this and all that follow cannot come
            parent, token = divmod(place, law.shape[1])
            text = (*running[parent], token)
            ends = token in stops
            if ends or length == max_new_tokens:
                if rank < beams:
                    reason = "stop" if ends else "length"
                    finished.append(Hypothesis(text, total, score(total, length), reason))
            elif len(going_on) < beams:
                going_on.append((parent, token, text, total))
            if rank + 1 >= beams and (len(going_on) == beams or length == max_new_tokens):
                break
        finished = sorted(finished, key=lambda found: -found.score)[:beams]
        if not going_on:
            break
        # A running text only loses probability; at best it keeps it and grows to full length.
        best_still = score(going_on[0][3], max_new_tokens)
        if len(finished) == beams and finished[-1].score >= best_still:
            break
        parents, tokens, running, kept = zip(*going_on, strict=True)
        reader.reorder(torch.tensor(parents))
        new = torch.tensor(tokens)[:, None]  # [N, 1]
        totals = torch.tensor(kept, dtype=torch.float64)
    reader.reorder(torch.tensor([0]))
    return finished
