"""Reading a text into a model piece by piece, with a cache or without one."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from helpers.decoder.block import BlockMemory
from helpers.decoder.cache import Cache
from helpers.decoder.model import Decoder
from helpers.decoder.modes import evaluating


class Reader:
    """Reads tokens into a model, a piece at a time, and gives the logits after the last one.

    With a cache only the new tokens are computed; without one the whole text, every time.
    """

    def __init__(
        self,
        model: Decoder,
        cache: Cache | None = None,
        memory: Sequence[BlockMemory] | None = None,
    ) -> None:
        self.model = model
        self.cache = cache
        self.cache_length = 0 if cache is None else cache.length
        self.options = {} if memory is None else {"memory": memory}
        self.tokens: Tensor | None = None  # everything read so far, where there is no cache
        self.token_mask: Tensor | None = None

    @torch.no_grad()
    def read(
        self, tokens: Int[Tensor, "B T"], token_mask: Bool[Tensor, "B T"] | None = None
    ) -> Float[Tensor, "B V"]:
        """Go on with these tokens; returns the logits after the last one, [B, V]."""
        if self.cache is not None:
            if self.cache.length != self.cache_length:
                raise ValueError(
                    f"the cache held {self.cache_length} tokens and now holds "
                    f"{self.cache.length}: something else used, cropped or reset it; give every "
                    "reader and stream a cache of its own"
                )
            with evaluating(self.model):
                logits = self.model.next_logits(
                    tokens, token_mask, cache=self.cache, **self.options
                )
            self.cache_length = self.cache.length
            return logits
        if token_mask is None:
            token_mask = torch.ones_like(tokens, dtype=torch.bool)
        if self.tokens is None:
            tokens, token_mask = tokens.clone(), token_mask.clone()  # the caller may change its own
        elif len(tokens) != len(self.tokens):
            raise ValueError(f"tokens has {len(tokens)} rows, before {len(self.tokens)}")
        else:
            tokens = torch.cat([self.tokens, tokens], dim=1)  # [B, everything read]
            token_mask = torch.cat([self.token_mask, token_mask], dim=1)
        with evaluating(self.model):
            logits = self.model.next_logits(
                tokens, None if token_mask.all() else token_mask, **self.options
            )
        self.tokens, self.token_mask = tokens, token_mask  # only what the model took counts as read
        return logits

    def reorder(self, rows: Int[Tensor, "N"]) -> None:
        """Make row n what row rows[n] was."""
        if self.cache is not None:
            self.cache.reorder(rows)
        else:
            self.tokens, self.token_mask = self.tokens[rows], self.token_mask[rows]
