"""Two models that put a picture into words: by cross-attention, and by a prefix of patches.

Both make one vector of width C from each patch. `EncoderDecoder` lets patches look at each other in
an encoder, and the text looks at the result through cross-attention. `PrefixDecoder` puts the
patches before the text, and a decoder-only model reads both as one sequence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from helpers.decoder.block import Block, BlockMemory, draw_weights
from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoder.modes import evaluating
from helpers.decoding.generation import generate
from helpers.languages.drawings import SIDE, Drawing, patches, pictures_of
from helpers.languages.language import BOS, captions
from helpers.languages.tokens import pad_rows
from helpers.training.batches import Batch
from helpers.training.loop import next_token_loss

PATCH = 2  # points a side
PATCHES = (SIDE // PATCH) ** 2  # a picture's patches: S = 16
NEW_TOKENS = 7  # the longest caption's words and its end


class EncoderDecoder(nn.Module):
    """An encoder for patches, without a mask, and a decoder that looks at it by cross-attention."""

    def __init__(self, *, width: int = 32, heads: int = 4, blocks: int = 1, seed: int = 0) -> None:
        super().__init__()
        config = DecoderConfig(
            vocab_size=captions().vocab_size,
            context=1 + NEW_TOKENS,
            width=width,
            heads=heads,
            blocks=blocks,
            cross_attention=True,
        )
        look_within = replace(config, cross_attention=False)  # the mask, not the block, is causal
        with torch.random.fork_rng(devices=[]):  # torch's own first weights are replaced below
            self.patch_embedding = nn.Linear(PATCH * PATCH, width)
            self.place_embedding = nn.Embedding(PATCHES, width)
            self.encoder = nn.ModuleList(Block(look_within) for _ in range(blocks))
            self.decoder = Decoder(config)
        draw_weights(self, torch.Generator().manual_seed(seed))

    def encode(self, pictures: Float[Tensor, "B 8 8"]) -> Float[Tensor, "B S C"]:
        """One state for each patch, [B, S, C]; every patch has looked at every other."""
        x = self.patch_embedding(_patches_of(pictures)) + self.place_embedding.weight
        for block in self.encoder:
            x = block(x)
        return x

    def read(self, pictures: Float[Tensor, "B 8 8"]) -> list[BlockMemory]:
        """What the decoder looks at: keys and values of the patches, made once a picture."""
        return self.decoder.memory_of(self.encode(pictures))

    def forward(
        self,
        pictures: Float[Tensor, "B 8 8"],
        tokens: Int[Tensor, "B T"],
        token_mask: Bool[Tensor, "B T"] | None = None,
    ) -> Float[Tensor, "B T V"]:
        """Logits of the token after each position of the text, [B, T, V]."""
        return self.decoder(tokens, token_mask, memory=self.read(pictures))

    def caption(self, pictures: Float[Tensor, "B 8 8"]) -> list[list[int]]:
        """A greedy caption of each picture, as ids with `<eos>`."""
        with torch.no_grad(), evaluating(self):
            memory = self.read(pictures)
        start = torch.full((len(pictures), 1), BOS)
        return generate(
            self.decoder, start, max_new_tokens=NEW_TOKENS, temperature=0, memory=memory
        ).rows()


class PrefixDecoder(nn.Module):
    """A decoder-only model that reads a picture's patches as if they were the first tokens."""

    def __init__(self, *, width: int = 32, heads: int = 4, blocks: int = 1, seed: int = 0) -> None:
        super().__init__()
        config = DecoderConfig(
            vocab_size=captions().vocab_size,
            context=PATCHES + 1 + NEW_TOKENS,
            width=width,
            heads=heads,
            blocks=blocks,
        )
        with torch.random.fork_rng(devices=[]):
            self.patch_embedding = nn.Linear(PATCH * PATCH, width)
            self.decoder = Decoder(config)
        draw_weights(self, torch.Generator().manual_seed(seed))

    def prefix(self, pictures: Float[Tensor, "B 8 8"]) -> Float[Tensor, "B S C"]:
        """The vectors that stand where token rows would, one a patch, [B, S, C]."""
        return self.patch_embedding(_patches_of(pictures))

    def forward(
        self,
        pictures: Float[Tensor, "B 8 8"],
        tokens: Int[Tensor, "B T"],
        token_mask: Bool[Tensor, "B T"] | None = None,
    ) -> Float[Tensor, "B T V"]:
        """Logits of the token after each position of the text, [B, T, V]."""
        prefix = self.prefix(pictures)  # [B, S, C]
        real = torch.ones_like(tokens, dtype=torch.bool) if token_mask is None else token_mask
        seen = torch.cat([real.new_ones(prefix.shape[:2]), real], dim=1)  # [B, S + T]
        vectors = torch.cat([prefix, self.decoder.token_embedding(tokens)], dim=1)
        states = self.decoder.states_of(vectors, seen)  # [B, S + T, C]
        return self.decoder.logits(states[:, prefix.shape[1] :])

    def caption(self, pictures: Float[Tensor, "B 8 8"]) -> list[list[int]]:
        """A greedy caption of each picture, as ids with `<eos>`; the prefix fills a cache once."""
        cache = self.decoder.new_cache(len(pictures))
        with torch.no_grad(), evaluating(self):
            self.decoder.states_of(self.prefix(pictures), cache=cache)
        start = torch.full((len(pictures), 1), BOS)
        return generate(
            self.decoder, start, max_new_tokens=NEW_TOKENS, temperature=0, cache=cache
        ).rows()


