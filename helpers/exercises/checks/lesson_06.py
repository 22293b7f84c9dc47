"""Checks of the exercises of lesson 06, training."""

import math
from collections import Counter
from weakref import WeakKeyDictionary

import torch
import torch.nn.functional as F

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.language import BOS, EOS, captions
from helpers.training import cosine_rate, next_token_loss


def pick(draw: torch.Generator, low: int, high: int) -> int:
    """Return a whole number from low to high."""
    return int(torch.randint(low, high + 1, (), generator=draw))


# -- 06.1

counted_targets = Exercise(
    "06.1",
    "counted_targets",
    title="Count the questions",
    minutes=2,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "A caption has eight tokens and asks seven questions. Which of its tokens is never an "
        "answer?",
        "[8] gives 7, [1] gives 0, and [8, 1, 3] gives 7 + 0 + 2, however far the rows are padded.",
        "Every row counts its length minus one: add that up over the rows.",
    ),
)


@counted_targets.property("one row asks one question less than it has tokens")
def one_row(call, draw):
    """A single row; also one that is <bos> alone."""
    for length in (8, 2, 1):
        found = expect.whole(call([length]), f"for the lengths [{length}]")
        fault = "it gives another value for a single row"
        expect.equal(
            found,
            length - 1,
            f"for the lengths [{length}]",
            fault,
            known=(
                (1 if length == 1 else -1, "a row of one token asks nothing"),
                (length, "the first token of a row is nobody's next token"),
                (max(length - 2, 0), "<eos> is a target like any other"),
            ),
        )


@counted_targets.property("rows of a batch add up, however far they are padded")
def rows_add_up(call, draw):
    """Unequal rows, some of them of length 1; no rows at all."""
    for lengths in ([pick(draw, 2, 9), 1, pick(draw, 10, 14), pick(draw, 2, 9)], [1, 1], []):
        found = expect.whole(call(lengths), f"for the lengths {lengths}")
        longest = max(lengths, default=1)
        expect.equal(
            found,
            sum(lengths) - len(lengths),
            f"for the lengths {lengths}",
            "the questions of the rows do not add up",
            known=(
                (len(lengths) * (longest - 1), "padding is counted: each row has its own length"),
                (sum(lengths) - 1, "only one row's first token is left out: every row has one"),
                (sum(lengths), "the first token of a row is nobody's next token"),
            ),
        )


# -- 06.2

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


# -- 06.3

rate_at = Exercise(
    "06.3",
    "rate_at",
    title="Warm up, then cool down",
    minutes=10,
    level="medium",
    points=2,
    imports=("math",),
    hints=(
        "Two pieces that meet at step == warmup. What is each one worth there?",
        "For steps = 10, start = 1, warmup = 2 the rates of steps 0, 1, 2, 6, 10 are 0, 0.5, 1, "
        "0.5, 0: step 6 is the middle of the way down.",
        "Before warmup: start * step / warmup. From there on the lesson's cosine, with "
        "step - warmup of steps - warmup.",
    ),
)


def rate(step: int, steps: int, start: float, warmup: int) -> float:
    """Return the right rate."""
    if step < warmup:
        return start * step / warmup
    return cosine_rate(step - warmup, steps - warmup, start)


@rate_at.property("the warm-up is a straight line from 0, and start comes at step == warmup")
def rate_up(call, draw):
    """All steps of the warm-up, its end included."""
    steps, start, warmup = pick(draw, 30, 40), 0.003, pick(draw, 4, 8)
    shown = f"steps = {steps}, start = {start:g}, warmup = {warmup}:"
    steps_up = range(warmup + 1)
    found = [expect.number(call(step, steps, start, warmup)) / start for step in steps_up]
    expect.equal(
        found,
        [step / warmup for step in steps_up],
        f"as shares of start, for {shown}",
        "the warm-up is not the line from 0 to start",
        known=(
            ([min(1, (step + 1) / warmup) for step in steps_up], "the warm-up is a step ahead"),
            ([step / (warmup + 1) for step in steps_up], "the warm-up is a step too long"),
            (
                [step / warmup for step in range(warmup)] + [cosine_rate(warmup, steps, 1.0)],
                "the cosine begins below start, since its steps are counted from 0",
            ),
            (
                [step / warmup * cosine_rate(step, steps, 1.0) for step in steps_up],
                "line and cosine are multiplied",
            ),
            ([cosine_rate(step, steps, 1.0) for step in steps_up], "there is no warm-up"),
        ),
    )


