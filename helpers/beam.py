"""Beam search: keep the best few unfinished texts, and find a likelier one than greedy does."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import torch
from jaxtyping import Int
from torch import Tensor

from helpers.cache import Cache
from helpers.decoding import check_lengths
from helpers.language import EOS
from helpers.model import Decoder
from helpers.reader import Reader
from helpers.tokens import check_ids, check_tokens


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
    stop_ids: Collection[int] = (EOS,),
    cache: Cache | None = None,
) -> list[Hypothesis]:
    """The best `beams` texts it meets, the best one first.

    At each step every running text is tried with every token. Those that end are set aside; of the
    others the `beams` likeliest go on. It stops when no running text can still enter the list.
    length_penalty: 0 ranks by probability, which favours short texts; 1 by the mean log-probability
    a token, which favours long ones. cache: of batch 1; it is reordered as texts branch.
    Ties: the text whose parent ranks higher first, then the lower token id.
    With one beam and no penalty it is greedy. Raises ValueError for impossible arguments.
    """
    check_tokens(prompt, model.config.vocab_size, "prompt")
    if len(prompt) != 1:
        raise ValueError(f"prompt has shape {list(prompt.shape)}; give one row [1, T]")
    if not isinstance(beams, int) or isinstance(beams, bool) or beams < 1:
        raise ValueError(f"beams is {beams!r}; give a whole number of 1 or more")
    if not 0 <= length_penalty < float("inf"):
        raise ValueError(f"length_penalty is {length_penalty}; give 0 (off) or a positive number")
    check_lengths(model, prompt, max_new_tokens, cache)
    stops = set(check_ids(stop_ids, model.config.vocab_size, "stop_ids"))

    def score(log_probability: float, length: int) -> float:
        return log_probability / length**length_penalty

    reader = Reader(model, cache)
    running: list[tuple[int, ...]] = [()]
    totals = torch.zeros(1, dtype=torch.float64)  # ln of each running text's probability
    finished: list[Hypothesis] = []
    new = prompt
    for length in range(1, max_new_tokens + 1):
        law = reader.read(new).double().log_softmax(dim=-1)  # [N, V]
        candidates = (totals[:, None] + law).flatten()  # [N * V]
        going_on = []
        for place in candidates.argsort(descending=True, stable=True).tolist():
            total = float(candidates[place])
            if total == -float("inf"):
                break  # this and all that follow cannot come
            parent, token = divmod(place, law.shape[1])
            text = (*running[parent], token)
            ends = token in stops
            if ends or length == max_new_tokens:
                reason = "stop" if ends else "length"
                finished.append(Hypothesis(text, total, score(total, length), reason))
            elif len(going_on) < beams:
                going_on.append((parent, token, text, total))
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
    return finished
