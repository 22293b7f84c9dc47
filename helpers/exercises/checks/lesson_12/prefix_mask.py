"""Exercise 12.5: let the patches look both ways."""

from helpers.decoder import masks
from helpers.exercises import expect
from helpers.exercises.checks.lesson_12.shared import whole_between
from helpers.exercises.exercise import Broken, Exercise, WrongForm

prefix_mask = Exercise(
    "12.5",
    "prefix_mask",
    title="Let the patches look both ways",
    minutes=20,
    level="hard",
    points=3,
    hints=(
        "Which part of the square is the causal triangle of S + T rows wrong about? And for the "
        "second half of the exercise: in the first block, what are the patches' keys and values "
        "made from?",
        "Without patches it must be the causal triangle, without words all True. No patch may see "
        "a word. Row S is the first word: it sees S + 1 columns.",
        "Begin with torch.ones(S + T, S + T, dtype=torch.bool).tril(), then set the upper left "
        "S by S square to True.",
    ),
)


@prefix_mask.property("it is a boolean table of S + T rows and columns")
def prefix_form(call, draw):
    """Also without patches, and without words."""
    for S, T in ((3, 2), (1, 1), (0, 3), (4, 0)):
        expect.tensor(call(S, T), (S + T, S + T), "bool", f"for S = {S}, T = {T}")


@prefix_mask.property("patches see all patches, and no patch sees a word")
def prefix_patches(call, draw):
    """The upper half; also where there are no words."""
    for S, T in (
        (4, 3),
        (2, 5),
        (3, 0),
        (1, 0),
        (whole_between(draw, 3, 8), whole_between(draw, 2, 6)),
    ):
        seen = f"for S = {S}, T = {T}"
        table = expect.tensor(call(S, T), (S + T, S + T), "bool", seen)
        hidden = S * S - int(table[:S, :S].sum())
        if hidden == S * S:
            raise WrongForm("no patch sees any patch: True means may attend", seen)
        if hidden:
            raise Broken("a patch is hidden from a patch", f"{seen}, {hidden} such pairs")
        leaks = int(table[:S, S:].sum())
        if leaks:
            raise Broken("a patch sees a word", f"{seen}, {leaks} such pairs")


@prefix_mask.property("words see all patches")
def prefix_words_on_patches(call, draw):
    """The lower left."""
    for S, T in ((4, 3), (2, 5), (whole_between(draw, 3, 8), whole_between(draw, 2, 6))):
        seen = f"for S = {S}, T = {T}"
        table = expect.tensor(call(S, T), (S + T, S + T), "bool", seen)
        hidden = S * T - int(table[S:, :S].sum())
        if hidden:
            raise Broken("a patch is hidden from a word", f"{seen}, {hidden} such pairs")


@prefix_mask.property("words see themselves and the words before them, and no later one")
def prefix_words(call, draw):
    """The lower right."""
    for S, T in ((0, 4), (4, 3), (2, 5), (whole_between(draw, 3, 8), whole_between(draw, 2, 6))):
        seen = f"for S = {S}, T = {T}"
        table = expect.tensor(call(S, T), (S + T, S + T), "bool", seen)
        words, right = table[S:, S:], masks.causal(T)
        if (words & ~right).any():
            raise Broken(
                "a word sees a later word", f"{seen}, {int((words & ~right).sum())} such pairs"
            )
        if not words.diagonal().all():
            raise Broken("a word does not see itself", seen)
        if (right & ~words).any():
            raise Broken("a word does not see an earlier word", seen)