@rate_at.property("after the warm-up it falls along half a cosine, to 0 at step == steps")
def rate_down(call, draw):
    """The start, the quarters and the end of the way down; then every step of it."""
    quarter, start, warmup = pick(draw, 4, 6), 0.01, pick(draw, 2, 4)
    steps = warmup + 4 * quarter
    way = range(warmup, steps + 1, quarter)
    expect.equal(
        [expect.number(call(step, steps, start, warmup)) / start for step in way],
        [rate(step, steps, 1.0, warmup) for step in way],
        f"as shares of start, for steps = {steps}, warmup = {warmup} and the steps {list(way)}:",
        "the way down is not half a cosine from start to 0",
        known=(
            (
                [cosine_rate(step, steps, 1.0) for step in way],
                "the cosine counts its steps from 0, not from the end of the warm-up",
            ),
            (
                [cosine_rate(step - warmup, steps, 1.0) for step in way],
                "the cosine is stretched over all steps and ends above 0",
            ),
            ([1, 0.75, 0.5, 0.25, 0], "the way down is a line"),
            (
                [math.cos(math.pi * share / 4) for share in range(5)],
                "the cosine falls to -start: lift it by 1 and halve it",
            ),
            (
                [math.cos(math.pi * share / 8) for share in range(5)],
                "it is a quarter of a cosine's round: it still falls steeply at the end",
            ),
            ([1.0] * 5, "the rate stays at start"),
        ),
    )
    for step in range(warmup, steps + 1):
        expect.equal(
            expect.number(call(step, steps, start, warmup)) / start,
            rate(step, steps, 1.0, warmup),
            f"as a share of start, for step = {step}, steps = {steps}, warmup = {warmup}",
            "between the quarters of the way down it leaves the cosine",
        )


