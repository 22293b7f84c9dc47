"""Checks of the exercises of lesson 07, decoding."""

import functools
import math

import torch

from helpers import pretrained
from helpers.exercises import expect
from helpers.exercises.checks.laws import (
    TRAP,
    greedy_of,
    likeliest,
    probability_of,
    random_laws,
)
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.exercises.plain import show
from helpers.language import EOS, captions

INFINITY = float("inf")


def whole_number(draw: torch.Generator, least: int, most: int) -> int:
    """Return a whole number from least to most."""
    return int(torch.randint(least, most + 1, (), generator=draw))


# ---- 07.1 ---------------------------------------------------------------------------------------

read_script = Exercise(
    "07.1",
    "read_script",
    title="Read a script",
    minutes=3,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "The loop of this lesson looks at one token at a time. Which two things can end it, and "
        "which of the two does it look at first when both come in the same step?",
        'With limit 4: [7, 7, 7, 2] is 4 tokens and "stop", [7, 7, 7, 7, 2] is 4 tokens and '
        '"length", [2, 7, 2, 7] is 1 token and "stop".',
        'for length, token in enumerate(script[:limit], start=1): return [length, "stop"] at the '
        'first token that stands in stop_ids. Behind the loop: return [limit, "length"].',
    ),
)
SCRIPT_WITHOUT_STOP = "the stop token is not counted: it belongs to the text"


def script_result(call, script: list[int], stop_ids: list[int], limit: int) -> list:
    """Call the answer; return [length, reason]."""
    seen = f"for {script}, stop_ids {stop_ids}, limit {limit}"
    pair = expect.items(call(script, stop_ids, limit), 2, seen)
    length, reason = expect.whole(pair[0], seen), expect.text(pair[1], seen)
    if reason not in ("stop", "length"):
        raise WrongForm('the reason is neither "stop" nor "length"', f"{seen} it is {reason!r}")
    return [length, reason]


@read_script.property('it gives a length and a reason, "stop" or "length"')
def script_form(call, draw):
    """A whole number and a text."""
    script_result(call, [7, 2, 9, 9], [2], 4)
    script_result(call, [7, 7, 7, 7], [2], 4)


@read_script.property("a row ends at its first stop token, which counts")
def script_first_stop(call, draw):
    """Several stop tokens, and anything behind the first."""
    drawn = torch.randint(3, 9, (6,), generator=draw).tolist()
    place = whole_number(draw, 1, 3)
    drawn[place] = drawn[5] = 2
    for script, first in (([7, 2, 9, 9], 2), ([2, 7, 2, 7], 1), ([7, 2, 2, 2], 2), (drawn, 0)):
        first = first or script.index(2) + 1
        last = len(script) - script[::-1].index(2)
        expect.equal(
            script_result(call, script, [2], len(script)),
            [first, "stop"],
            f"for {script}, stop_ids [2]:",
            "a row does not end at its first stop token",
            known=(
                ([first - 1, "stop"], SCRIPT_WITHOUT_STOP),
                ([last, "stop"], "a later stop token counts, and not the first one"),
            ),
        )


@read_script.property("a stop token at place `limit` gives stop, one behind it does not")
def script_limit(call, draw):
    """The last place that counts, and the first one that does not."""
    for limit in (4, 1, whole_number(draw, 5, 8)):
        script = [7] * (limit - 1) + [2, 9]
        expect.equal(
            script_result(call, script, [2], limit),
            [limit, "stop"],
            f"for {script}, stop_ids [2], limit {limit}:",
            "a stop token in the last place is treated wrongly",
            known=(
                ([limit - 1, "stop"], SCRIPT_WITHOUT_STOP),
                ([limit, "length"], 'a stop token at place `limit` gives "length": look at the '
                 "token before you look at the limit"),
            ),
        )  # fmt: skip
        script = [7] * limit + [2, 9]
        expect.equal(
            script_result(call, script, [2], limit),
            [limit, "length"],
            f"for {script}, stop_ids [2], limit {limit}:",
            "a row that is cut off by the limit has another length or reason",
            known=(([limit + 1, "stop"], "tokens behind the limit are read"),),
        )


@read_script.property("every id in stop_ids ends a row, and no other one")
def script_stop_ids(call, draw):
    """Two stop ids, another one than 2, and none."""
    for script, stop_ids, right in (
        ([7, 9, 5, 9], [2, 5], [3, "stop"]),
        ([7, 2, 5, 9], [5], [3, "stop"]),
        ([7, 2, 0, 9], [], [4, "length"]),
    ):
        expect.equal(
            script_result(call, script, stop_ids, 4),
            right,
            f"for {script}, stop_ids {stop_ids}, limit 4:",
            "not exactly the ids in stop_ids end a row",
            known=(([right[0] - 1, "stop"], SCRIPT_WITHOUT_STOP),),
        )


