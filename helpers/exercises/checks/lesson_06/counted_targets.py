"""Exercise 06.1: count the questions."""

from helpers.exercises import expect
from helpers.exercises.checks.lesson_06.shared import pick
from helpers.exercises.exercise import Exercise

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
    """Equal and unequal rows, some of them of length 1; no rows at all."""
    drawn = [pick(draw, 2, 9), 1, pick(draw, 10, 14), pick(draw, 2, 9)]
    for lengths in ([4, 4, 7, 4], drawn, [1, 1], [], [1, 1, 2], [2, *[1] * 48]):
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
                (sum(set(lengths)) - len({*lengths}), "rows of equal length are counted once"),
                (sum(lengths) - len(lengths) - 1, "a question is lost to rounding or left out"),
                (sum(lengths), "the first token of a row is nobody's next token"),
            ),
        )
