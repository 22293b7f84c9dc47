"""The decoder: from token ids to logits, through a stack of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from helpers import masks
from helpers.block import Block, BlockMemory, draw_weights
from helpers.cache import Cache, CacheShape, GrowingCache, PreallocatedCache, WindowCache
from helpers.config import DecoderConfig
from helpers.needs import need_choice
from helpers.positions import position_ids, sinusoidal_table
from helpers.tokens import check_token_mask, check_tokens


class Decoder(nn.Module):
    """A decoder-only transformer: token ids in, logits for the next token out.

    seed: decides the first weights, and nothing else does.
    """

    def __init__(self, config: DecoderConfig, *, seed: int = 0) -> None:
        super().__init__()
        self.config = config
        with torch.random.fork_rng(devices=[]):  # torch's own first weights are replaced below
            self.token_embedding = nn.Embedding(
                config.vocab_size, config.width, padding_idx=config.pad_id
            )
            if config.positions == "learned":
                self.position_embedding = nn.Embedding(config.context, config.width)
            elif config.positions == "sinusoidal":
                table = sinusoidal_table(config.context, config.width)
                self.register_buffer("position_table", table, persistent=False)
            self.dropout = nn.Dropout(config.dropout)
            self.blocks = nn.ModuleList(Block(config) for _ in range(config.blocks))
            self.final_norm = nn.LayerNorm(config.width) if config.final_norm else nn.Identity()
            self.head = nn.Linear(config.width, config.vocab_size)
        draw_weights(self, torch.Generator().manual_seed(seed))

    def embed(
        self,
        tokens: Int[Tensor, "B T"],
        token_mask: Bool[Tensor, "B T"] | None = None,
        *,
        past: Int[Tensor, "B"] | int = 0,
    ) -> Float[Tensor, "B T C"]:
        """Token rows plus position rows, shape [B, T, C]; positions ignore padding.

        past: how many real tokens each row has before these ones.
        """
        return self._place(self.token_embedding(tokens), token_mask, past)

    def _place(self, x: Tensor, token_mask: Tensor | None, past: Tensor | int) -> Tensor:
        """Position rows added to vectors [B, T, C]."""
        if self.config.positions == "none":
            return self.dropout(x)
        real = x.new_ones(x.shape[:2], dtype=torch.bool) if token_mask is None else token_mask
        positions = position_ids(real) + torch.as_tensor(past, device=x.device)[..., None]  # [B, T]
        if self.config.positions == "learned":
            return self.dropout(x + self.position_embedding(positions))
        return self.dropout(x + self.position_table[positions])

    def mask(
        self,
        queries: int,
        token_mask: Bool[Tensor, "B Tk"] | None = None,
        *,
        keys: int | None = None,
    ) -> Bool[Tensor, "..."] | None:
        """Who may attend to whom: causal, and no padding; None when everybody may see everybody.

        keys: Tk, as many as queries if None; the queries are the last of them.
        """
        config, device = self.config, self.head.weight.device
        plane = None
        if config.window is not None:
            plane = masks.window(queries, keys, width=config.window, device=device)
        elif config.causal and queries > 1:  # the last token alone sees everything anyway
            plane = masks.causal(queries, keys, device=device)
        return masks.both(plane, masks.padding(token_mask) if token_mask is not None else None)

    def through_blocks(
        self,
        x: Float[Tensor, "B T C"],
        mask: Bool[Tensor, "..."] | None,
        *,
        cache: Cache | None = None,
        memory: Sequence[BlockMemory] | None = None,
    ) -> Float[Tensor, "B T C"]:
        """Embedded vectors through all blocks and the final norm, [B, T, C] in and out."""
        for i, block in enumerate(self.blocks):
            x = block(
                x,
                mask,
                remember=partial(cache.append, i) if cache is not None else None,
                memory=memory[i] if memory is not None else None,
            )
        return self.final_norm(x)

    def states(
        self,
        tokens: Int[Tensor, "B T"],
        token_mask: Bool[Tensor, "B T"] | None = None,
        *,
        cache: Cache | None = None,
        memory: Sequence[BlockMemory] | None = None,
    ) -> Float[Tensor, "B T C"]:
        """What the head reads: the states after the last block (and final norm), [B, T, C]."""
        self._check_tokens(tokens)
        self._check_fits(tokens, token_mask, cache, memory)
        return self._states(self.token_embedding(tokens), token_mask, cache, memory)

    def states_of(
        self,
        vectors: Float[Tensor, "B T C"],
        token_mask: Bool[Tensor, "B T"] | None = None,
        *,
        cache: Cache | None = None,
        memory: Sequence[BlockMemory] | None = None,
    ) -> Float[Tensor, "B T C"]:
        """The states of vectors that stand where token rows would, as a picture's patches may."""
        self._check_vectors("vectors", vectors, "T")
        self._check_fits(vectors[..., 0], token_mask, cache, memory)
        return self._states(vectors, token_mask, cache, memory)

    def _states(
        self,
        vectors: Tensor,
        token_mask: Tensor | None,
        cache: Cache | None,
        memory: Sequence[BlockMemory] | None,
    ) -> Tensor:
        batch, length = vectors.shape[:2]
        if cache is None:
            x = self._place(vectors, token_mask, 0)
            return self.through_blocks(x, self.mask(length, token_mask), memory=memory)
        real = vectors.new_ones(batch, length, dtype=torch.bool)
        seen = cache.begin(real if token_mask is None else token_mask, self)  # [B, Tk]
        x = self._place(vectors, token_mask, cache.token_mask.sum(dim=1))
        mask = self.mask(length, None if seen.all() else seen, keys=seen.shape[1])
        x = self.through_blocks(x, mask, cache=cache, memory=memory)
        cache.commit()
        return x

    def forward(
        self,
        tokens: Int[Tensor, "B T"],
        token_mask: Bool[Tensor, "B T"] | None = None,
        *,
        cache: Cache | None = None,
        memory: Sequence[BlockMemory] | None = None,
    ) -> Float[Tensor, "B T V"]:
        """Logits of the token after each position, shape [B, T, V].

        tokens: ids, int64. token_mask: True = real token; needed for padding on the left, and
        harmless for padding on the right. Logits at padding mean nothing.
        cache: holds what came before these tokens, and takes them in; see `new_cache`.
        memory: what cross-attention looks at; see `memory_of`.
        Raises TypeError or ValueError, naming what is wrong, before anything is computed.
        """
        return self.head(self.states(tokens, token_mask, cache=cache, memory=memory))

    def next_logits(
        self,
        tokens: Int[Tensor, "B T"],
        token_mask: Bool[Tensor, "B T"] | None = None,
        *,
        cache: Cache | None = None,
        memory: Sequence[BlockMemory] | None = None,
    ) -> Float[Tensor, "B V"]:
        """Logits after the last position only, [B, V]: all that generation needs."""
        return self.head(self.states(tokens, token_mask, cache=cache, memory=memory)[:, -1])

    def new_cache(
        self,
        batch: int,
        kind: Literal["growing", "preallocated", "window"] = "growing",
        *,
        capacity: int | None = None,
    ) -> Cache:
        """An empty cache that fits this model, for `batch` rows.

        capacity: tokens a preallocated cache has room for; the context if None. A window cache
        keeps config.window tokens.
        """
        need_choice("kind", kind, ("growing", "preallocated", "window"))
        shape = self._cache_shape(batch)
        if kind == "preallocated":
            return PreallocatedCache(shape, self.config.context if capacity is None else capacity)
        if capacity is not None:
            raise ValueError(f"capacity={capacity} is for kind='preallocated', not for {kind!r}")
        if kind == "growing":
            return GrowingCache(shape)
        if self.config.window is None:
            raise ValueError(
                "this model looks back without limit, so a window cache would forget what it "
                "needs; give DecoderConfig a window, or use another kind"
            )
        return WindowCache(shape, self.config.window)

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
        window = self.config.window
        if isinstance(cache, WindowCache) and (window is None or window > cache.width):
            raise ValueError(
                f"the cache keeps {cache.width} tokens, but this model's window is {window} "
                "(None = all); make one with model.new_cache(batch)"
            )
        cache.check_fits(self, self._cache_shape(batch), new)

    def memory_of(
        self, source: Float[Tensor, "B S C"], source_mask: Bool[Tensor, "B S"] | None = None
    ) -> list[BlockMemory]:
        """The keys and values of a second sequence, one entry a block, computed once.

        source: for example an encoder's states [B, S, C]. source_mask: True = real; a row without
        one real place adds nothing.
        """
        if not self.config.cross_attention:
            raise ValueError("this model has no cross-attention; DecoderConfig.cross_attention")
        self._check_vectors("source", source, "S")
        mask = None
        if source_mask is not None:
            if source_mask.dtype != torch.bool or source_mask.shape != source.shape[:2]:
                raise ValueError(
                    f"source_mask is {source_mask.dtype} {list(source_mask.shape)}; give "
                    f"torch.bool [B, S] = {list(source.shape[:2])}, True = real"
                )
            mask = masks.padding(source_mask)
        return [
            BlockMemory(*block.cross_attention.keys_values(source), mask) for block in self.blocks
        ]

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

    def _cache_shape(self, batch: int) -> CacheShape:
        config, weight = self.config, self.head.weight
        return CacheShape(
            blocks=config.blocks if config.attention else 0,
            batch=batch,
            heads=config.heads,
            head_width=config.width // config.heads,
            dtype=weight.dtype,
            device=weight.device,
        )

    def _check_tokens(self, tokens: Tensor) -> None:
        # the device first: what the ids are cannot be looked at on every device
        if isinstance(tokens, Tensor) and tokens.device != self.head.weight.device:
            raise ValueError(
                f"tokens are on {tokens.device}, the model on {self.head.weight.device}; "
                "move one with .to(device)"
            )
        check_tokens(tokens, self.config.vocab_size)

    def _check_vectors(self, name: str, vectors: Tensor, letter: str) -> None:
        width, weight = self.config.width, self.head.weight
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

    def parameter_count(self) -> int:
        """How many numbers training can change."""
        return sum(parameter.numel() for parameter in self.parameters())