# ---- 07.2 ---------------------------------------------------------------------------------------

law_at = Exercise(
    "07.2",
    "law_at",
    title="Temperature from scratch",
    minutes=10,
    level="medium",
    points=2,
    imports=("math",),
    hints=(
        "Which property of softmax lets you move all logits before you divide, so that no power of "
        "e can become too large?",
        "After the largest logit is taken off, no logit is above 0. Then divide. What is e to the "
        "power of minus infinity? Temperature 0 needs a branch of its own, and so does a "
        "temperature that is none.",
        "largest = max(logits); powers = [math.exp((z - largest) / temperature) for z in logits]; "
        "divide each by their sum. Before it: `if not temperature >= 0: raise ValueError`, and for "
        "0 a list of 0.0 with 1.0 at logits.index(largest).",
    ),
)


def law_of(call, logits: list[float], temperature: float) -> list[float]:
    """Call the answer; return a list of numbers."""
    seen = f"for {show(logits)} at {temperature:g}"
    return expect.numbers(call(logits, temperature), len(logits), seen)


def softmax(logits: list[float]) -> list[float]:
    """Return the right law at temperature 1."""
    return torch.tensor(logits, dtype=torch.float64).softmax(dim=-1).tolist()


def random_logits(draw: torch.Generator, V: int) -> list[float]:
    """Return V logits."""
    return (2 * torch.randn(V, generator=draw, dtype=torch.float64)).tolist()


@law_at.property("it gives as many probabilities as logits, and they sum to 1")
def law_sums(call, draw):
    """A law."""
    for logits, temperature in (
        ([2.0, 0.0], 2),
        ([0.5], 1.0),
        (random_logits(draw, 6), 0.7),
        (random_logits(draw, 3), 3.0),
    ):
        law = law_of(call, logits, temperature)
        if min(law) < 0 or abs(sum(law) - 1) > 1e-6:
            raise Broken(
                "it gives no law: probabilities are 0 or more and sum to 1",
                f"for {show(logits)} at {temperature:g} it gives {show(law)}",
            )


@law_at.property("the law is softmax(logits / temperature)")
def law_values(call, draw):
    """[2, 0] at 2, and drawn ones."""
    for logits, T in (
        ([2.0, 0.0], 2),
        (random_logits(draw, 5), 0.5),
        (random_logits(draw, 4), 3.0),
        (random_logits(draw, 3), 1),
    ):
        right = softmax([z / T for z in logits])
        expect.equal(
            law_of(call, logits, T),
            right,
            f"for {show(logits)} at {T:g}:",
            known=(
                (softmax(logits), "the temperature has no effect on the law"),
                (softmax([z * T for z in logits]), "the logits are multiplied by the temperature"),
                (softmax([z / T**2 for z in logits]), "the temperature is applied twice"),
            ),
        )


@law_at.property("a constant added to all logits changes nothing, however large it is")
def law_constant(call, draw):
    """Also where a power of e alone would overflow or vanish."""
    logits = random_logits(draw, 4)
    for temperature in (0.5, 2.0):
        right = law_of(call, logits, temperature)
        for constant in (3.0, 1000.0, -1000.0):
            moved = [z + constant for z in logits]
            expect.equal(
                law_of(call, moved, temperature),
                right,
                f"for {show(moved)} at {temperature:g}:",
                "the law changes when a constant is added to all logits",
            )


@law_at.property("temperature 0 puts everything on the largest logit, of equal ones the first")
def law_zero(call, draw):
    """Greedy."""
    drawn = random_logits(draw, 5)
    low = [-INFINITY, -3.0, -5.0]
    for logits in ([1.0, 3.0, 3.0, 2.0, 3.0], [-4.0, -1.0, -2.0], [0.0, 0.0], low, drawn):
        largest = max(logits)
        ties = [place for place, z in enumerate(logits) if z == largest]

        def on(places, logits=logits):
            return [(place in places) / len(places) for place in range(len(logits))]

        expect.equal(
            law_of(call, logits, 0),
            on(ties[:1]),
            f"for {show(logits)} at 0:",
            "at temperature 0 not everything stands on the largest logit",
            known=(
                (softmax(logits), "temperature 0 is taken for temperature 1"),
                (on(ties[-1:]), "of equal logits the last one is taken at temperature 0"),
                (on(ties), "at temperature 0 equal logits share: greedy takes the first alone"),
            ),
        )


