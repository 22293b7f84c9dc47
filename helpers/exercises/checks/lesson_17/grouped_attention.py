"""Exercise 17.2: query heads that share."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_17.shared import attend, loud, normal
from helpers.exercises.exercise import Broken, Exercise

grouped_attention = Exercise(
    "17.2",
    "grouped_attention",
    title="Query heads that share",
    minutes=10,
    level="medium",
    points=3,
    hints=(
        "With G = H nothing is shared: begin there. Then: which key/value head does query head h "
        "read?",
        "Give every key/value head its own number as its values. With H = 4 and G = 2 the heads "
        "must say 0, 0, 1, 1. A test with G = 1 or G = H cannot see the mistake.",
        "Either key.repeat_interleave(H // G, dim=1), and the same for value; or "
        "query.reshape(B, G, H // G * Tq, D), with mask.repeat(H // G, 1) for its rows.",
    ),
)
SIZES = ((2, 4, 2, 3, 5), (1, 6, 2, 4, 4), (1, 6, 3, 1, 4), (1, 1, 1, 1, 1))  # B, H, G, Tq, Tk


def inputs(draw: torch.Generator, B: int, H: int, G: int, Tq: int, Tk: int) -> list[torch.Tensor]:
    """Return query, key, value with D = 6, and a causal mask for the last Tq of Tk tokens."""
    mask = torch.ones(Tq, Tk, dtype=torch.bool).tril(Tk - Tq)
    return [normal(draw, B, H, Tq, 6), normal(draw, B, G, Tk, 6), normal(draw, B, G, Tk, 6), mask]


def run(call, query, key, value, mask, seen: str = "") -> torch.Tensor:
    """Return what comes out, [B, H, Tq, D] in float64."""
    return expect.tensor(call(query, key, value, mask), query.shape, seen=seen)


@grouped_attention.property("it is a tensor [B, H, Tq, D]")
def grouped_form(call, draw):
    """Several sizes."""
    for B, H, G, Tq, Tk in SIZES:
        seen = f"for H = {H}, G = {G}, Tq = {Tq}, Tk = {Tk}"
        run(call, *inputs(draw, B, H, G, Tq, Tk), seen)


@grouped_attention.property("neighbours share: query head h reads head h // (H / G)")
def who_reads_whom(call, draw):
    """Values that are the number of their head."""
    for H, G in ((4, 2), (6, 2), (6, 3), (4, 1), (3, 3)):
        query, key, _, mask = inputs(draw, 1, H, G, 3, 3)
        value = torch.arange(G).float().view(1, G, 1, 1).expand(1, G, 3, 6).contiguous()
        found = run(call, query, key, value, mask)[0, :, 0, 0].round().tolist()
        expect.equal(
            found,
            [float(h // (H // G)) for h in range(H)],
            f"for H = {H} and G = {G} the query heads read:",
            "a query head reads the wrong key/value head",
            known=(
                ([float(h % G) for h in range(H)], "the heads are dealt out in turn: h mod G"),
                (
                    [float(min(h // G, G - 1)) for h in range(H)],
                    "query head h reads h // G: divide by how many share, H / G",
                ),
            ),
        )


@grouped_attention.property("no token that the mask hides is seen")
def no_leak(call, draw):
    """Change a hidden token's key and value."""
    for B, H, G, Tq, Tk in SIZES[:2]:
        query, key, value, mask = inputs(draw, B, H, G, Tq, Tk)
        before = run(call, query, key, value, mask)
        key[:, :, -1], value[:, :, -1] = 9, 99
        change = (run(call, query, key, value, mask) - before).abs()[:, :, :-1]
        if change.max() > 1e-5:
            raise Broken(
                "a query sees a key that the mask hides",
                f"for H = {H}, G = {G}, Tq = {Tq}, Tk = {Tk}, where the last token was changed",
            )


