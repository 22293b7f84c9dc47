"""What must hold for every causal model, as tests that name the place which breaks it.

The leak test and the mirror test (`influence`) say who depends on whom. Those here say that every
path gives the same numbers: a row alone and in a padded batch, a text in one pass and in pieces,
with a cache of any kind and without one; then that the chosen tokens are the same too.

`ladder` runs all of them on one decoder. Each check also works alone, on a model of your own.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from helpers.decoder import masks
from helpers.decoder.cache import Cache
from helpers.decoder.model import Decoder
from helpers.decoder.modes import evaluating
from helpers.decoding.generation import generate
from helpers.judging.influence import (
    Influence,
    InvariantBroken,
    check_no_leak,
    check_sees_all,
    influence_by_change,
    influence_by_gradient,
)
from helpers.languages.tokens import pad_rows

# ---- the same numbers on every path -------------------------------------------------------------


def check_equal(
    got: Float[Tensor, "..."], wanted: Float[Tensor, "..."], what: str, tolerance: float = 1e-5
) -> None:
    """Raise InvariantBroken unless all numbers agree within `tolerance` and none is NaN."""
    if got.shape != wanted.shape:
        raise InvariantBroken(f"{what}: shape {list(got.shape)} against {list(wanted.shape)}")
    got, wanted = got.double(), wanted.double()  # whole numbers without a sign would wrap around
    gap = (got - wanted).abs()
    if not (gap <= tolerance).all():  # written so that NaN fails too
        worst = float(gap.nan_to_num(nan=float("inf")).max())
        raise InvariantBroken(f"{what}: numbers differ by up to {worst:.2g}, allowed {tolerance:g}")


def check_chunks(
    function: Callable[..., Float[Tensor, "B H Tq D"]],
    query: Float[Tensor, "B H T D"],
    key: Float[Tensor, "B H T D"],
    value: Float[Tensor, "B H T D"],
    cuts: Sequence[int],
    tolerance: float = 1e-5,
) -> None:
    """Causal attention over a text in pieces gives the numbers of one pass.

    function: attention(query, key, value, mask). cuts: where pieces end, e.g. [7, 16] for T = 16;
    each piece asks about all keys up to its own end. Raises ValueError unless they rise to T.
    """
    length = query.shape[2]
    _check_cuts(cuts, length)
    whole = function(query, key, value, masks.causal(length))
    start = 0
    for end in cuts:
        mask = masks.causal(end - start, end)
        piece = function(query[:, :, start:end], key[:, :, :end], value[:, :, :end], mask)
        check_equal(piece, whole[:, :, start:end], f"chunk {start}:{end}", tolerance)
        start = end


@torch.no_grad()
def check_padding(
    model: Decoder,
    rows: Sequence[Sequence[int]],
    *,
    extra: int = 0,
    tolerance: float = 1e-5,
) -> None:
    """Each row gives the same logits alone and in a batch padded on the left or on the right.

    extra: padding columns more than the longest row needs; all must fit the context.
    """
    length = max(map(len, rows), default=0) + extra
    with evaluating(model):
        alone = [model(torch.tensor([list(row)]))[0] for row in rows]
        for side in ("left", "right"):
            tokens, token_mask = pad_rows(rows, length, side)
            together = model(tokens, token_mask)
            for i, wanted in enumerate(alone):
                got = together[i, token_mask[i]]
                check_equal(got, wanted, f"row {i} in a batch padded on the {side}", tolerance)


@torch.no_grad()
def check_cached(
    model: Decoder,
    rows: Sequence[Sequence[int]],
    kind: str,
    cuts: Sequence[int],
    tolerance: float = 1e-5,
    *,
    extra: int = 0,
) -> None:
    """A text read into a cache in pieces gives the logits of one pass without a cache.

    rows: of ids; unequal ones are padded on the left, and extra adds columns of padding. kind: of
    cache, as in `Decoder.new_cache`. cuts: where pieces end, counted in columns.
    Then the cache is reset, and must be as good as new for another text.
    InvariantBroken names the kind, the piece (chunk), and the first row and column (position).
    """
    tokens, token_mask = pad_rows(rows, max(map(len, rows), default=0) + extra, side="left")
    length = tokens.shape[1]
    _check_cuts(cuts, length)
    other = (tokens + 1) % model.config.vocab_size
    with evaluating(model):
        cache = _new_cache(model, len(rows), kind, length)
        _check_pieces(model, cache, f"{kind} cache", tokens, token_mask, cuts, tolerance)
        cache.reset()
        what = f"{kind} cache after a reset"
        if cache.length:
            raise InvariantBroken(f"{what}: its length is {cache.length}, not 0")
        real = torch.ones_like(token_mask)
        _check_pieces(model, cache, what, other, real, [length], tolerance)


def _check_pieces(
    model: Decoder,
    cache: Cache,
    what: str,
    tokens: Int[Tensor, "B T"],
    token_mask: Bool[Tensor, "B T"],
    cuts: Sequence[int],
    tolerance: float,
) -> None:
    whole = model(tokens, token_mask)  # [B, T, V]
    start = 0
    for end in cuts:
        where, columns = f"{what}, chunk {start}:{end}", slice(start, end)
        with _errors_break(where):
            piece = model(tokens[:, columns], token_mask[:, columns], cache=cache)
        wanted = whole[:, columns]
        if piece.shape != wanted.shape:
            check_equal(piece, wanted, where)
        gap = (piece.double() - wanted.double()).abs().amax(dim=-1)  # [B, T]
        wrong = ~(gap <= tolerance) & token_mask[:, columns]  # written so that NaN is wrong too
        for b, t in wrong.nonzero().tolist():
            place = f"{where}, row {b}, position {start + t}"
            check_equal(piece[b, t], wanted[b, t], place, tolerance)
        if cache.length != end:
            raise InvariantBroken(f"{where}: its length is {cache.length}, not {end}")
        start = end


def check_generation(
    model: Decoder,
    rows: Sequence[Sequence[int]],
    kind: str,
    *,
    max_new_tokens: int,
    tolerance: float = 1e-5,
    **options: float,
) -> None:
    """Generating with a cache equals generating without one: logits first, then tokens.

    Logits first, since a wrong cache may well choose the right tokens.
    rows: prompts; unequal ones are padded on the left. kind: as in `check_cached`. options: seed
    and controls, as in `generate`. No token ends a row.
    """
    tokens, token_mask = pad_rows(rows, side="left")
    width = tokens.shape[1]
    go_on = partial(
        generate, model, tokens, token_mask=token_mask, max_new_tokens=max_new_tokens, stop_ids=None
    )
    plain = go_on(**options)
    texts = torch.cat([tokens, plain.tokens], dim=1)  # [B, T + N]
    real = torch.cat([token_mask, torch.ones_like(plain.tokens, dtype=torch.bool)], dim=1)
    with torch.no_grad(), evaluating(model):
        cache = _new_cache(model, len(rows), kind, texts.shape[1])
        cuts = range(width, texts.shape[1] + 1)
        _check_pieces(model, cache, f"{kind} cache", texts, real, cuts, tolerance)
    cache = _new_cache(model, len(rows), kind, texts.shape[1] - 1)  # the last token is not read
    with _errors_break(f"{kind} cache in generate"):
        cached = go_on(**options, cache=cache)
    different = (cached.tokens != plain.tokens).nonzero().tolist()
    if different:
        b, i = different[0]
        raise InvariantBroken(
            f"{kind} cache: in row {b} new token {i} is {int(cached.tokens[b, i])}, without a "
            f"cache it is {int(plain.tokens[b, i])}"
        )
    what = f"{kind} cache: log-probabilities of the new tokens"
    check_equal(cached.log_probabilities, plain.log_probabilities, what, tolerance)


def _check_cuts(cuts: Sequence[int], length: int) -> None:
    if list(cuts) != sorted(set(cuts)) or not cuts or cuts[0] < 1 or cuts[-1] != length:
        raise ValueError(f"cuts is {list(cuts)}; give rising numbers from 1 that end with {length}")


def _new_cache(model: Decoder, batch: int, kind: str, room: int) -> Cache:
    return model.new_cache(batch, kind, capacity=room if kind == "preallocated" else None)


@contextmanager
def _errors_break(where: str) -> Iterator[None]:
    """What fails only with a cache, such as a mask of the wrong shape, breaks the invariant."""
    try:
        yield
    except (IndexError, RuntimeError, TypeError, ValueError) as error:
        raise InvariantBroken(f"{where}: {type(error).__name__}: {error}") from error


# ---- the whole ladder ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """One rung: what was tested, whether it holds, and where it broke."""

    name: str
    holds: bool
    detail: str = ""

    def __str__(self) -> str:
        return f"{'holds ' if self.holds else 'BROKEN'}  {self.name}" + (
            f": {self.detail}" if self.detail else ""
        )


def ladder(model: Decoder, *, seed: int = 0) -> list[Finding]:
    """Every invariant that can be tested on this decoder, each with its finding.

    Tokens are changed in texts of up to 7 tokens, gradients taken in texts of up to 64: as many as
    fit the context. Missing rungs: with a context of 1 those that need padding or a new token;
    without causal=True those of caches; without a window that of the window cache.
    Raises ValueError for a decoder with cross-attention, which needs a second sequence.
    """
    config = model.config
    if config.cross_attention:
        raise ValueError(
            "cross_attention is True: such a decoder says nothing without a second sequence; the "
            "ladder takes decoders with cross_attention=False"
        )
    length, longer = min(config.context, 7), min(config.context, 64)
    generator = torch.Generator().manual_seed(seed)
    # ids from 3 on: no padding, and no special token stands in the middle of a sentence
    first = min(3, config.vocab_size - 1)
    tokens = torch.randint(first, config.vocab_size, (2, length), generator=generator)
    text = torch.randint(first, config.vocab_size, (1, longer), generator=generator)
    short, long = _reach(model, length), _reach(model, longer)
    rows = [tokens[0, : max(1, length // 2)].tolist(), tokens[1].tolist()]
    extra = 1 if length < config.context else 0

    with evaluating(model), torch.inference_mode(False):  # which also switches gradients on
        by_change = _influence_by_change(model, tokens)
        by_gradient = influence_by_gradient(
            lambda x: model.head(model.through_blocks(x, model.mask(longer))),
            model.embed(text).detach(),
        )
    findings = [
        _finding("leak test by changing tokens", lambda: check_no_leak(by_change, short)),
        _finding("leak test by gradient", lambda: check_no_leak(by_gradient, long)),
        _finding("mirror test by changing tokens", lambda: check_sees_all(by_change, short)),
    ]
    if length > 1:
        check = partial(check_padding, model, rows, extra=extra)
        findings.append(_finding("same alone and in a padded batch", check))
    if not config.causal:
        return findings
    kinds = ["growing", "preallocated"] + ["window"] * (config.widest_window is not None)
    for kind in kinds:
        check = partial(_check_splits, model, tokens.tolist(), rows, kind, extra)
        findings.append(_finding(f"same in chunks with a {kind} cache", check))
    if length > 1:
        check = partial(_check_choices, model, rows, kinds, seed)
        findings.append(_finding("same tokens cached and uncached", check))
    return findings


def _reach(model: Decoder, length: int) -> Bool[Tensor, "T T"]:
    """What a position may depend on: through each block it sees one window further back."""
    config = model.config
    if config.widest_window is None:  # a block that sees all of the past
        return masks.causal(length)
    windows = config.windows or (config.window,)
    return masks.window(length, width=1 + sum(width - 1 for width in windows))


def _influence_by_change(model: Decoder, tokens: Int[Tensor, "B T"]) -> Influence:
    """To the last bit; but a model with experts computes rows in groups whose size depends on the
    tokens, which moves last bits. There, whatever moves less than 1e-10 in float64 is rounding."""
    vocab_size = model.config.vocab_size
    if model.config.experts is None:
        return influence_by_change(model, tokens, vocab_size)
    return influence_by_change(copy.deepcopy(model).double(), tokens, vocab_size, tolerance=1e-10)


def _check_splits(
    model: Decoder, full: list[list[int]], unequal: list[list[int]], kind: str, extra: int
) -> None:
    length = len(full[0])
    for first in (length, 1, length - 1):
        check_cached(model, full, kind, sorted({first, length} - {0}))
    length += extra
    for cuts in ({length}, {length // 2, length}, range(1, length + 1)):
        check_cached(model, unequal, kind, sorted({*cuts} - {0}), extra=extra)


def _check_choices(model: Decoder, rows: list[list[int]], kinds: list[str], seed: int) -> None:
    new = len(rows[1]) // 2
    prompts = [row[: len(rows[1]) - new] for row in rows]
    for kind in kinds:
        for temperature in (0, 1):
            check_generation(
                model, prompts, kind, max_new_tokens=new, temperature=temperature, seed=seed
            )


def _finding(name: str, check: Callable[[], None]) -> Finding:
    try:
        check()
    except InvariantBroken as broken:
        return Finding(name, False, str(broken))
    return Finding(name, True)