@law_at.property("neither a tiny temperature nor a logit of minus infinity does harm")
def law_extremes(call, draw):
    """1e-300 and -inf."""
    for logits, temperature, right in (
        ([2.875, 2.955, 11.0625], 1e-300, [0.0, 0.0, 1.0]),
        ([2.875, 2.955, 11.0625], 1e-45, [0.0, 0.0, 1.0]),
        ([5.0, 1.0, 5.0], 1e-300, [0.5, 0.0, 0.5]),
        ([-INFINITY, 1.0, 1.0], 2.0, [0.0, 0.5, 0.5]),
        ([-INFINITY, -3.0, -5.0], 1e-300, [0.0, 1.0, 0.0]),
    ):
        expect.equal(
            law_of(call, logits, temperature),
            right,
            f"for {show(logits)} at {temperature:g}:",
            "a tiny temperature, or a logit of minus infinity, gives a wrong law",
            known=(
                ([1.0, 0.0, 0.0], "a tiny temperature is taken for 0: equal logits still share"),
                ([1.0, 0.0, 1.0], "it gives no law: probabilities are 0 or more and sum to 1"),
                ([0.0, 1.0, 1.0], "it gives no law: probabilities are 0 or more and sum to 1"),
            ),
        )


@law_at.property("a temperature below 0, or NaN, is refused with ValueError")
def law_refuses(call, draw):
    """Impossible temperatures."""
    for temperature in (-1, -0.5, math.nan):
        raised = call.error([2.0, 0.0], temperature)
        if raised != "ValueError":
            raise Broken(
                "an impossible temperature is not refused with ValueError",
                f"for {temperature} it raised {raised or 'nothing'}",
            )


# ---- 07.3 ---------------------------------------------------------------------------------------

temperature_for = Exercise(
    "07.3",
    "temperature_for",
    title="Set the style",
    minutes=10,
    level="medium",
    points=2,
    imports=("math",),
    hints=(
        "After “a”, photo has 1/2, large and small have 1/4 each. What becomes of these three when "
        "each is raised to the power 1/T, and what of their share?",
        "The share is 1 / (1 + 2^(1 - 1/T)). For very small T it nears 1, for very large T it "
        "nears 1/3, where the three words are even. It reaches neither.",
        "From the formula: 1/share - 1 = 2^(1 - 1/T). Take log2 of both sides: 1/T = 1 - "
        "log2(1/share - 1). Return None unless 1/3 < share < 1.",
    ),
)


def style_0_share(temperature: float) -> float:
    """Return the share of style 0 at this temperature, from the exact law."""
    return math.fsum(captions().at_temperature(temperature).probabilities[:4])


def temperature_of(call, share: float) -> float:
    """Call the answer with a share that can be reached."""
    answer = call(share)
    if answer is None:
        raise Broken(
            "it gives None for a share that a temperature reaches",
            f"for {share:.4g}: the shares between 1/3 and 1 can be reached",
        )
    return expect.number(answer, f"for {share:.4g}")


def compare_temperatures(call, T: float, fault: str) -> None:
    """Ask for the share that the exact law has at temperature T; name the known slips."""
    share = style_0_share(T)
    power = math.log2(1 / share - 1)  # which is 1 - 1/T
    expect.equal(
        temperature_of(call, share),
        T,
        f"for the share {share:.6f} of temperature {T:.4g}:",
        fault,
        known=(
            (1 / T, "it gives 1/T in place of T"),
            (1 / (1 - math.log(2) * power), "the logarithm is not the one to base 2"),
            (-1 / power, "the 1 in the power 1 - 1/T is lost"),
        ),
    )


@temperature_for.property("it gives temperature 1 for one half")
def style_half(call, draw):
    """The table's plainest row."""
    expect.equal(
        expect.number(call(0.5), "for 0.5"),
        1.0,
        "for 0.5:",
        "one half, the true law's own share, does not give temperature 1",
    )


@temperature_for.property("it undoes the table: the share at a temperature gives the temperature")
def style_table(call, draw):
    """The exact law at several temperatures, and back."""
    drawn = 1.1 + 2 * float(torch.rand((), generator=draw))
    for T in (0.3, 0.8, 2.0, drawn):
        compare_temperatures(call, T, "it does not undo the table")


@temperature_for.property("it is right for a share near 1, and for one a little above 1/3")
def style_ends(call, draw):
    """Very cold and very hot."""
    for T in (0.05, 40.0):
        compare_temperatures(call, T, "near the ends of what can be reached it goes wrong")


