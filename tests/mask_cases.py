"""Every kind of attention mask and every combination, drawn; and attention to try them on."""

from dataclasses import dataclass

import torch
from hypothesis import strategies as st

from helpers.decoder import masks
from helpers.decoder.attention import attention, fused_attention, merge_heads, split_heads

FORMS = [attention, fused_attention]
forms = st.sampled_from(FORMS)
seeds = st.integers(0, 10_000)


def numbers(*shape, seed=0, dtype=torch.float32):
    """Random numbers of that shape, the same for the same seed."""
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


@dataclass(frozen=True)
class MaskCase:
    """A mask by its parts; each part may be missing. All rows have T tokens."""

    batch: int
    length: int
    base: str  # "none", "causal", "window", "prefix"
    width: int
    prefix: torch.Tensor  # [B]
    documents: torch.Tensor | None  # [B, T]
    token_mask: torch.Tensor | None  # [B, T]

    def mask(self, start=0, end=None):
        """The mask of the queries start:end over the keys 0:end."""
        end = self.length if end is None else end
        queries = end - start
        base = {
            "none": lambda: torch.ones(queries, end, dtype=torch.bool),
            "causal": lambda: masks.causal(queries, end),
            "window": lambda: masks.window(queries, end, width=self.width),
            "prefix": lambda: masks.prefix(self.prefix, queries, end),
        }[self.base]()
        return masks.both(
            base,
            None if self.documents is None else masks.document(self.documents[:, :end], queries),
            None if self.token_mask is None else masks.padding(self.token_mask[:, :end]),
        )

    def rows(self):
        """The whole mask as [B, T, T]."""
        mask = self.mask()
        return mask.expand(self.batch, 1, self.length, self.length)[:, 0]


@st.composite
def mask_cases(draw, bases=("none", "causal", "window", "prefix")):
    """Draw a MaskCase."""
    batch, length = draw(st.integers(1, 3)), draw(st.integers(2, 7))
    each = {"min_size": batch, "max_size": batch}
    prefix = draw(st.lists(st.integers(0, length), **each))
    documents = token_mask = None
    if draw(st.booleans()):
        steps = st.lists(st.integers(0, 1), min_size=length, max_size=length)
        documents = torch.tensor(draw(st.lists(steps, **each))).cumsum(dim=1)
    if draw(st.booleans()):
        real = torch.tensor(draw(st.lists(st.integers(1, length), **each)))
        token_mask = torch.arange(length) < real[:, None]
        if draw(st.booleans()):
            token_mask = token_mask.flip(1)
    return MaskCase(
        batch,
        length,
        draw(st.sampled_from(bases)),
        draw(st.integers(1, length)),
        torch.tensor(prefix),
        documents,
        token_mask,
    )


def looks_with_fixed_queries(form, mask, batch, length, heads, seed, dtype=torch.float32):
    """Attention whose keys and values come from x and whose queries do not, so that all that
    the output can depend on is what the mask shows."""
    width = 2 * heads
    query = numbers(batch, heads, length, 2, seed=seed, dtype=dtype)
    to_key, to_value = numbers(2, width, width, seed=seed + 1, dtype=dtype)

    def function(x):
        key, value = split_heads(x @ to_key, heads), split_heads(x @ to_value, heads)
        return merge_heads(form(query, key, value, mask))  # [B, T, C]

    return function, numbers(batch, length, width, seed=seed + 2, dtype=dtype)
