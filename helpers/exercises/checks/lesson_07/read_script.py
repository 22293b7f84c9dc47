"""Exercise 07.1: read a script."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_07.shared import whole_number
from helpers.exercises.exercise import Exercise, WrongForm

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
        ([7, 5, 9, 2], [2, 5], [2, "stop"]),
        ([5, 7, 3, 2], [2, 3, 5], [1, "stop"]),
    ):
        tried = [script.index(stop) + 1 for stop in stop_ids if stop in script]
        expect.equal(
            script_result(call, script, stop_ids, 4),
            right,
            f"for {script}, stop_ids {stop_ids}, limit 4:",
            "not exactly the ids in stop_ids end a row",
            known=(
                ([right[0] - 1, "stop"], SCRIPT_WITHOUT_STOP),
                (
                    [tried[0] if tried else 0, "stop"],
                    "the stop ids are tried one by one: the one that comes first in the row counts",
                ),
            ),
        )