@temperature_for.property("it gives None for a share that no positive temperature reaches")
def style_none(call, draw):
    """Below 1/3, and 1 itself."""
    drawn = 0.32 * float(torch.rand((), generator=draw))
    for share in (0.2, 0.3, 0.333, 0.0, drawn, 1.0):
        answer = call(share)
        if answer is None:
            continue
        if share == 1:
            raise Broken(
                "it gives a temperature for the share 1, which only temperature 0 has",
                f"it gives {show(answer)}",
            )
        raise Broken(
            "it gives a temperature for a share below 1/3, where no temperature leads",
            f"for {share:.4g} it gives {show(answer)}",
        )


# ---- 07.4 ---------------------------------------------------------------------------------------

run = Exercise(
    "07.4",
    "run",
    title="The whole batch loop",
    minutes=20,
    level="hard",
    points=3,
    imports=(),
    hints=(
        "What must the loop know of a row that ended three steps ago? It cannot see it in the "
        "tokens of this step.",
        "[7, 2, 9, 9] and [7, 7, 7, 2] with stop token 2 and limit 10: rows [7, 2, 0, 0] and "
        "[7, 7, 7, 2], lengths 2 and 4, 4 steps. Each row alone gives the same row, without the "
        "padding.",
        "done[b] starts as False. In each step, for each row: if done[b], append pad_id. "
        "Otherwise append the token first, and then, if it is a stop token, set done[b], the "
        'length (step + 1) and the reason "stop". Leave when all are done or the limit is reached.',
    ),
)
NOT_COUNTED = "the stop token of a row is missing from its text"


def batch_result(call, scripts, stop_ids, limit, pad_id) -> tuple:
    """Call the answer; return rows, lengths, reasons, steps in the right form."""
    seen = f"for {show(scripts)}, stop_ids {stop_ids}, limit {limit}"
    rows, lengths, reasons, steps = expect.items(call(scripts, stop_ids, limit, pad_id), 4, seen)
    rows = [expect.wholes(row, seen=seen) for row in expect.items(rows, len(scripts), seen)]
    lengths = expect.wholes(lengths, len(scripts), seen)
    reasons = [expect.text(reason, seen) for reason in expect.items(reasons, len(scripts), seen)]
    return rows, lengths, reasons, expect.whole(steps, seen)


def batch_truth(scripts, stop_ids, limit, pad_id) -> tuple:
    """Return what is right."""
    rows, lengths, reasons = [], [], []
    for script in scripts:
        stops = [place for place, token in enumerate(script[:limit]) if token in stop_ids]
        lengths.append(stops[0] + 1 if stops else limit)
        reasons.append("stop" if stops else "length")
        rows.append(script[: lengths[-1]])
    steps = max(lengths)
    return [row + [pad_id] * (steps - len(row)) for row in rows], lengths, reasons, steps


def random_batch(draw: torch.Generator, B: int, limit: int) -> list[list[int]]:
    """Return B scripts; each goes on behind its first stop token, if it has one."""
    return torch.randint(2, 7, (B, limit), generator=draw).tolist()


BATCH = [[7, 2, 9, 9, 9, 9], [7, 7, 7, 2, 9, 9], [2, 8, 8, 8, 8, 8]]


@run.property("it gives rows, lengths, reasons and the number of steps")
def batch_form(call, draw):
    """The four parts, and rows as long as there are steps."""
    rows, _, _, steps = batch_result(call, BATCH, [2], 6, 0)
    if {len(row) for row in rows} != {steps}:
        raise Broken(
            "the rows are not all as long as there are steps",
            f"for {show(BATCH)} the rows are {show(rows)}, steps {steps}",
        )


@run.property("the loop ends with the row that goes on longest, or at the limit")
def batch_steps(call, draw):
    """The number of steps is the longest length."""
    for scripts, limit in (
        (BATCH, 6),
        ([[7, 2, 9, 9], [7, 7, 7, 2]], 10),
        ([[7, 7, 7, 7], [7, 2, 9, 9]], 3),
        (random_batch(draw, 3, 5), 5),
    ):
        lengths = batch_truth(scripts, [2], limit, 0)[1]
        steps = batch_result(call, scripts, [2], limit, 0)[3]
        expect.equal(
            steps,
            max(lengths),
            f"for {show(scripts)}, stop_ids [2], limit {limit}:",
            "the number of steps is not that of the longest row",
            known=(
                (min(lengths), "the loop ends with the first row that ends"),
                (limit, "the loop goes on to the limit although all rows have ended"),
            ),
        )