def _patches_of(pictures: Float[Tensor, "B 8 8"]) -> Float[Tensor, "B S P"]:
    if pictures.shape[1:] != (SIDE, SIDE):  # another form may have as many patches, elsewhere
        raise ValueError(f"pictures have shape {list(pictures.shape)}; give [B, {SIDE}, {SIDE}]")
    return patches(pictures, PATCH)


@dataclass(frozen=True)
class PictureBatch(Batch):
    """A batch whose rows each belong to a picture [B, 8, 8]."""

    pictures: Float[Tensor, "B 8 8"]

    @staticmethod
    def of_drawings(drawings: Sequence[Drawing]) -> PictureBatch:
        """Every drawing with each of its two captions."""
        pairs = [(drawing, caption) for drawing in drawings for caption in drawing.captions()]
        tokens, token_mask = pad_rows([caption for _, caption in pairs])
        return PictureBatch(tokens, token_mask, pictures_of([drawing for drawing, _ in pairs]))

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """What a model is called with."""
        return self.pictures, self.tokens, self.token_mask


def picture_batches(
    drawings: Sequence[Drawing], batch_size: int, *, seed: int
) -> Iterator[PictureBatch]:
    """Batches without end, drawn evenly from the drawings and their captions."""
    pairs = PictureBatch.of_drawings(drawings)
    generator = torch.Generator().manual_seed(seed)
    while True:
        rows = torch.randint(len(pairs.tokens), (batch_size,), generator=generator)
        yield PictureBatch(pairs.tokens[rows], pairs.token_mask[rows], pairs.pictures[rows])


@torch.no_grad()
def caption_loss(model: nn.Module, drawings: Sequence[Drawing]) -> float:
    """The loss on every drawing with each of its captions, nats a token."""
    batch = PictureBatch.of_drawings(drawings)
    with evaluating(model):
        return float(next_token_loss(model(*batch.inputs), batch.tokens, batch.token_mask))


def told_rightly(drawings: Sequence[Drawing], texts: Sequence[Sequence[int]]) -> int:
    """How many texts (new tokens, with `<eos>`) are true captions of their drawings."""
    return sum(
        (BOS, *text) in drawing.captions() for drawing, text in zip(drawings, texts, strict=True)
    )
