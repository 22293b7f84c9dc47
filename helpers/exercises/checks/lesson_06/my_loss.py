"""Exercise 06.2: your own loss."""

import math

import torch
import torch.nn.functional as F

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.languages.language import EOS
from helpers.training.loop import next_token_loss

my_loss = Exercise(
    "06.2",
    "my_loss",
    title="Your own loss",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "Three questions, in this order: which logits belong to which token, which of these pairs "
        "count, and what does one pair cost?",
        "The hand-made case costs 0.000363. With 1,000 added to all logits of one position it "
        "still does. And a row of padding alone adds nothing, whatever its logits are.",
        "Pairs: logits[:, :-1] and tokens[:, 1:]; they count where token_mask[:, :-1] & "
        "token_mask[:, 1:]. Cost: logsumexp of the logits minus the logit of the token. Sum what "
        "counts, divide by max(count, 1).",
    ),
)


def some_batch(draw: torch.Generator, B: int, T: int, V: int) -> list[torch.Tensor]:
    """Return logits [B, T, V], tokens [B, T] and a mask that is True everywhere."""
    logits = torch.randn(B, T, V, generator=draw) * 2
    tokens = torch.randint(V, (B, T), generator=draw)
    return [logits, tokens, torch.ones(B, T, dtype=torch.bool)]