@run.property("each row holds its tokens up to its stop token, and behind it padding only")
def batch_rows(call, draw):
    """No junk behind the end; a pad id that is not 0."""
    for scripts, limit, pad_id in ((BATCH, 6, 0), (random_batch(draw, 4, 6), 6, 1)):
        right, lengths, _, steps = batch_truth(scripts, [2], limit, pad_id)
        rows = batch_result(call, scripts, [2], limit, pad_id)[0]
        seen = f"for {show(scripts)}, stop_ids [2], pad_id {pad_id}:"
        for row, script, good, length in zip(rows, scripts, right, lengths, strict=True):
            padded = [*script[: length - 1], *[pad_id] * (steps - length + 1)]
            zeros = [token if place < length else 0 for place, token in enumerate(good)]
            known = [
                (script[:steps], "tokens stand behind the stop token of a finished row"),
                (zeros, "finished rows are filled with another id than pad_id"),
            ]
            if script[length - 1] == 2:
                known.append((padded, NOT_COUNTED))
            expect.equal(row, good, seen, "a row holds other tokens", known=known)


@run.property("lengths and reasons are those of each row, padding left out")
def batch_lengths(call, draw):
    """A row that says the pad id itself, one that stops in the last step; several stop ids."""
    for scripts, stop_ids, limit in (
        (BATCH, [2], 6),
        ([[0, 0, 2], [7, 7, 7], [7, 0, 7], [5, 2, 2]], [2], 3),
        (random_batch(draw, 5, 4), [3, 6], 4),
    ):
        _, lengths, reasons, steps = batch_truth(scripts, stop_ids, limit, 0)
        rows, found, said, _ = batch_result(call, scripts, stop_ids, limit, 0)
        seen = f"for {show(scripts)}, stop_ids {stop_ids}, limit {limit}:"
        expect.equal(
            found,
            lengths,
            seen,
            "a length is not the number of tokens up to the row's end",
            known=(
                (
                    batch_truth(scripts, stop_ids[:1], limit, 0)[1],
                    "only the first of the stop ids ends a row",
                ),
                ([steps] * len(rows), "padding is counted in the lengths"),
                (
                    [sum(token != 0 for token in row) for row in rows],
                    "a row that says the pad id itself is taken for shorter than it is: padding is "
                    "what comes after the end",
                ),
                (
                    [n - (why == "stop") for n, why in zip(lengths, reasons, strict=True)],
                    "the lengths leave the stop tokens out",
                ),
            ),
        )
        late = ["length" if n == limit else why for n, why in zip(lengths, reasons, strict=True)]
        expect.equal(
            said,
            reasons,
            seen,
            "a reason is wrong",
            known=((late, 'a row that stops in the last step has the reason "length"'),),
        )


@run.property("a row's text does not change when other rows are added")
def batch_alone(call, draw):
    """Alone and in company: the same tokens, length and reason."""
    scripts = random_batch(draw, 4, 5)
    together = batch_result(call, scripts, [3, 5], 5, 0)
    for b, script in enumerate(scripts):
        alone = batch_result(call, [script], [3, 5], 5, 0)
        length = alone[1][0]
        pair = (together[0][b][:length], together[1][b], together[2][b])
        expect.equal(
            list(pair),
            [alone[0][0][:length], length, alone[2][0]],
            f"for {show(script)}, stop_ids [3, 5], in {show(scripts)}:",
            "a row in a batch has another text, length or reason than alone",
        )


@run.property("no row is read behind its stop token")
def batch_unread(call, draw):
    """Scripts that end where their text ends."""
    scripts = [[7, 2], [7, 7, 7, 2], [8, 8, 8, 8, 2]]
    raised = call.error(scripts, [2], 9, 0)
    if raised:
        raise Broken(
            "a finished row is asked for another token, which it does not have",
            f"for {scripts}, stop_ids [2], limit 9 it raised {raised}",
        )


# ---- 07.5 ---------------------------------------------------------------------------------------
# The answer throws its own dice, so its numbers are held against the exact chance. A check accuses
# a right answer with a probability below 1e-7 in each of its cases, below 1e-6 in all of them.

count_valid = Exercise(
    "07.5",
    "count_valid",
    title="Cold and hot",
    minutes=20,
    level="hard",
    points=3,
    hints=(
        "One text is one loop: look up the beginning, draw a token, put it behind. When is the "
        "loop over? There are two ways, and one of them is no caption.",
        "With a table of the true law, whose impossible words have minus infinity, all 20 must be "
        "captions at any temperature. With the trained model at temperature 2 the number must move "
        "from seed to seed, around 10.",
        "One generator, made from the seed before the 20 texts begin. laws = (logits / "
        "temperature).softmax(dim=-1); while the text is among the prefixes: add "
        "torch.multinomial(law, 1, generator=...). Then count the texts that stand in captions.",
    ),
)
ALARM = 1e-7
LANGUAGE = captions()
PREFIXES = [list(prefix) for prefix in LANGUAGE.prefixes]
CAPTIONS = [list(sentence) for sentence in LANGUAGE.sentences]