@rate_at.property("without a warm-up it is the cosine of this lesson")
def rate_no_warmup(call, draw):
    """warmup = 0: no division by it."""
    steps = 4 * pick(draw, 2, 5)
    if call.error(0, steps, 0.5, 0) == "ZeroDivisionError":
        raise Broken("it divides by a warm-up of 0 steps", f"for step = 0, steps = {steps}")
    quarters = range(0, steps + 1, steps // 4)
    expect.equal(
        [expect.number(call(step, steps, 0.5, 0)) for step in quarters],
        [cosine_rate(step, steps, 0.5) for step in quarters],
        f"for steps = {steps}, start = 0.5, warmup = 0 and the steps {list(quarters)}:",
        "with no warm-up it differs from the lesson's cosine",
    )


# -- 06.4

joined_loss = Exercise(
    "06.4",
    "joined_loss",
    title="Half a batch at a time",
    minutes=10,
    level="medium",
    points=2,
    imports=("math",),
    hints=(
        "How many nats did a part pay in all, if its mean is m and c of its targets counted?",
        "Cut the same losses in other parts: [4, 1, 1, 1] is means [4, 1] with counts [1, 3], or "
        "[2.5, 1] with [2, 2]. Both must give 1.75.",
        "Add up mean * count over the parts whose count is not 0 (NaN times 0 is NaN), add up the "
        "counts, and divide once. No count at all: 0.",
    ),
)


@joined_loss.property("it is the loss of the whole batch, however it was cut")
def joined_parts(call, draw):
    """C12, and drawn losses cut in several ways."""
    found = expect.number(call([4.0, 1.0], [1, 3]), "for means [4, 1], counts [1, 3]")
    known = (
        (2.5, "it is the mean of the parts' means: each token of a short part weighs more"),
        (7.0, "it is the sum of all losses, not their mean"),
        (5.0, "the means are added up"),
        (1.25, "the counts are taken for sums of losses"),
    )
    expect.equal(found, 1.75, "for means [4, 1], counts [1, 3]:", known=known)
    whole = (torch.rand(12, generator=draw) * 4).tolist()
    alone = expect.number(call([1.5], [1]), "for means [1.5], counts [1]")
    expect.equal(alone, 1.5, "for means [1.5], counts [1]:", "one part alone is not its own mean")
    for sizes in ([12], [1, 11], [5, 4, 3], [1] * 12):
        parts, at = [], 0
        for size in sizes:
            parts.append(whole[at : at + size])
            at += size
        means = [sum(part) / len(part) for part in parts]
        expect.equal(
            expect.number(call(means, sizes)),
            sum(whole) / 12,
            f"for 12 losses cut in parts of {sizes}:",
            "other parts of the same rows give another loss",
        )


@joined_loss.property("a part without targets, whose mean is NaN, does not matter")
def joined_empty_part(call, draw):
    """At any place among the parts."""
    means = (torch.rand(2, generator=draw) * 4).tolist()
    right = (means[0] * 2 + means[1] * 5) / 7
    expect.number(call(means, [2, 5]))
    for place in range(3):
        with_empty, counts = means.copy(), [2, 5]
        with_empty.insert(place, math.nan)
        counts.insert(place, 0)
        found = call(with_empty, counts)
        seen = f"where part {place} of 3 has no target"
        if isinstance(found, float) and math.isnan(found):
            raise Broken("the NaN of a part without targets gets through: 0 * NaN is NaN", seen)
        expect.equal(
            expect.number(found),
            right,
            f"{seen}:",
            "a part without targets changes the loss",
            known=[(right * 7 / 8, "a part without targets is divided by as if it had one")],
        )


@joined_loss.property("with no target at all it is 0")
def joined_nothing(call, draw):
    """No parts, and parts without targets only."""
    for means, counts in (([math.nan, math.nan], [0, 0]), ([math.nan], [0]), ([], [])):
        seen = f"for means {means}, counts {counts}".replace("nan", "NaN")
        if call.error(means, counts) == "ZeroDivisionError":
            raise Broken("it divides by the count of no targets", seen)
        expect.equal(expect.number(call(means, counts), seen), 0.0, f"{seen}:")


# -- 06.5

leaky_positions = Exercise(
    "06.5",
    "leaky_positions",
    title="Convict from a table",
    minutes=15,
    level="hard",
    points=3,
    hints=(
        "For text that nobody can predict, what is the least that an honest position can pay on "
        "average? And over what do you take the average?",
        "Logits of 0 everywhere pay exactly ln V at every position: the list is empty. Logits of "
        "100 at the next token give [0, ..., T - 2]: the last position is asked nothing.",
        'F.cross_entropy(logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none") is '
        "[N, T - 1]. Its mean over rows, dim=0, is compared with ln V - 0.5.",
    ),
)


def table(draw: torch.Generator, N: int, T: int, V: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return honest logits [N, T, V], which know nothing, and tokens [N, T] drawn evenly."""
    tokens = torch.randint(V, (N, T), generator=draw)
    return torch.randn(N, T, V, generator=draw) / 4, tokens


def peek(logits: torch.Tensor, tokens: torch.Tensor, positions, by: int = 1, below: float = 1.5):
    """Return logits that know, at some positions, the token `by` places further on.

    below: how many nats below ln V they pay for it.
    """
    logits, V = logits.clone(), logits.shape[-1]
    cost = math.log(V) - below
    height = math.log((V - 1) / (math.exp(cost) - 1))  # ln(e^h + V - 1) - h = cost
    for t in positions:
        logits[:, t] = height * F.one_hot(tokens[:, t + by], V)
    return logits


def named(found, right: list[int], seen: str, fault: str, known=()) -> None:
    """Compare lists of positions."""
    expect.equal(expect.wholes(found, seen=seen), right, f"{seen}:", fault, known)


@leaky_positions.property("honest logits are not accused, whatever they are")
def honest(call, draw):
    """Nothing known, everything equal, sure and wrong, the token itself, the one after the next."""
    N, T, V = 200, 6, 8
    logits, tokens = table(draw, N, T, V)
    named(call(torch.zeros(N, T, V), tokens), [], "for logits of 0", "equal logits are accused")
    named(
        call(logits, tokens),
        [],
        "for logits that know nothing",
        "logits are accused that do not depend on the next token",
    )
    sure = 20.0 * F.one_hot(torch.randint(V, (N, T), generator=draw), V)
    own = (list(range(T)), "logits are compared with the token at their own place: shift once")
    after = (list(range(T - 2)), "logits are compared with the token after the next")
    for name, shown in (
        ("for logits that are sure of a drawn token", sure),
        ("for logits that repeat the token at their own place", peek(logits, tokens, range(T), 0)),
        ("for logits that know the token two places on", peek(logits, tokens, range(T - 2), 2)),
    ):
        fault = "a position is accused of something else than knowing the next token"
        named(call(shown, tokens), [], name, fault, known=[own, after])


@leaky_positions.property("a model without a mask is accused everywhere but at its last position")
def all_leak(call, draw):
    """Also two tokens, and one."""
    for T in (6, 2, 1):
        logits, tokens = table(draw, 150, T, 8)
        logits = peek(logits, tokens, range(T - 1))
        right = list(range(T - 1))
        named(
            call(logits, tokens),
            right,
            f"for T = {T} where every position knows its next token",
            "not every leaking position is found",
            known=(
                (
                    list(range(1, T)),
                    "the position that is guessed is named, not the one that peeks",
                ),
                (list(range(T)), "the last position has no next token and cannot peek"),
                (right[:-1], "the last position that is asked something is left out"),
            ),
        )


@leaky_positions.property("only the positions that peek are named")
def some_leak(call, draw):
    """One position, several ones, other sizes of the vocabulary."""
    for V in (5, 20):
        for chosen in ([4], [0, 3]):
            logits, tokens = table(draw, 150, 7, V)
            named(
                call(peek(logits, tokens, chosen, below=1.2), tokens),
                chosen,
                f"for V = {V}, where only positions {chosen} know their next token",
                "the wrong positions are named",
                known=(
                    (list(range(6)), "one peeking position convicts all: average over rows only"),
                    (
                        [t + 1 for t in chosen],
                        "the position that is guessed is named, not the one that peeks",
                    ),
                    ([], "a leak is not found: the bound is ln V - 0.5, in nats"),
                ),
            )


@leaky_positions.property("the bound is 0.5 nats below ln V, for the mean over rows")
def bound(call, draw):
    """Just above and just below; and a few rows that know against many that do not."""
    for V in (5, 20):
        logits, tokens = table(draw, 100, 5, V)
        for t, below in ((0, 1.2), (1, 0.45), (2, 0.55)):
            logits = peek(logits, tokens, [t], below=below)
        named(
            call(logits, tokens),
            [0, 2],
            f"for V = {V}; positions 0, 1, 2 pay 1.2, 0.45, 0.55 less than ln V",
            "the bound is not ln V - 0.5",
            known=(
                ([0, 1, 2], "the bound is too mild: 0.45 below ln V is no proof yet"),
                ([0], "the bound is too strict: 0.55 below ln V is enough"),
            ),
        )
    logits, tokens = table(draw, 100, 4, 8)
    logits[:10] = peek(logits[:10], tokens[:10], [1], below=2)
    named(
        call(logits, tokens),
        [],
        "where 10 rows of 100 know the next token at position 1",
        "a few lucky rows convict a position: take the mean over all rows",
    )


# -- 06.6

train_and_write = Exercise(
    "06.6",
    "train_and_write",
    title="Take the mask away",
    minutes=30,
    level="challenge",
    points=5,
    imports=(
        "torch",
        "helpers.model",
        "helpers.training",
        "helpers.decoding",
        "helpers.language",
    ),
    seconds=120,
    hints=(
        "The honest loss is the cell of this lesson that compares seven losses in one pass with "
        "seven passes. What must it be for a model with the mask?",
        "With causal=True, loss and honest agree to 0.00001 and lie above "
        "Language.sample_law(rows).floor. With causal=False, one of them falls far below it. After "
        "one step only, nothing of this is to be seen, but the form of the answer is.",
        "Batch.of(rows) is one batch for all steps: train(model, itertools.repeat(batch), "
        "steps=steps, rate=0.003). honest: F.cross_entropy(model(tokens[:, :t])[:, -1], "
        "tokens[:, t]), averaged over t from 1 to T - 1. sentences: generate from 20 rows of "
        "<bos>, with seed=seed and max_new_tokens=T - 1; put <bos> in front of its rows().",
    ),
)
STEPS, RUNS = 150, 3
LANGUAGE = captions()
KEPT: WeakKeyDictionary = WeakKeyDictionary()  # answer -> {causal: runs}, since training takes time


def some_rows(draw: torch.Generator) -> list[list[int]]:
    """Return the eight captions, each one to three times."""
    times = torch.randint(1, 4, (len(LANGUAGE.sentences),), generator=draw).tolist()
    return [list(s) for s, n in zip(LANGUAGE.sentences, times, strict=True) for _ in range(n)]


def run(call, rows: list, causal: bool, steps: int, seed: int) -> dict:
    """Return one result, its form checked."""
    V, T = LANGUAGE.vocab_size, len(rows[0])
    seen = f"for causal = {causal}, steps = {steps}"
    result = expect.table(call(rows, V, causal, steps, seed), ("loss", "honest", "sentences"), seen)
    sentences = []
    for sentence in expect.items(result["sentences"], 20, f"{seen}, as sentences"):
        sentence = expect.wholes(sentence, seen=f"{seen}, in sentences")
        shown = f"{seen}: {sentence}"
        if sentence[:1] != [BOS]:
            raise Broken("a sentence does not begin with <bos>", shown)
        if len(sentence) > T:
            raise Broken("a sentence is longer than the rows are", shown)
        if EOS in sentence[:-1]:
            raise Broken("a sentence goes on behind its <eos>", shown)
        if not all(0 <= token < V for token in sentence):
            raise Broken("a sentence holds an id outside the vocabulary", shown)
        sentences.append(tuple(sentence))
    return {
        "loss": expect.number(result["loss"], f"{seen}, as loss"),
        "honest": expect.number(result["honest"], f"{seen}, as honest"),
        "sentences": sentences,
    }


def runs(call, draw: torch.Generator, causal: bool) -> tuple[list, list[dict], float]:
    """Return the rows, the results of training on them, and their floor."""
    rows = some_rows(draw)
    seeds = [pick(draw, 0, 10**6) for _ in range(RUNS)]
    kept = KEPT.setdefault(call, {})
    if causal not in kept:
        kept[causal] = [run(call, rows, causal, STEPS, seed) for seed in seeds]
    return rows, kept[causal], LANGUAGE.sample_law([tuple(row) for row in rows]).floor


def distance(rows: list, sentences: list) -> float:
    """Return the total variation between the shares of sentences in two lists."""
    ours, theirs = Counter(sentences), Counter(map(tuple, rows))
    return (
        sum(abs(ours[key] / len(sentences) - theirs[key] / len(rows)) for key in ours | theirs) / 2
    )


AGAIN = "it writes one sentence again and again: draw tokens, do not take the likeliest"


def same_again(result: dict) -> bool:
    """Return whether nearly all sentences are one and the same."""
    return max(Counter(result["sentences"]).values()) > 16


def mean(values) -> float:
    """Return the mean."""
    values = list(values)
    return sum(values) / len(values)


def before_training(function):
    """Return a property that ends the check where it fails: training takes time."""

    def ending(call, draw):
        try:
            function(call, draw)
        except Broken as error:
            raise WrongForm(error.fault, error.seen) from None

    return ending


@train_and_write.property("it gives loss, honest and 20 sentences, the same again for one seed")
@before_training
def run_form(call, draw):
    """One step is enough to see the form."""
    rows, seed = some_rows(draw), pick(draw, 0, 10**6)
    for causal in (True, False):
        first, again, other = (run(call, rows, causal, 1, s) for s in (seed, seed, seed + 100))
        seen = f"for causal = {causal}, steps = 1"
        if first != again:
            raise Broken(
                "the same seed gives another run: first weights and draws must come from seed", seen
            )
        if expect.close(first["loss"], other["loss"], 1e-9):
            raise Broken("another seed starts with the same weights", seen)
        if not 1 < first["loss"] < 4:
            raise Broken(
                "after one step the loss should still be near ln 12, that of a guess",
                f"{seen} it is {first['loss']:.3f}",
            )


@train_and_write.property("with the mask, a text cut off before the answer gives the same loss")
@before_training
def run_same(call, draw):
    """The exact invariant of teacher forcing: it needs no training."""
    rows, seed = some_rows(draw), pick(draw, 0, 10**6)
    masked, free = (run(call, rows, causal, 1, seed) for causal in (True, False))
    same = expect.close(masked["honest"], masked["loss"])
    seen = f"after one step: loss {masked['loss']:.3f}, honest {masked['honest']:.3f}"
    if expect.close(masked["loss"], free["loss"], 1e-7):
        raise Broken(
            "the model has the mask even where causal is False"
            if same
            else "the model has no mask even where causal is True",
            seen,
        )
    if not same:
        raise Broken(
            "with the mask, loss and honest differ, though no position sees what comes later", seen
        )


def measured(result: dict, floor: float) -> str:
    """Return what a run measured, in words."""
    return (
        f"after {STEPS} steps: loss {result['loss']:.3f}, honest {result['honest']:.3f}, "
        f"floor {floor:.3f}"
    )


@train_and_write.property("with the mask, the loss ends just above the floor of its rows")
def run_with_mask(call, draw):
    """What training must reach, and what it cannot."""
    _, found, floor = runs(call, draw, True)
    for result in found:
        if result["loss"] < floor - 1e-6:
            raise Broken(
                "with the mask the loss lies below the floor of its own rows",
                measured(result, floor),
            )
        if result["loss"] > floor + 0.06:
            raise Broken("with the mask it has not learned its rows", measured(result, floor))


@train_and_write.property("with the mask, most sentences are captions, and of many kinds")
def run_writes(call, draw):
    """Drawn from the model's law: neither noise nor one and the same."""
    rows, found, _ = runs(call, draw, True)
    if any(same_again(result) for result in found):
        raise Broken(AGAIN, f"for example {list(found[0]['sentences'][0])}")
    known = set(map(tuple, rows))
    valid = mean(sum(s in known for s in result["sentences"]) for result in found)
    if valid < 12:
        raise Broken(
            "with the mask too few of the sentences are captions",
            f"after {STEPS} steps {valid:.0f} of 20, for example {list(found[0]['sentences'][0])}",
        )


@train_and_write.property("without the mask, the loss falls far below the floor")
def run_leak(call, draw):
    """Each position has read its answer."""
    _, found, floor = runs(call, draw, False)
    for result in found:
        if result["loss"] > floor - 0.1:
            raise Broken(
                "without the mask the loss stays at the floor: does the model really see the "
                "next token?",
                measured(result, floor),
            )


@train_and_write.property("without the mask, the honest loss ends well above the floor")
def run_honest(call, draw):
    """No model that does not see the answer can beat the floor."""
    _, found, floor = runs(call, draw, False)
    for result in found:
        if result["honest"] < floor - 1e-6:
            raise Broken(
                "the honest loss lies below the floor: cut the text off before the answer, so "
                "that nobody can read it",
                measured(result, floor),
            )
        if result["honest"] < floor + 0.06:
            raise Broken(
                "without the mask the honest loss is as good as with it", measured(result, floor)
            )


@train_and_write.property(
    "without the mask, the sentences are further from the shares that the rows have"
)
def run_sentences(call, draw):
    """The comparison with the masked model."""
    rows, masked, _ = runs(call, draw, True)
    _, free, _ = runs(call, draw_again(draw), False)
    if any(same_again(result) for result in masked):
        raise Broken(AGAIN, "so the shares of the sentences cannot be compared")
    with_mask, without = (
        mean(distance(rows, result["sentences"]) for result in found) for found in (masked, free)
    )
    if without < with_mask + 0.05:
        raise Broken(
            "without the mask the sentences are as good as with it: were they written by that "
            "model?",
            f"total variation from the rows {with_mask:.2f} with the mask, {without:.2f} without",
        )


def draw_again(draw: torch.Generator) -> torch.Generator:
    """Return the generator as it was at first."""
    return torch.Generator().manual_seed(draw.initial_seed())


EXERCISES = (counted_targets, my_loss, rate_at, joined_loss, leaky_positions, train_and_write)
