"""Equal first: what the systems say is compared before anything is timed.

In float32 ours and the transformers library must give the same logits and the same greedy tokens.
A shorter precision may differ, and how much is a row of the record: on a fixed text its greedy
agreement with float32, the divergence of its laws from float32's (KL), and its perplexity.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor

from helpers.benchmark.decoding_systems import LIBRARY, OURS, STATIC, System
from helpers.benchmark.measuring import NotEqual
from helpers.files import ROOT
from helpers.tokenizers.tokenizer import Tokenizer

TEXT = ROOT / "data" / "texts" / "english.txt"
CLOSE = 1e-3  # for logits
MOST_ROWS = 32


def text_ids(tokenizer: Tokenizer) -> Int[Tensor, "N"]:
    """The ids of the course's English text."""
    return torch.tensor(tokenizer.encode(TEXT.read_text(encoding="utf-8")))


def prompts(ids: Int[Tensor, "N"], batch: int, length: int) -> Int[Tensor, "B T"]:
    """Pieces of a text, evenly spaced: row b is the same in every batch."""
    starts = torch.arange(batch)[:, None] * ((len(ids) - length) // MOST_ROWS)  # [B, 1]
    return ids[starts + torch.arange(length)]  # [B, T]


def named(systems: Sequence[System], name: str, precision: str) -> System:
    """The system of this name and precision."""
    (found,) = (s for s in systems if (s.name, s.precision) == (name, precision))
    return found


def check_equal(
    systems: Sequence[System], texts: Sequence[Int[Tensor, "1 T"]], new: int
) -> dict[str, Any]:
    """Let ours and the library go on from each prompt in float32; how far apart their logits are.

    Raises NotEqual where a token differs, or a logit by more than CLOSE.
    """
    ours, theirs = (named(systems, name, "float32") for name in (OURS, LIBRARY))
    largest = 0.0
    for number, prompt in enumerate(texts, 1):
        wanted, found = (system.decode(prompt, new).tokens for system in (theirs, ours))
        if not torch.equal(wanted, found):
            place = int((wanted != found).nonzero()[0, 1])
            raise NotEqual(
                f"prompt {number}: new token {place + 1} of ours is {found[0, place]}, the "
                f"library's {wanted[0, place]}; nothing was timed"
            )
        whole = torch.cat([prompt, wanted], dim=1)  # [1, T + N]
        gap = float((ours.logits(whole) - theirs.logits(whole)).abs().max())
        if not gap <= CLOSE:
            raise NotEqual(
                f"prompt {number}: logits of ours and the library's differ by {gap:g}, more than "
                f"{CLOSE:g}; nothing was timed"
            )
        largest = max(largest, gap)
    return {"prompts": len(texts), "new_tokens": new, "largest_gap_of_logits": largest}


def quality(systems: Sequence[System], text: Int[Tensor, "1 T"]) -> list[dict[str, Any]]:
    """A row for each system and precision, against the library's float32 on a text.

    agreement: share of places where the likeliest token is the same. kl: mean divergence, in nats.
    perplexity: exp of the mean loss of the text's own tokens.
    """
    reference = named(systems, LIBRARY, "float32")
    wanted = reference.logits(text).log_softmax(dim=-1)  # [T, V]
    rows = []
    for system in systems:
        if system.name == STATIC:  # the same arithmetic as with the other cache
            continue
        law = wanted if system is reference else system.logits(text).log_softmax(dim=-1)
        loss = -law[:-1].gather(1, text[0, 1:, None]).double().mean()
        row = {
            "system": system.name,
            "precision": system.precision,
            "tokens": text.shape[1],
            "agreement": float((law.argmax(-1) == wanted.argmax(-1)).double().mean()),
            "kl": float((wanted.exp() * (wanted - law)).sum(-1).double().mean()),
            "perplexity": float(loss.exp()),
        }
        rows.append(row)
    return rows