@functools.cache
def trained_logits() -> torch.Tensor:
    """Return what the trained model of captions says after every beginning, [N, V]."""
    places = [
        next(
            (i, len(prefix) - 1) for i, text in enumerate(CAPTIONS) if text[: len(prefix)] == prefix
        )
        for prefix in PREFIXES
    ]
    model = pretrained.load("captions")
    with torch.no_grad():
        logits = model(torch.tensor(CAPTIONS))  # [8, T, V]
    return torch.stack([logits[i, t] for i, t in places])


def true_logits() -> torch.Tensor:
    """Return logits of the exact law, with minus infinity for the impossible words, [N, V]."""
    return torch.stack([LANGUAGE.next_token(prefix).log() for prefix in PREFIXES]).float()


def noisy_logits(draw: torch.Generator) -> torch.Tensor:
    """Return another model of captions: the true law, a share of noise, and its own unevenness."""
    law = true_logits().softmax(dim=-1)
    noise = torch.randn(law.shape, generator=draw).softmax(dim=-1)
    return (0.96 * law + 0.04 * noise).log() + 3.0


def valid_chance(logits: torch.Tensor, valid: list[list[int]]) -> float:
    """Return the exact probability that a text drawn at temperature 1 is among these."""
    laws = dict(zip(map(tuple, PREFIXES), logits.double().softmax(-1).tolist(), strict=True))
    return math.fsum(
        math.prod(laws[tuple(text[:t])][text[t]] for t in range(1, len(text))) for text in valid
    )


def divergence(valid: int, texts: int, chance: float) -> float:
    """Return how far a number is from a chance: it happens with at most 2 e^-this (Chernoff)."""
    share, distance = valid / texts, 0.0
    for part, expected in ((share, chance), (1 - share, 1 - chance)):
        if part > 0:
            distance += INFINITY if expected <= 0 else part * math.log(part / expected)
    return texts * distance


def far(valid: int, texts: int, chance: float) -> bool:
    """Return whether chance explains a number only with a probability below ALARM."""
    return divergence(valid, texts, chance) > math.log(2 / ALARM)


def counted(call, logits, valid, temperature: float, seeds) -> list[int]:
    """Call the answer with several seeds; return its numbers."""
    numbers = []
    for seed in seeds:
        seen = f"at temperature {temperature:.4g} with seed {seed}"
        number = expect.whole(call(PREFIXES, logits, valid, temperature, seed), seen)
        if not 0 <= number <= 20:
            raise WrongForm("it gives a number that is not from 0 to 20", f"{seen}: {number}")
        numbers.append(number)
    return numbers


def seeds(draw: torch.Generator, count: int) -> list[int]:
    """Return different seeds."""
    first = whole_number(draw, 0, 10**6)
    return [first + 7 * number for number in range(count)]


@count_valid.property("it gives a whole number from 0 to 20, and for one seed always the same")
def valid_form(call, draw):
    """Repeatable."""
    for seed in seeds(draw, 4):
        first, second = counted(call, trained_logits(), CAPTIONS, 2.0, [seed] * 2)
        if first != second:
            raise Broken(
                "the same seed gives another number: the dice must come from the seed",
                f"temperature 2, seed {seed}: {first}, then {second}",
            )


@count_valid.property("with exact zeros all 20 are captions, at any temperature")
def valid_zeros(call, draw):
    """The true law never slips."""
    for temperature in (0.3, 1.0, 2.0, 4.0):
        for seed in seeds(draw, 2):
            (number,) = counted(call, true_logits(), CAPTIONS, temperature, [seed])
            if number != 20:
                seen = f"the true law at temperature {temperature:g}, seed {seed}: {number} of 20"
                raise Broken(
                    "drawn from the true law, some of the 20 do not count as captions"
                    if number > 8
                    else "it counts the different captions, not the texts that are captions",
                    seen,
                )


