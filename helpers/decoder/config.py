"""What a decoder looks like, as one frozen record that refuses impossible values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from helpers.decoder.experts import ROUTINGS
from helpers.decoder.feed_forward import KINDS
from helpers.decoder.norms import NORMS
from helpers.decoder.rotary import Rotary
from helpers.needs import need_choice, need_int, need_positive

# where positions enter: added to the token's vector, or inside attention
ADDED = ("learned", "sinusoidal", "none")
INSIDE_ATTENTION = ("relative", "rotary", "alibi")
PLAIN_ROTARY = Rotary()
SWITCHES = (
    *("attention", "causal", "cross_attention", "query_key_norm", "embedding_norm", "final_norm"),
    *("parallel", "qkv_bias", "output_bias", "feed_forward_bias", "head_bias", "tied_head"),
)


@dataclass(frozen=True, kw_only=True)
class DecoderConfig:
    """What a decoder looks like. Impossible values are refused by name.

    The fields stand in the order in which a token meets them. Some are None for "as usual"; the
    properties G, D, hidden_width and windows say what they come to.
    """

    # sizes. vocab_size: V. context: the most tokens it can take, T at most. width: C.
    # blocks: how many stand on each other (0 = embeddings and head only).
    vocab_size: int
    context: int
    width: int = 32
    blocks: int = 1

    # token embedding. pad_id: the token whose embedding is the zero row; None for no such token.
    # scale: multiplies token rows. norm: one after the positions are added.
    pad_id: int | None = 0
    embedding_scale: float = 1.0
    embedding_norm: bool = False

    # positions. Added to the token's vector: learned table, fixed sines, or none. Inside attention:
    # a learned bias by distance (up to relative_reach, further is as far), rotary, or ALiBi.
    positions: Literal["learned", "sinusoidal", "relative", "rotary", "alibi", "none"] = "learned"
    relative_reach: int | None = None
    rotary: Rotary = PLAIN_ROTARY  # or its fields as a dict

    # attention. False leaves it out of every block. causal: False shows every token to every other
    # one, which makes it an encoder. heads: H. key_value_heads: G, H if None. head_width: D, C / H
    # if None. window: a token sees itself and window - 1 before it, all of the past if None; or
    # one such number for each block. query_key_norm: a norm over D for queries and keys.
    # cross_attention: each block also looks at a second sequence, its memory.
    attention: bool = True
    causal: bool = True
    heads: int = 4
    key_value_heads: int | None = None
    head_width: int | None = None
    window: int | tuple[int | None, ...] | None = None
    query_key_norm: bool = False
    qkv_bias: bool = True
    output_bias: bool = True
    cross_attention: bool = False

    # feed-forward. hidden: its inner width, 4 C if None. experts: how many there are to choose
    # from, experts_used at each position; None for a single part.
    hidden: int | None = None
    feed_forward: Literal["gelu", "gelu_tanh", "relu", "geglu", "geglu_tanh", "swiglu"] = "gelu"
    feed_forward_bias: bool = True
    experts: int | None = None
    experts_used: int | None = None
    routing: Literal["top_then_softmax", "softmax_then_top"] = "top_then_softmax"

    # norms and residuals. norm_placement: "post" normalises after adding to the residual stream
    # (2017), "pre" before each part, "both" before each part and what it says, before adding.
    # parallel: attention and feed-forward read the same state, and both are added to it.
    # final_norm: one more norm before the head; pre-norm models need it.
    norm: Literal["layer", "rms", "one_plus_rms"] = "layer"
    norm_eps: float = 1e-5
    norm_placement: Literal["post", "pre", "both"] = "post"
    parallel: bool = False
    final_norm: bool = False

    # head. tied_head: its matrix is the token embedding. logit_cap: squeezes logits smoothly into
    # -cap..cap.
    head_bias: bool = True
    tied_head: bool = False
    logit_cap: float | None = None

    # dropout: share of numbers set to zero in training, after the embedding and each part.
    dropout: float = 0.0

    @property
    def G(self) -> int:
        """The number of key/value heads."""
        return self.heads if self.key_value_heads is None else self.key_value_heads

    @property
    def D(self) -> int:
        """The width of a head."""
        return self.width // self.heads if self.head_width is None else self.head_width

    @property
    def hidden_width(self) -> int:
        """The width inside the feed-forward."""
        return 4 * self.width if self.hidden is None else self.hidden

    @property
    def windows(self) -> tuple[int | None, ...]:
        """How far each block's tokens look back, None = all of the past."""
        return self.window if isinstance(self.window, tuple) else (self.window,) * self.blocks

    @property
    def widest_window(self) -> int | None:
        """How many tokens back the block sees that sees furthest; None = all of the past."""
        windows = self.windows or (self.window,)
        return None if None in windows else max(windows)

    def __post_init__(self) -> None:
        # plain data, such as a record read from a file, comes in as dicts and lists
        if isinstance(self.rotary, dict):
            object.__setattr__(self, "rotary", Rotary(**self.rotary))
        if isinstance(self.window, list):
            object.__setattr__(self, "window", tuple(self.window))
        self._check_values()
        self._check_heads()
        self._check_positions()
        self._check_windows()
        self._check_together()

    def _check_values(self) -> None:
        for name in ("vocab_size", "context", "width", "heads"):
            need_int(name, getattr(self, name), 1)
        need_int("blocks", self.blocks, 0)
        for name in ("key_value_heads", "head_width", "hidden", "relative_reach", "experts"):
            if getattr(self, name) is not None:
                need_int(name, getattr(self, name), 1)
        for name in SWITCHES:
            need_choice(name, getattr(self, name), (True, False))
        need_choice("positions", self.positions, (*ADDED, *INSIDE_ATTENTION))
        need_choice("feed_forward", self.feed_forward, tuple(KINDS))
        need_choice("routing", self.routing, ROUTINGS)
        need_choice("norm", self.norm, NORMS)
        need_choice("norm_placement", self.norm_placement, ("post", "pre", "both"))
        need_positive("norm_eps", self.norm_eps)
        need_positive("embedding_scale", self.embedding_scale)
        if self.logit_cap is not None:
            need_positive("logit_cap", self.logit_cap)
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout is {self.dropout}; give a share of 0 or more, under 1")
        if self.pad_id is not None:
            need_int("pad_id", self.pad_id, 0)
            if self.pad_id >= self.vocab_size:
                raise ValueError(
                    f"pad_id is {self.pad_id}; give 0 to {self.vocab_size - 1} or None"
                )

    def _check_heads(self) -> None:
        if self.head_width is None and self.width % self.heads:
            raise ValueError(
                f"width C={self.width} is not divisible by heads H={self.heads}; "
                "every head needs the same whole number of columns (or give head_width)"
            )
        if self.heads % self.G:
            raise ValueError(
                f"heads H={self.heads} is not divisible by key_value_heads G={self.G}; every "
                "key/value head serves the same number of query heads"
            )

    def _check_positions(self) -> None:
        if self.positions == "sinusoidal" and self.width % 2:
            raise ValueError(f"width C={self.width} is odd; sinusoidal positions need pairs")
        if (self.relative_reach is not None) != (self.positions == "relative"):
            raise ValueError(
                f"relative_reach is {self.relative_reach} and positions {self.positions!r}; it is "
                "how many distances relative positions tell apart, and for them alone"
            )
        if not isinstance(self.rotary, Rotary):
            raise TypeError(f"rotary is {self.rotary!r}; give Rotary(...) or its fields")
        if self.positions != "rotary" and self.rotary != PLAIN_ROTARY:
            raise ValueError(f"{self.rotary} is given, but positions is {self.positions!r}")
        if self.positions == "rotary":
            turned = self.D if self.rotary.width is None else self.rotary.width
            if turned % 2 or turned > self.D:
                raise ValueError(
                    f"rotary turns {turned} lanes of head width D={self.D}; give an even number "
                    "of at most D as Rotary(width=...)"
                )
        if self.positions in INSIDE_ATTENTION:
            if not self.attention:
                raise ValueError(
                    f"positions {self.positions!r} act inside attention, and attention is False"
                )
            if self.positions != "rotary" and not self.causal:
                raise ValueError(
                    f"positions {self.positions!r} need causal=True; they count how far back"
                )

    def _check_windows(self) -> None:
        if self.window is None:
            return
        if isinstance(self.window, tuple):
            for block, width in enumerate(self.window):
                if width is not None:
                    need_int(f"window[{block}]", width, 1)
            if len(self.window) != self.blocks:
                raise ValueError(
                    f"window has {len(self.window)} numbers for {self.blocks} blocks; give one "
                    "for each, or one number for all"
                )
        else:
            need_int("window", self.window, 1)
        if not self.causal:
            raise ValueError("window needs causal=True; it is how far a token looks back")

    def _check_together(self) -> None:
        if (self.experts is None) != (self.experts_used is None):
            raise ValueError(
                f"experts is {self.experts} and experts_used {self.experts_used}; give both or none"
            )
        if self.experts is not None:
            need_int("experts_used", self.experts_used, 1)
            if self.experts_used > self.experts:
                raise ValueError(
                    f"experts_used is {self.experts_used}; there are {self.experts} experts"
                )
        if self.query_key_norm and not (self.attention or self.cross_attention):
            raise ValueError("query_key_norm is True, but there is no attention to normalise in")
        if self.parallel:
            if self.norm_placement == "post":
                raise ValueError(
                    "parallel needs norm_placement 'pre' or 'both'; a norm after adding would come "
                    "between the two parts"
                )
            if not self.attention or self.cross_attention:
                raise ValueError(
                    "parallel is attention beside feed-forward: it needs attention=True and "
                    "cross_attention=False"
                )
        if self.tied_head and self.pad_id is not None:
            raise ValueError(
                f"tied_head trains every row of the token embedding, and pad_id={self.pad_id} "
                "keeps one at zero; give pad_id=None"
            )