@grouped_attention.property("it gives the numbers of multi-head attention with copied heads")
def grouped_values(call, draw):
    """Against the copied form, and the known slips by name."""
    for B, H, G, Tq, Tk in SIZES:
        query, key, value, mask = inputs(draw, B, H, G, Tq, Tk)
        k, v = (x.repeat_interleave(H // G, dim=1) for x in (key, value))
        turn = [x.repeat(1, H // G, 1, 1) for x in (key, value)]
        slips = [
            (
                attend(query, *turn, mask),
                "each head reads the right kind of thing in another order",
            ),
            (attend(query, k, turn[1], mask), "keys and values are shared in different orders"),
            (attend(query, turn[0], v, mask), "keys and values are shared in different orders"),
            (attend(query, k, v, mask, scale=1.0), "the scores are not divided by the root of D"),
            (
                attend(query, k, v, mask, scale=1 / 6),
                "the scores are divided by D, not by its root",
            ),
            (
                attend(query, k, v, mask, scale=(6 * H) ** -0.5),
                "the scores are divided by the root of all heads' width",
            ),
            (
                attend(query, k.mean(1, keepdim=True), v.mean(1, keepdim=True), mask),
                "all query heads read the average of the key/value heads",
            ),
            (
                attend(query, k[:, :1], v[:, :1], mask),
                "all query heads read the first key/value head",
            ),
        ]
        expect.equal(
            run(call, query, key, value, mask),
            attend(query, k, v, mask),
            f"for H = {H}, G = {G}, Tq = {Tq}, Tk = {Tk}:",
            known=slips,
        )


def copied(query, key, value) -> list[torch.Tensor]:
    """Return key and value, each head copied for the query heads that share it."""
    return [x.repeat_interleave(query.shape[1] // key.shape[1], dim=1) for x in (key, value)]


def some_mask(draw: torch.Generator, Tq: int, Tk: int) -> torch.Tensor:
    """Return a mask in which every query sees at least one key, and no rule says which."""
    mask = torch.rand((Tq, Tk), generator=draw) < 0.4
    mask[torch.arange(Tq), torch.randint(0, Tk, (Tq,), generator=draw)] = True
    return mask


@grouped_attention.property("it goes by the mask that it is given, of whatever kind")
def any_mask(call, draw):
    """Everything seen, one key alone, no rule, more queries than keys; one mask after another."""
    before = None
    for Tq, Tk in ((3, 7), (3, 7), (4, 4), (2, 5), (5, 2), (1, 3)):
        for mask in (some_mask(draw, Tq, Tk), torch.ones(Tq, Tk, dtype=torch.bool)):
            query, key, value, causal = inputs(draw, 1, 6, 2, Tq, Tk)
            pair = copied(query, key, value)
            known = []
            if Tq <= Tk:
                known.append((attend(query, *pair, causal), "it makes a causal mask of its own"))
            if before is not None and before.shape == mask.shape:
                stale = "the mask of an earlier call is still used"
                known.append((attend(query, *pair, before), stale))
            expect.equal(
                run(call, query, key, value, mask),
                attend(query, *pair, mask),
                f"for H = 6, G = 2, mask {mask.int().tolist()}:",
                "with a mask that is not causal it gives another value",
                known,
            )
            before = mask if before is None or before.shape != mask.shape else before


@grouped_attention.property("it holds for every score: for 0, and far above and far below 0")
def any_score(call, draw):
    """Scores of 0; scores too large for exp; visible ones far below hidden ones."""
    query, key, value, mask = inputs(draw, 1, 4, 2, 3, 3)
    key[0, :, 1] = 0
    pair = copied(query, key, value)
    not_zero = torch.tensor([True, False, True])
    expect.equal(
        run(call, query, key, value, mask),
        attend(query, *pair, mask),
        "for H = 4, G = 2 and a key of zeros",
        known=(
            (
                attend(query, *pair, mask & not_zero),
                "a score of exactly 0 is taken for a hidden one",
            ),
        ),
    )
    alike = torch.zeros_like(query)
    expect.equal(
        run(call, alike, key, value, mask),
        attend(alike, *pair, mask),
        "for H = 4, G = 2 and queries of zeros",
    )
    seen = "for H = 4, G = 2, D = 4 and scores of several hundred"
    query, key = loud(draw, (1, 4, 3, 4)), loud(draw, (1, 2, 3, 4), 2)
    value = normal(draw, 1, 2, 3, 4)
    found = call(query, key, value, mask)
    if isinstance(found, torch.Tensor) and found.isnan().any():
        run(call, query / 60, key, value, mask)
        raise Broken("exp grows beyond all bounds: take the largest score off first", seen)
    expect.equal(
        expect.tensor(found, query.shape, seen=seen),
        attend(query, *copied(query, key, value), mask),
        seen,
        tolerance=1e-3,
    )
    value = inputs(draw, 1, 4, 2, 3, 3)[2]
    query, key = torch.full((1, 4, 3, 6), 500.0), torch.full((1, 2, 3, 6), 500.0)
    key[:, :, 0] = -500
    expect.equal(
        run(call, query, key, value, mask)[:, :, 0],
        copied(query, key, value)[1][:, :, 0].double(),
        "for H = 4, G = 2, a visible score of -612,372 and hidden ones of 612,372",
        "what hides a key is not low enough: only -inf lies below every score",
    )


@grouped_attention.property("it holds for heads of any width and number")
def any_size(call, draw):
    """One lane, one key/value head, no sharing; drawn sizes."""
    for H, G, D in ((4, 1, 1), (3, 3, 2), (8, 2, 1), (8, 4, 5)):
        B, Tk = (int(torch.randint(1, 4, (), generator=draw)) for _ in range(2))
        query = normal(draw, B, H, 2, D)
        key, value = normal(draw, B, G, Tk, D), normal(draw, B, G, Tk, D)
        mask = some_mask(draw, 2, Tk)
        expect.equal(
            run(call, query, key, value, mask),
            attend(query, *copied(query, key, value), mask),
            f"for B = {B}, H = {H}, G = {G}, D = {D}, Tk = {Tk}:",
        )
