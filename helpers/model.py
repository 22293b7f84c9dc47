"""The decoder: a configuration, a block, and the stack of them from token ids to logits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from helpers import masks
from helpers.attention import MultiHeadAttention
from helpers.feed_forward import FeedForward
from helpers.positions import position_ids, sinusoidal_table
from helpers.tokens import check_token_mask, check_tokens


@dataclass(frozen=True, kw_only=True)
class DecoderConfig:
    """What a decoder looks like. Impossible values are refused by name.

    vocab_size: V. context: the most tokens it can take, T at most. width: C. heads: H.
    blocks: how many stand on each other (0 = embeddings and head only).
    hidden: width inside the feed-forward; 4 C if None.
    attention: False leaves attention out of every block. causal: False shows every token to every
    other one, which makes it an encoder. positions: learned table, fixed sines, or none.
    norm_placement: "post" normalises after adding to the residual stream (2017), "pre" before
    each part. final_norm: one more norm before the head; pre-norm models need it.
    dropout: share of numbers set to zero in training, after the embedding and each part.
    pad_id: the token whose embedding is the zero row; None for no such token.
    """

    vocab_size: int
    context: int
    width: int = 32
    heads: int = 4
    blocks: int = 1
    hidden: int | None = None
    attention: bool = True
    causal: bool = True
    positions: Literal["learned", "sinusoidal", "none"] = "learned"
    norm_placement: Literal["post", "pre"] = "post"
    final_norm: bool = False
    dropout: float = 0.0
    pad_id: int | None = 0

    def __post_init__(self) -> None:
        for name in ("vocab_size", "context", "width", "heads"):
            _need_int(name, getattr(self, name), 1)
        _need_int("blocks", self.blocks, 0)
        if self.hidden is not None:
            _need_int("hidden", self.hidden, 1)
        if self.width % self.heads:
            raise ValueError(
                f"width C={self.width} is not divisible by heads H={self.heads}; "
                "every head needs the same whole number of columns"
            )
        _need_choice("positions", self.positions, ("learned", "sinusoidal", "none"))
        if self.positions == "sinusoidal" and self.width % 2:
            raise ValueError(f"width C={self.width} is odd; sinusoidal positions need pairs")
        _need_choice("norm_placement", self.norm_placement, ("post", "pre"))
        for name in ("attention", "causal", "final_norm"):
            _need_choice(name, getattr(self, name), (True, False))
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout is {self.dropout}; give a share of 0 or more, under 1")
        if self.pad_id is not None:
            _need_int("pad_id", self.pad_id, 0)
            if self.pad_id >= self.vocab_size:
                raise ValueError(
                    f"pad_id is {self.pad_id}; give 0 to {self.vocab_size - 1} or None"
                )


def _need_int(name: str, value: object, least: int) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} is {value!r}; give a whole number of {least} or more")


def _need_choice(name: str, value: object, allowed: tuple) -> None:
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; allowed are {', '.join(map(repr, allowed))}")


class Block(nn.Module):
    """Look around, then think: attention and feed-forward, each added to what was there.

    The block does not know that it is causal; the mask it is given makes it so. Without a mask it
    is an encoder block.
    """

    def __init__(self, config: DecoderConfig) -> None:
        super().__init__()
        self.pre_norm = config.norm_placement == "pre"
        if config.attention:
            self.attention = MultiHeadAttention(config.width, config.heads)
            self.attention_norm = nn.LayerNorm(config.width)
        else:
            self.attention = None
        self.feed_forward = FeedForward(config.width, config.hidden or 4 * config.width)
        self.feed_forward_norm = nn.LayerNorm(config.width)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self, x: Float[Tensor, "B T C"], mask: Bool[Tensor, "..."] | None = None
    ) -> Float[Tensor, "B T C"]:
        """[B, T, C] in and out; mask: True = may attend, broadcastable to [B, H, T, T]."""
        if self.pre_norm:
            if self.attention is not None:
                x = x + self.dropout(self.attention(self.attention_norm(x), mask))
            return x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))
        if self.attention is not None:
            x = self.attention_norm(x + self.dropout(self.attention(x, mask)))
        return self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))


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
        self._draw_weights(torch.Generator().manual_seed(seed))

    @torch.no_grad()
    def _draw_weights(self, generator: torch.Generator) -> None:
        # Uniform numbers, since torch draws them alike on every processor; normal ones it does not.
        for module in self.modules():
            if isinstance(module, nn.Linear):
                bound = 1 / math.sqrt(module.in_features)
                module.weight.uniform_(-bound, bound, generator=generator)
                module.bias.zero_()
            elif isinstance(module, nn.Embedding):
                bound = math.sqrt(3)  # variance 1
                module.weight.uniform_(-bound, bound, generator=generator)
                if module.padding_idx is not None:
                    module.weight[module.padding_idx] = 0

    def embed(
        self, tokens: Int[Tensor, "B T"], token_mask: Bool[Tensor, "B T"] | None = None
    ) -> Float[Tensor, "B T C"]:
        """Token rows plus position rows, shape [B, T, C]; positions ignore padding."""
        x = self.token_embedding(tokens)  # [B, T, C]
        if self.config.positions == "none":
            return self.dropout(x)
        real = torch.ones_like(tokens, dtype=torch.bool) if token_mask is None else token_mask
        positions = position_ids(real)  # [B, T]
        if self.config.positions == "learned":
            return self.dropout(x + self.position_embedding(positions))
        return self.dropout(x + self.position_table[positions])

    def mask(
        self, length: int, token_mask: Bool[Tensor, "B T"] | None = None
    ) -> Bool[Tensor, "..."] | None:
        """Who may attend to whom: causal, and no padding; None when everybody may see everybody."""
        return masks.both(
            masks.causal(length, device=self.head.weight.device) if self.config.causal else None,
            masks.padding(token_mask) if token_mask is not None else None,
        )

    def states(
        self, tokens: Int[Tensor, "B T"], token_mask: Bool[Tensor, "B T"] | None = None
    ) -> Float[Tensor, "B T C"]:
        """What the head reads: the states after the last block (and final norm), [B, T, C]."""
        self._check_input(tokens, token_mask)
        x = self.embed(tokens, token_mask)  # [B, T, C]
        mask = self.mask(tokens.shape[1], token_mask)
        for block in self.blocks:
            x = block(x, mask)
        return self.final_norm(x)

    def forward(
        self, tokens: Int[Tensor, "B T"], token_mask: Bool[Tensor, "B T"] | None = None
    ) -> Float[Tensor, "B T V"]:
        """Logits of the token after each position, shape [B, T, V].

        tokens: ids, int64. token_mask: True = real token; needed for padding on the left, and
        harmless for padding on the right. Logits at padding mean nothing.
        Raises TypeError or ValueError, naming what is wrong, before anything is computed.
        """
        return self.head(self.states(tokens, token_mask))

    def _check_input(self, tokens: Tensor, token_mask: Tensor | None) -> None:
        # the device first: what the ids are cannot be looked at on every device
        if isinstance(tokens, Tensor) and tokens.device != self.head.weight.device:
            raise ValueError(
                f"tokens are on {tokens.device}, the model on {self.head.weight.device}; "
                "move one with .to(device)"
            )
        check_tokens(tokens, self.config.vocab_size)
        if tokens.shape[1] > self.config.context:
            raise ValueError(
                f"tokens has T={tokens.shape[1]} columns; this model's context is "
                f"{self.config.context}"
            )
        if token_mask is not None:
            check_token_mask(token_mask, tokens)

    def parameter_count(self) -> int:
        """How many numbers training can change."""
        return sum(parameter.numel() for parameter in self.parameters())


@contextmanager
def in_mode(model: nn.Module, training: bool) -> Iterator[nn.Module]:
    """`with in_mode(model, True):` sets train mode (or eval), and leaves each part as it was found.

    Each part's own mode comes back, so a model with some parts kept in eval mode keeps them so.
    """
    modes = [(module, module.training) for module in model.modules()]
    model.train(training)
    try:
        yield model
    finally:
        for module, was_training in modes:
            module.training = was_training


def evaluating(model: nn.Module) -> AbstractContextManager[nn.Module]:
    """`with evaluating(model):` switches dropout off, and leaves the mode as it was found."""
    return in_mode(model, training=False)