@count_valid.property("another seed throws other dice, and each of the 20 texts its own")
def valid_dice(call, draw):
    """At temperature 2, about half: the number must move, and not between 0 and 20 alone."""
    numbers = counted(call, trained_logits(), CAPTIONS, 2.0, seeds(draw, 12))
    if set(numbers) == {0, 20}:
        raise Broken(
            "the 20 texts of a call are all alike: one generator must serve all of them, and not "
            "begin anew for each text",
            f"the trained model at temperature 2, 12 seeds: {show(numbers)}",
        )
    if len(set(numbers)) == 1 and numbers[0] not in (0, 20):
        raise Broken(
            "another seed does not give another number",
            f"the trained model at temperature 2, 12 seeds: always {numbers[0]}",
        )


@count_valid.property("on average as many are captions as the law at this temperature says")
def valid_share(call, draw):
    """Against the exact chance: cold, as it is, hot; and another model."""
    other = noisy_logits(draw)
    warm = 1.3 + 0.3 * float(torch.rand((), generator=draw))
    for name, logits, T, count in (
        ("the trained model", trained_logits(), 2.0, 15),
        ("the trained model", trained_logits(), 0.3, 8),
        ("another model", other, warm, 15),
        ("another model", other, 0.5, 8),
    ):
        valid = sum(counted(call, logits, CAPTIONS, T, seeds(draw, count)))
        texts = 20 * count
        chance = valid_chance(logits / T, CAPTIONS)
        if not far(valid, texts, chance):
            continue
        slips = {
            "the temperature has no effect on the number of captions": logits,
            "the logits are multiplied by the temperature": logits * T,
            "the temperature is applied twice": logits / T**2,
        }
        off = {
            fault: divergence(valid, texts, valid_chance(slipped, CAPTIONS))
            for fault, slipped in slips.items()
        }
        fault = min(off, key=off.get)
        if off[fault] > 5:  # none of them explains it
            fault = "the share of captions is not the one that the law at this temperature has"
        seen = f"{name} at temperature {T:.3g}: {valid} of {texts} texts"
        raise Broken(fault, f"{seen}, to be expected are {chance * texts:.0f}")


@count_valid.property("a text counts only if it is one of the captions given")
def valid_captions(call, draw):
    """A law that ends its texts too early, and a list of four captions."""
    early = true_logits().softmax(dim=-1)
    early[:, EOS] += 0.2
    early = early.log()  # not rescaled: softmax does that
    for name, logits, valid in (
        ("a law that often says <eos> too early", early, CAPTIONS),
        ("the true law, with the captions of style 1 given", true_logits(), CAPTIONS[4:]),
    ):
        number = sum(counted(call, logits, valid, 1.0, seeds(draw, 10)))
        if not far(number, 200, valid_chance(logits, valid)):
            continue
        raise Broken(
            "it counts texts that are none of the captions given"
            if number > 200 * valid_chance(logits, valid)
            else "it does not count all texts that are captions",
            f"{name}: {number} of 200, to be expected are {200 * valid_chance(logits, valid):.0f}",
        )


# ---- 07.6 ---------------------------------------------------------------------------------------

greedy_and_best = Exercise(
    "07.6",
    "greedy_and_best",
    title="The likeliest sentence",
    minutes=30,
    level="challenge",
    points=5,
    imports=(),
    hints=(
        "Greedy is one walk through the table. For the likeliest sentence you need all walks. How "
        "can you keep beginnings that are not finished, each with its probability?",
        "The probability of a sentence is the product over all its steps, the last one to 2 "
        "included, and so it falls, or stays, with each token. Over the whole table, the "
        "probabilities of all sentences sum to at most 1. The likeliest is never below the greedy "
        "one.",
        "Make {tuple(prefix): law} first. waiting = [((1,), 1.0)]; take a pair off; if the text "
        "ends with 2, it is a sentence; otherwise add (*text, token) with probability * law[token] "
        "for each token that is 2 or leads to a beginning in the table. At last take the max.",
    ),
)


def both(call, laws: list, name: str) -> tuple:
    """Call the answer; return greedy, its probability, best, its probability."""
    seen = f"for {name}"
    greedy, p, best, q = expect.items(call(laws), 4, seen)
    pair = [(expect.wholes(greedy, seen=seen), p), (expect.wholes(best, seen=seen), q)]
    out = []
    for text, chance in pair:
        if text[:1] != [1] or text[-1:] != [EOS]:
            raise WrongForm("a sentence does not go from 1 to 2", f"{seen} it gives {show(text)}")
        out += [text, expect.number(chance, seen)]
    return tuple(out)


def trained_laws() -> list:
    """Return the trained model as a table over the beginnings of captions."""
    laws = trained_logits().double().softmax(dim=-1).tolist()
    return [[prefix, law] for prefix, law in zip(PREFIXES, laws, strict=True)]


