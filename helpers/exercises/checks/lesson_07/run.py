"""Exercise 07.4: the whole batch loop."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

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
    for scripts, limit, pad_id in ((BATCH, 6, 0), (BATCH, 6, 1), (random_batch(draw, 4, 6), 6, 1)):
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
        ([[7, 5, 2], [7, 7, 7]], [2, 5], 3),
        ([[7, 0], [7, 7]], [2], 2),
        ([[7, 0, 7], [7, 7, 7]], [0], 3),
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
                    [max(n for n in range(len(r) + 1) if n == 0 or r[n - 1]) for r in rows],
                    "pad ids at the end are cut off, and a row may have said them itself",
                ),
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
