"""Exercise 04.5: a softmax that cannot be surprised."""

import math

import torch

from helpers.decoder import masks
from helpers.exercises import expect
from helpers.exercises.checks.lesson_04.shared import name_of
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

masked_softmax = Exercise(
    "04.5",
    "masked_softmax",
    title="A softmax that cannot be surprised",
    minutes=15,
    level="hard",
    points=3,
    hints=(
        "safe_weights of this lesson is nearly all of it. What does it do with a row that sees "
        "nothing, before the softmax and after it?",
        "Test it with a mask that hides all but the smallest score, and at the ends of float16. "
        "What stands at a hidden place must never matter.",
        "blind = ~mask.any(dim=-1, keepdim=True). Fill with -inf, by masked_fill, what is neither "
        "visible nor in a blind row, take softmax(dim=-1), and write 0 into the blind rows.",
    ),
)


TYPES = (torch.float32, torch.float16, torch.bfloat16)


def weights_of(call, scores, mask, dtype=torch.float32) -> torch.Tensor:
    """Return the answer's weights in double precision, after a look at their form."""
    scores, mask = torch.as_tensor(scores).to(dtype), torch.as_tensor(mask)
    seen = f"for the scores {show(scores)}, mask {show(mask)}, {name_of(dtype)}"
    return expect.tensor(call(scores, mask), scores.shape, seen=seen)


def without_nan(call, scores, mask, dtype: torch.dtype, fault: str) -> torch.Tensor:
    """Return the answer's weights, with a fault of its own for NaN."""
    scores, mask = torch.as_tensor(scores).to(dtype), torch.as_tensor(mask)
    weights = call(scores, mask)
    if isinstance(weights, torch.Tensor) and not weights.isfinite().all():
        raise Broken(fault, f"for {show(scores)}, mask {show(mask)}, {name_of(dtype)}")
    return weights_of(call, scores, mask, dtype)


@masked_softmax.property("a row that sees something sums to 1, and what is hidden is exactly 0")
def softmax_rows(call, draw):
    """Several axes; no row is blind here."""
    scores = torch.randn((2, 3, 2, 4), generator=draw)
    mask = torch.rand((2, 3, 2, 4), generator=draw) < 0.5
    mask[..., 1] = True
    weights = weights_of(call, scores, mask)
    if (weights[~mask] != 0).any():
        raise Broken("a hidden key has a weight", f"the largest is {weights[~mask].max():.3g}")
    sums = weights.sum(-1)
    fault = "the weights of a row do not sum to 1"
    if expect.close(weights.sum(1), mask.any(1).double()):
        fault = "softmax runs along the second axis, which is not always the last"
    expect.equal(sums, torch.ones(2, 3, 2), "the rows", fault)
    one = torch.ones(1, 1, 1, 2).bool()
    for mask in (one, one[..., :1], one[0, 0]):
        weights_of(call, torch.zeros(mask.shape), mask)


@masked_softmax.property("the weights are the softmax of the visible scores alone")
def softmax_values(call, draw):
    """Against the formula, row by row; then with other scores at the hidden places."""
    scores = torch.randn((4, 5), generator=draw)
    mask = masks.causal(4, 5)
    right = scores.double().masked_fill(~mask, -math.inf)
    got = weights_of(call, scores, mask)
    expect.equal(
        got,
        right.softmax(-1),
        "for a causal mask of 4 queries and 5 keys",
        "these are not the shares of powers of e",
        known=(
            (right.softmax(0).nan_to_num(), "softmax runs down the columns: take the last axis"),
            (scores.double().softmax(-1) * mask, "what is hidden has had its share already"),
        ),
    )
    other = torch.where(mask, scores, scores + 3)
    if not expect.close(weights_of(call, other, mask), got):
        raise Broken("a hidden score changes the weights of the visible keys", "3 was added to it")


@masked_softmax.property("a visible score of 0 has its weight")
def softmax_noughts(call, draw):
    """Some visible scores are 0, then all."""
    scores, mask = torch.tensor([[1.0, 2.0, 3.0]]), torch.tensor([[True, True, False]])
    right = torch.tensor([[1.0, 2.0]]).double().softmax(-1)
    got = weights_of(call, scores, mask)
    already = "it is wrong without any 0 already: mend that first"
    expect.equal(got[:, :2], right, "for [1, 2, 3], mask [1, 1, 0]", already)
    fault = "a visible score of exactly 0 is taken for a hidden one"
    for scores in ([[0.0, 1.0, 2.0]], [[-1.0, 0.0, 0.0]], [[0.0, 0.0, 0.0]]):
        got = without_nan(call, scores, mask, torch.float32, fault)
        right = torch.tensor(scores).double()[:, :2].softmax(-1)
        expect.equal(got[:, :2], right, f"for {scores}, mask [1, 1, 0]", fault)