def losses(logits: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Return what each logit row costs for the token beside it, exact, same shape as tokens."""
    return F.cross_entropy(logits.double().transpose(1, 2), tokens, reduction="none")


@my_loss.property("the loss shifts once: 0.000363 on the hand-made case")
def loss_shift(call, draw):
    """C09, and a drawn case that tells the wrong shifts apart."""
    tokens = torch.tensor([[5, 6, 7, 8]])
    logits = 10.0 * F.one_hot((tokens + 1) % 9, 9).float()
    seen = "for tokens [5, 6, 7, 8] and logits of 10 at the token plus one:"
    found = expect.number(call(logits, tokens, tokens > 0), seen)
    drawn = some_batch(draw, 2, 5, 4)
    other = expect.number(call(*drawn), "for B = 2, T = 5, V = 4")
    exact, targets, _ = drawn
    wrong = (
        (losses(exact, targets), "nobody shifts: each position is asked for the token it holds"),
        (losses(exact[:, :-2], targets[:, 2:]), "it shifts twice, to the token after the next"),
        (losses(exact[:, 1:], targets[:, :-1]), "it shifts the wrong way, to the token before"),
    )
    right = losses(exact[:, :-1], targets[:, 1:])
    expect.equal(
        other,
        right.mean().item(),
        "for B = 2, T = 5, V = 4 and nothing padded:",
        "it gives another loss where nothing is padded",
        known=[(rows.mean().item(), text) for rows, text in wrong]
        + [
            (right.sum().item(), "it is the sum of the losses, not their mean"),
            (right.sum().item() / 10, "the mean counts the last column, which asks nothing"),
            (right.mean().item() / math.log(2), "the loss is in bits: nats come from ln"),
            (-right.mean().item(), "the sign is wrong: a loss is minus the log-probability"),
        ],
    )
    expect.equal(found, next_token_loss(logits.double(), tokens).item(), seen, tolerance=1e-6)


@my_loss.property("a constant added to all logits of a position changes nothing")
def loss_constant(call, draw):
    """Also a constant whose exponential is infinite."""
    logits, tokens, mask = some_batch(draw, 2, 4, 5)
    before = expect.number(call(logits, tokens, mask))
    for constant in (100.0, 1000.0, -1000.0):
        other = logits.clone()
        other[1, 1] += constant
        after = call(other, tokens, mask)
        seen = f"with {constant:g} added at one position"
        value = float(after) if isinstance(after, float | torch.Tensor) else 0.0
        if not math.isfinite(value):
            raise Broken("a power of e overflows: subtract the largest logit first", seen)
        if not expect.close(expect.number(after), before, 1e-4):
            raise Broken("a constant in the logits changes the loss", seen)


@my_loss.property("a token that is all but impossible costs what its logits say")
def loss_impossible(call, draw):
    """Logits 200 apart, whose probability rounds to 0."""
    logits = torch.tensor([[[0.0, -200.0], [0.0, 0.0]]])
    seen = "for logits [0, -200] and the next token 1"
    found = call(logits, torch.tensor([[0, 1]]), torch.ones(1, 2, dtype=torch.bool))
    value = float(found) if isinstance(found, float | torch.Tensor) else 0.0
    if not math.isfinite(value):
        raise Broken(
            "a probability that rounds to 0 costs infinity: do not take the logarithm of a softmax",
            seen,
        )
    expect.equal(expect.number(found), 200.0, f"{seen}:", "a rare token costs something else")


@my_loss.property("whatever stands at padding does not matter, on either side")
def loss_padding(call, draw):
    """The mask decides: padding right, left, and with an id that real tokens have."""
    B, T, V = 3, 6, 5
    logits, tokens, mask = some_batch(draw, B, T, V)
    mask[0, 4:] = False
    mask[1, :2] = False
    tokens[~mask] = EOS  # this model pads with its end token
    tokens[0, 2:4] = torch.tensor([1, EOS])
    pairs = losses(logits[:, :-1], tokens[:, 1:])
    both = mask[:, :-1] & mask[:, 1:]

    def mean(counted):
        return (pairs * counted).sum().item() / int(counted.sum())

    seen = "with padding at the end of row 0 and at the start of row 1:"
    found = expect.number(call(logits, tokens, mask), seen)
    rows = [float(pairs[b][both[b]].mean()) for b in range(B)]
    expect.equal(
        found,
        mean(both),
        seen,
        "padding changes the loss",
        known=(
            (mean(both | True), "every position counts, padding too"),
            (mean(mask[:, :-1]), "the last real token is asked for the padding behind it"),
            (mean(mask[:, 1:]), "padding is asked for the first real token"),
            (
                mean(tokens[:, 1:] != EOS),
                "padding is taken from an id and not from the mask: true ends are lost with it",
            ),
            (mean(both & (tokens[:, 1:] != EOS)), "true ends are left out with the padding"),
            (sum(rows) / B, "it is a mean of the rows' means: short rows weigh too much"),
            (
                (pairs * both).sum().item() / (B * (T - 1)),
                "the sum is divided by all positions, not by those that count",
            ),
        ),
    )
    for row, t in ((0, 3), (0, 5), (1, 0), (1, 1)):  # logits that no counted question uses
        other = logits.clone()
        other[row, t] += torch.randn(V, generator=draw) * 9
        changed = tokens.clone()
        changed[~mask] = 0
        expect.equal(
            expect.number(call(other, changed, mask)),
            mean(both),
            f"{seen} other logits at position {t} of row {row}, and another id at padding:",
            "what stands at padding changes the loss",
        )
    for strange in (math.nan, math.inf):
        other = logits.clone()
        other[~mask] = strange
        found = call(other, tokens, mask)
        value = float(found) if isinstance(found, float | torch.Tensor) else 0.0
        if not math.isfinite(value):
            raise Broken(
                "NaN or infinity at padding gets through: 0 times NaN is NaN, so leave it out",
                f"{seen} logits of {strange} at padding",
            )
        expect.equal(expect.number(found), mean(both), f"{seen} logits of {strange} there:")


@my_loss.property("where nothing counts it is 0, and such a row adds nothing to a batch")
def loss_nothing(call, draw):
    """C10."""
    logits, tokens, mask = some_batch(draw, 2, 4, 5)
    expect.number(call(logits, tokens, mask))
    for name, none in (("no real token", 0), ("one real token a row", 1)):
        empty = torch.arange(4) < torch.full((2, 1), none)
        found = call(logits, tokens, empty)
        value = float(found) if isinstance(found, float | torch.Tensor) else 0.0
        if math.isnan(value):
            raise Broken("a mean of nothing is 0 divided by 0", f"for {name}")
        expect.equal(
            expect.number(found), 0.0, f"for {name}:", "a batch that asks nothing costs something"
        )
    mixed = mask.clone()
    mixed[1] = False
    alone = losses(logits[:1, :-1], tokens[:1, 1:]).mean().item()
    expect.equal(
        expect.number(call(logits, tokens, mixed)),
        alone,
        "for a row of real tokens and a row of padding:",
        "a row without questions changes the loss of its batch",
    )
    mixed[0, 2:] = False  # one question is left
    expect.equal(
        expect.number(call(logits, tokens, mixed)),
        losses(logits[:1, :1], tokens[:1, 1:2]).item(),
        "where a single target counts:",
        "a single target is not paid for alone",
    )
