"""What a decoder refuses, by name and before anything is computed."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from helpers.decoder.block import BlockMemory
from helpers.decoder.cache import Cache, CacheShape, WindowCache
from helpers.decoder.config import DecoderConfig
from helpers.languages.tokens import check_token_mask, check_tokens


class Refusals(nn.Module):
    """The part of `Decoder` that says whether tokens, vectors, caches and memories fit it."""

    config: DecoderConfig
    blocks: nn.ModuleList
    token_embedding: nn.Embedding  # it says the dtype and device: a head may be packed

    def check_cache(self, cache: Cache, batch: int, new: int) -> None:
        """Raise ValueError unless the cache can take in `new` tokens a row of this model."""
        if not isinstance(cache, Cache):
            raise TypeError(
                f"cache is {cache!r}; give a cache, such as model.new_cache({batch}, 'growing')"
            )
        if not self.config.causal:
            raise ValueError(
                "a model that is not causal has nothing to keep: every state changes when a token "
                "is added; run it without a cache"
            )
        if cache.length + new > self.config.context:
            raise ValueError(
                f"the cache holds {cache.length} tokens and {new} more exceed the context of "
                f"{self.config.context}"
            )
        window = self.config.widest_window
        if isinstance(cache, WindowCache) and (window is None or window > cache.width):
            raise ValueError(
                f"the cache keeps {cache.width} tokens, but this model's window is {window} "
                "(None = all); make one with model.new_cache(batch)"
            )
        cache.check_fits(self, self.cache_shape(batch), new)

    def check_memory(self, memory: Sequence[BlockMemory] | None, batch: int) -> None:
        """Raise ValueError unless memory is what this model looks at, for `batch` rows."""
        if (memory is not None) != self.config.cross_attention:
            raise ValueError(
                "this model looks at a second sequence: give memory=model.memory_of(source)"
                if memory is None
                else "memory is given, but this model has no cross-attention"
            )
        made = isinstance(memory, Sequence) and all(isinstance(p, BlockMemory) for p in memory)
        if memory is not None and not made:
            raise TypeError(
                f"memory is a {type(memory).__name__}; give memory=model.memory_of(source), which "
                "makes keys and values of the second sequence's states"
            )
        if memory is not None and len(memory) != len(self.blocks):
            raise ValueError(
                f"memory has {len(memory)} entries, this model {len(self.blocks)} blocks; make it "
                "with model.memory_of(source)"
            )
        for part in memory or ():
            if len(part.key) != batch:
                raise ValueError(f"memory is of {len(part.key)} rows, the tokens of {batch}")

    def cache_shape(self, batch: int) -> CacheShape:
        """What decides the size of this model's cache for `batch` rows."""
        config, weight = self.config, self.token_embedding.weight
        return CacheShape(
            blocks=config.blocks if config.attention else 0,
            batch=batch,
            heads=config.G,
            head_width=config.D,
            dtype=weight.dtype,
            device=weight.device,
        )

    def _check_tokens(self, tokens: Tensor) -> None:
        # the device first: what the ids are cannot be looked at on every device
        own = self.token_embedding.weight.device
        if isinstance(tokens, Tensor) and tokens.device != own:
            raise ValueError(
                f"tokens are on {tokens.device}, the model on {own}; move one with .to(device)"
            )
        check_tokens(tokens, self.config.vocab_size)

    def _check_vectors(self, name: str, vectors: Tensor, letter: str) -> None:
        width, weight = self.config.width, self.token_embedding.weight
        if vectors.ndim != 3 or vectors.shape[-1] != width or 0 in vectors.shape:
            raise ValueError(
                f"{name} has shape {list(vectors.shape)}; give [B, {letter}, C] with C={width}, "
                f"and B and {letter} of 1 or more"
            )
        if (vectors.dtype, vectors.device) != (weight.dtype, weight.device):
            raise ValueError(
                f"{name} is {vectors.dtype} on {vectors.device}, the model {weight.dtype} on "
                f"{weight.device}; move one with .to"
            )

    def _check_fits(
        self,
        tokens: Tensor,
        token_mask: Tensor | None,
        cache: Cache | None,
        memory: Sequence[BlockMemory] | None,
    ) -> None:
        batch, length = tokens.shape
        past = None
        if cache is not None:
            self.check_cache(cache, batch, length)
            past = cache.token_mask
        elif length > self.config.context:
            raise ValueError(
                f"tokens has T={length} columns; this model's context is {self.config.context}"
            )
        if token_mask is None and past is not None and not past[:, -1:].all():
            token_mask = torch.ones_like(tokens, dtype=torch.bool)  # they stand behind padding
        if token_mask is not None:
            check_token_mask(token_mask, tokens, past=past)
        self.check_memory(memory, batch)
