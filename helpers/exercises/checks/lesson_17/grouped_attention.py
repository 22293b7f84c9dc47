"""Exercise 17.2: query heads that share."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_17.shared import attend, normal
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
SIZES = ((2, 4, 2, 3, 5), (1, 6, 2, 4, 4), (1, 6, 3, 1, 4))  # B, H, G, Tq, Tk


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
            known=(([float(h % G) for h in range(H)], "the heads are dealt out in turn: h mod G"),),
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