def named_laws(draw: torch.Generator) -> tuple:
    """Return the tables that most properties look at."""
    return (
        (TRAP, "a table whose first law is 3: 0.30, 4: 0.34, 5: 0.36"),
        (random_laws(draw), "a random table of 6 ids"),
        (random_laws(draw), "another random table of 6 ids"),
        (trained_laws(), "the trained model's table"),
    )


@greedy_and_best.property("it gives two sentences from 1 to 2, each with its probability")
def both_form(call, draw):
    """The form."""
    both(call, TRAP, "a table whose first law is 3: 0.30, 4: 0.34, 5: 0.36")


@greedy_and_best.property("a sentence's probability is the product over all its steps")
def both_products(call, draw):
    """Of whatever sentences are returned."""
    for laws, name in named_laws(draw):
        greedy, p, best, q = both(call, laws, name)
        for text, chance in ((greedy, p), (best, q)):
            right = probability_of(laws, text)
            if right <= 0:
                raise Broken("it gives an impossible sentence", f"for {name}: {show(text)}")
            steps = len(text) - 1
            last = {tuple(prefix): law for prefix, law in laws}[tuple(text[:-1])][EOS]
            expect.equal(
                chance,
                right,
                f"for {name}, sentence {text}:",
                "the probability is not the product over the sentence's steps",
                known=(
                    (math.log(right), "it gives the logarithm of a probability"),
                    (right ** (1 / steps), "it gives an average over the steps, not the product"),
                    (right / last, "the last step, the one to 2, is missing from the product"),
                ),
            )


@greedy_and_best.property("the greedy sentence takes the likeliest token in each step")
def both_greedy(call, draw):
    """Also the lowest id of equal ones."""
    even = LANGUAGE.next_token
    exact = [[prefix, even(prefix).tolist()] for prefix in PREFIXES]
    for laws, name in (*named_laws(draw), (exact, "the true law of captions, which has ties")):
        found, right = both(call, laws, name)[0], greedy_of(laws)
        if found == right:
            continue
        if "ties" in name and expect.close(probability_of(laws, found), 1 / 8):
            fault = "of equally likely tokens greedy does not take the lowest id"
        elif found == likeliest(laws)[0]:
            fault = "the greedy sentence is the likeliest one: greedy looks one step ahead only"
        else:
            fault = "the greedy sentence does not take the likeliest token in each step"
        raise Broken(fault, f"for {name} it gives {found}, right is {right}")


@greedy_and_best.property("no sentence is likelier than the likeliest")
def both_best(call, draw):
    """Against all sentences; any of equally likely ones is right."""
    for laws, name in named_laws(draw):
        found = both(call, laws, name)[2]
        p = probability_of(laws, found)
        best, q = likeliest(laws)
        if p >= q - 1e-9:
            continue
        if found == greedy_of(laws):
            fault = "what it gives as the likeliest sentence is only the greedy one"
        elif found == likeliest(laws, average=True)[0]:
            fault = "the likeliest sentence is chosen by its average over the steps"
        else:
            fault = "there is a sentence likelier than the one it gives as the likeliest"
        raise Broken(fault, f"for {name} it gives {found} with {p:.4f}; {best} has {q:.4f}")


@greedy_and_best.property("a beginning that is not in the table is impossible")
def both_missing(call, draw):
    """Take the likeliest first word out of the table."""
    laws = random_laws(draw)
    root = next(law for prefix, law in laws if prefix == [1])
    gone = root.index(max(root))
    laws = [[prefix, law] for prefix, law in laws if prefix[1:2] != [gone]]
    name = f"a random table without the beginnings [1, {gone}, ...]"
    raised = call.error(laws)
    if raised:
        raise Broken(
            "a token that leads out of the table stops it with an exception",
            f"for {name} it raised {raised}",
        )
    greedy, p, best, q = both(call, laws, name)
    if gone in (greedy[1], best[1]):
        raise Broken(
            "it uses a beginning that is not in the table", f"for {name}: {greedy} and {best}"
        )
    right, chance = likeliest(laws)
    expect.equal(greedy, greedy_of(laws), f"for {name}:", "greedy goes wrong beside a gap")
    expect.equal(best, right, f"for {name}:", "the likeliest goes wrong beside a gap")
    expect.equal(
        [p, q],
        [probability_of(laws, greedy), chance],
        f"for {name}:",
        "the probabilities are wrong beside a gap",
        known=(
            (
                [probability_of(laws, greedy) / (1 - max(root)), chance / (1 - max(root))],
                "a step beside a gap is rescaled: its probability is the one in the table",
            ),
        ),
    )


EXERCISES = (read_script, law_at, temperature_for, run, count_valid, greedy_and_best)