@masked_softmax.property("a row that sees nothing is all 0, and harms no other row")
def softmax_blind(call, draw):
    """C01: the lesson's two queries; then three dtypes."""
    half = torch.eye(2) / math.sqrt(2)
    mask = torch.tensor([[False, False], [True, True]])
    weights_of(call, half, mask | True)
    nothing = "a row that sees nothing is 0/0"
    for dtype in TYPES:
        weights = without_nan(call, half, mask, dtype, nothing)
        if (weights[0] != 0).any():
            fault = "a row that sees nothing weighs hidden keys by their scores"
            if weights[0, 0] == weights[0, 1]:
                fault = "a row that sees nothing takes the plain average of hidden keys"
            raise Broken(
                fault, f"for scores {show(half[0])}, both hidden, it gives {show(weights[0])}"
            )
    got = weights_of(call, half, mask) @ torch.tensor([[1.0, 2.0], [3.0, 4.0]]).double()
    expect.equal(
        got,
        torch.tensor([[0.0, 0.0], [2.339523, 3.339523]]),
        "for the two queries of the lesson, times their values",
        "beside a row that sees nothing, another row has gone wrong",
    )


@masked_softmax.property("in 16 bits, at the end of the range, nothing changes")
def softmax_half(call, draw):
    """Scores of 60,000; a hidden score above all visible ones; C02."""
    small, mask = torch.tensor([[1.0, 2.0, 1.0], [1.0, 2.0, 0.0]]), torch.zeros(2, 3).bool()
    mask[0, ::2] = True
    weights_of(call, small[:1], mask[:1])  # NaN here has another reason
    already = "it is wrong for small scores already: mend that first"
    got = without_nan(call, small, mask, torch.float32, already)
    expect.equal(got, mask / 2, "for two small rows", already)
    end = 60_000.0
    hidden_wins = "a hidden key with a large score takes the weight: that fill is too small"
    overflow = "with large scores it is no longer finite: subtract the row's largest score"
    beside = "beside a large hidden score the visible weights vanish"
    cases = (
        ([end, end, -end, 0.0], [1, 1, 1, 0], [0.5, 0.5, 0.0, 0.0], overflow),
        ([-end, -end, -end, -end], [1, 1, 1, 1], [0.25] * 4, overflow),
        ([end, -end, end, end], [0, 1, 0, 0], [0.0, 1.0, 0.0, 0.0], beside),
        ([-end, end, -end, 0.0], [1, 0, 1, 0], [0.5, 0.0, 0.5, 0.0], beside),
        ([end, -end], [0, 0], [0.0, 0.0], "large scores move a row that sees nothing"),
    )
    for dtype in TYPES:
        for scores, shown, right, fault in cases:
            mask = torch.tensor(shown).bool()
            got = without_nan(call, [scores], mask[None], dtype, fault)[0]
            seen = f"for {scores}, mask {shown}, {name_of(dtype)}"
            if mask.any() and (got[~mask] != 0).any():
                raise Broken(hidden_wins, f"{seen} it gives {show(got)}")
            expect.equal(got, torch.tensor(right), seen, fault)
        # a left-padded row of five, all its scores -17
        mask = masks.causal(5) & torch.tensor([False, False, False, True, True])
        right = torch.zeros(5, 5)
        right[3, 3], right[4, 3:] = 1, 0.5
        got = without_nan(call, torch.full((5, 5), -17.0), mask, dtype, "-17 is too much for it")
        seen = f"for a row padded on the left, {name_of(dtype)}"
        expect.equal(got, right, seen, "causal and left padding together go wrong")


@masked_softmax.property("in wider types it holds far beyond 16 bits, and for very many keys")
def softmax_wide(call, draw):
    """Visible scores far below 0, and far apart; then more keys than float16 can count."""
    mask = torch.tensor([[False, True], [True, False], [True, True]])
    already = "it is wrong within the range of float16 already: mend that first"
    wider = (torch.float32, torch.bfloat16, torch.float64)
    for size in (6e4, 1e6, 1e30):
        scores = torch.tensor([[size, -size], [-size, size], [-size, size]])
        right = torch.tensor([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
        for dtype in (torch.float16, *wider) if size == 6e4 else wider:
            fault = "a fill that is low in float16 is not low in a wider type"
            fault = already if size == 6e4 else fault
            got = without_nan(call, scores, mask, dtype, already)
            expect.equal(got, right, f"for {scores.tolist()}, {name_of(dtype)}", fault)
    scores, mask = torch.tensor([[1e9, 1e9 + 1]], dtype=torch.float64), torch.ones(1, 2) == 1
    fault = "float64 scores are rounded to a narrower type: their differences are lost"
    got = without_nan(call, scores, mask, torch.float64, fault)
    expect.equal(got, scores.softmax(-1), "for float64 scores of 1e9 and 1e9 + 1", fault)
    many, seen = torch.ones(1, 70_000), "for 70,000 keys in float16, each with score 1"
    fault = "the sum of very many powers is beyond float16: add them up in a wider type"
    got = without_nan(call, many, many == 1, torch.float16, fault)
    if not expect.close(70_000 * got, torch.ones(1, 70_000), tolerance=0.1):
        raise Broken(fault, seen)
