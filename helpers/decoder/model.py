"""The decoder: from token ids to logits, through a stack of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from helpers.decoder import masks
from helpers.decoder.block import Block, BlockMemory, draw_weights
from helpers.decoder.cache import Cache, GrowingCache, PreallocatedCache, WindowCache
from helpers.decoder.config import DecoderConfig
from helpers.decoder.norms import make_norm
from helpers.decoder.positions import (
    RelativeBias,
    alibi_bias,
    alibi_slopes,
    position_ids,
    sinusoidal_table,
)
from helpers.decoder.refusals import Refusals
from helpers.decoder.rotary import Rotation, frequencies, rotation
from helpers.needs import need_choice


class Decoder(Refusals):
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
            elif config.positions == "relative":
                self.relative_bias = RelativeBias(config.relative_reach, config.heads)
            elif config.positions == "rotary":  # no buffer: it stays float32 in a 16-bit model
                self.turn_speed = frequencies(config.rotary, config.D)
            norm = partial(make_norm, config.norm, config.width, eps=config.norm_eps)
            self.embedding_norm = norm() if config.embedding_norm else nn.Identity()
            self.dropout = nn.Dropout(config.dropout)
            self.blocks = nn.ModuleList(Block(config) for _ in range(config.blocks))
            self.final_norm = norm() if config.final_norm else nn.Identity()
            self.head = nn.Linear(config.width, config.vocab_size, bias=config.head_bias)
            if config.tied_head:
                self.head.weight = self.token_embedding.weight  # one matrix under two names
        draw_weights(self, torch.Generator().manual_seed(seed))

    def token_rows(self, tokens: Int[Tensor, "B T"]) -> Float[Tensor, "B T C"]:
        """One row of the token embedding for each id, scaled where the model scales them."""
        rows, scale = self.token_embedding(tokens), self.config.embedding_scale
        return rows if scale == 1 else rows * scale

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
        return self._place(self.token_rows(tokens), token_mask, past)

    def _place(self, x: Tensor, token_mask: Tensor | None, past: Tensor | int) -> Tensor:
        """Position rows added to vectors [B, T, C], where the model has such rows."""
        if self.config.positions == "learned":
            x = x + self.position_embedding(_positions(x, token_mask, past))
        elif self.config.positions == "sinusoidal":
            x = x + self.position_table[_positions(x, token_mask, past)]
        return self.dropout(self.embedding_norm(x))

    def _turn(self, x: Tensor, token_mask: Tensor | None, past: Tensor | int) -> Rotation | None:
        """The angles of vectors [B, T, C], in a model with rotary positions."""
        if self.config.positions != "rotary":
            return None
        positions, config = _positions(x, token_mask, past), self.config
        return rotation(positions, config.rotary, config.D, speed=self.turn_speed)

    def _score_bias(self, queries: int, keys: int) -> Float[Tensor, "H T Tk"] | None:
        """What positions add to the scores of attention, in a model where they do."""
        if self.config.positions == "relative":
            return self.relative_bias(queries, keys)
        if self.config.positions == "alibi":
            slopes = alibi_slopes(self.config.heads).to(self.token_embedding.weight.device)
            return alibi_bias(slopes, queries, keys)
        return None

    def mask(
        self,
        queries: int,
        token_mask: Bool[Tensor, "B Tk"] | None = None,
        *,
        keys: int | None = None,
    ) -> Bool[Tensor, "..."] | None:
        """Who may attend to whom: causal, and no padding; None when everybody may see everybody.

        keys: Tk, as many as queries if None; the queries are the last of them. Where the blocks
        have windows of their own, this is what the one that sees furthest may see.
        """
        config, device = self.config, self.token_embedding.weight.device
        plane = None
        if config.widest_window is not None:
            plane = masks.window(queries, keys, width=config.widest_window, device=device)
        elif config.causal and queries > 1:  # the last token alone sees everything anyway
            plane = masks.causal(queries, keys, device=device)
        return masks.both(plane, masks.padding(token_mask) if token_mask is not None else None)

    def through_blocks(
        self,
        x: Float[Tensor, "B T C"],
        mask: Bool[Tensor, "..."] | None,
        *,
        turn: Rotation | None = None,
        keys: int | None = None,
        cache: Cache | None = None,
        memory: Sequence[BlockMemory] | None = None,
    ) -> Float[Tensor, "B T C"]:
        """Embedded vectors through all blocks and the final norm, [B, T, C] in and out.

        turn: the angles of rotary positions; those of positions 0, 1, 2 ... if None. keys: Tk, as
        many as there are tokens if None.
        """
        queries = x.shape[1]
        keys = queries if keys is None else keys
        config = self.config
        turn = self._turn(x, None, 0) if turn is None else turn
        bias = self._score_bias(queries, keys)
        windows, by_window = config.windows, {config.widest_window: mask}
        for width in set(windows) - set(by_window):  # blocks that see less than the others
            shown = masks.window(queries, keys, width=width, device=x.device)
            by_window[width] = masks.both(mask, shown)
        for i, block in enumerate(self.blocks):
            x = block(
                x,
                by_window[windows[i]],
                bias=bias,
                turn=turn,
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
        return self._states(self.token_rows(tokens), token_mask, cache, memory)

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
        length = vectors.shape[1]
        if cache is None:
            x, mask = self._place(vectors, token_mask, 0), self.mask(length, token_mask)
            turn = self._turn(vectors, token_mask, 0)
            return self.through_blocks(x, mask, turn=turn, memory=memory)
        real = vectors.new_ones(vectors.shape[:2], dtype=torch.bool)
        seen = cache.begin(real if token_mask is None else token_mask, self)  # [B, Tk]
        keys, past = seen.shape[1], cache.token_mask.sum(dim=1)  # past: real tokens before, [B]
        x = self._place(vectors, token_mask, past)
        mask = self.mask(length, None if seen.all() else seen, keys=keys)
        turn = self._turn(vectors, token_mask, past)
        x = self.through_blocks(x, mask, turn=turn, keys=keys, cache=cache, memory=memory)
        cache.commit()
        return x

    def logits(self, states: Float[Tensor, "... C"]) -> Float[Tensor, "... V"]:
        """What the head makes of states, [..., C] -> [..., V], squeezed where there is a cap."""
        logits, cap = self.head(states), self.config.logit_cap
        return logits if cap is None else cap * torch.tanh(logits / cap)

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
        return self.logits(self.states(tokens, token_mask, cache=cache, memory=memory))

    def next_logits(
        self,
        tokens: Int[Tensor, "B T"],
        token_mask: Bool[Tensor, "B T"] | None = None,
        *,
        cache: Cache | None = None,
        memory: Sequence[BlockMemory] | None = None,
    ) -> Float[Tensor, "B V"]:
        """Logits after the last position only, [B, V]: all that generation needs."""
        return self.logits(self.states(tokens, token_mask, cache=cache, memory=memory)[:, -1])

    def new_cache(
        self,
        batch: int,
        kind: Literal["growing", "preallocated", "window"] = "growing",
        *,
        capacity: int | None = None,
    ) -> Cache:
        """An empty cache that fits this model, for `batch` rows.

        capacity: tokens a preallocated cache has room for; the context if None. A window cache
        keeps as many tokens as the block that sees furthest, config.widest_window.
        """
        need_choice("kind", kind, ("growing", "preallocated", "window"))
        shape = self.cache_shape(batch)
        if kind == "preallocated":
            return PreallocatedCache(shape, self.config.context if capacity is None else capacity)
        if capacity is not None:
            raise ValueError(f"capacity={capacity} is for kind='preallocated', not for {kind!r}")
        if kind == "growing":
            return GrowingCache(shape)
        window = self.config.widest_window
        if window is None:
            raise ValueError(
                "this model looks back without limit, so a window cache would forget what it "
                "needs; give DecoderConfig a window, or use another kind"
            )
        return WindowCache(shape, window)

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

    def parameter_count(self) -> int:
        """How many numbers training can change."""
        return sum(parameter.numel() for parameter in self.parameters())


def _positions(x: Tensor, token_mask: Tensor | None, past: Tensor | int) -> Int[Tensor, "B T"]:
    """Where vectors [B, T, C] stand, counted over real tokens, with `past` of them before."""
    past = torch.as_tensor(past, device=x.device)[..., None]  # [B, 1], or [1] for all rows
    if token_mask is not None:
        return position_ids(token_mask) + past  # [B, T]
    return torch.arange(x.shape[1], device=x.device).expand(x.shape[:2]) + past
