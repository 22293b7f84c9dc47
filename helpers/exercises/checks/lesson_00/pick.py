"""Exercise 00.2: the strip."""

from helpers.exercises import expect
from helpers.exercises.checks.lesson_00.shared import drawn_law, right_piece
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

pick = Exercise(
    "00.2",
    "pick",
    title="The strip",
    minutes=5,
    level="medium",
    points=2,
    hints=(
        "Lay the pieces side by side. Where does the first one end, where the second?",
        "Add the probabilities up from the left, and stop at the first sum that is greater than "
        "the spot. Greater, not greater or equal: for [0, 0.5, 0.5] and spot 0 that is index 1.",
        "end = 0, then for each index: end += law[index], and return the index if spot < end. If "
        "no sum was greater, go through the indices from the right and return the first one whose "
        "probability is above 0.",
    ),
)


def picked(call, law: list[float], spot: float) -> int:
    """Return the answer's index, and see that there is such a word."""
    given = f"for law = {show(law)}, spot = {spot:g}"
    index = expect.whole(call(law, spot), given)
    if not 0 <= index < len(law):
        raise Broken("it returned an index that the law does not have", f"{given}: {index}")
    return index


@pick.property("it returns the index of a word")
def an_index(call, draw):
    """Form."""
    for law, spot in (([1.0], 0.0), ([0.5, 0.5], 0.25), ([0.25, 0.25, 0.5], 0.9)):
        picked(call, law, spot)


@pick.property("over evenly spaced spots each word comes up as often as its probability says")
def in_proportion(call, draw):
    """Sixteen spots over fixed laws, 64 over a drawn one."""
    for law, n in (([0.25, 0.5, 0.25], 16), ([0.125, 0.125, 0.75], 16), (drawn_law(draw, 4), 64)):
        spots = [(k + 0.5) / n for k in range(n)]
        got = [picked(call, law, spot) for spot in spots]
        counts = [got.count(index) for index in range(len(law))]
        wanted = [round(share * n) for share in law]
        known = (
            (
                [n * (index == law.index(max(law))) for index in range(len(law))],
                "it returns the likeliest word every time: a draw gives the others too",
            ),
        )
        expect.equal(
            counts,
            wanted,
            f"{n} spots over law = {show(law)}, how often each word comes up:",
            "some words come up too often and others too seldom",
            known,
        )


@pick.property("the pieces lie from left to right, in the order of the words")
def left_to_right(call, draw):
    """Single spots in the middle of pieces."""
    cases = [([0.5, 0.25, 0.25], spot) for spot in (0.1, 0.6, 0.9)]
    law = drawn_law(draw, 5)
    cases += [(law, k / 64 + 1 / 128) for k in range(0, 64, 5)]
    got = [picked(call, law, spot) for law, spot in cases]
    right = [right_piece(law, spot) for law, spot in cases]
    mirrored = [len(law) - 1 - right_piece(law[::-1], spot) for law, spot in cases]
    if got == mirrored:
        raise Broken("the pieces lie from right to left", f"for {show(cases[0][0])}, spot = 0.1")
    for (law, spot), index, wanted in zip(cases, got, right, strict=True):
        given = f"for law = {show(law)}, spot = {spot:g}:"
        expect.equal(index, wanted, given, "the spot lies on another piece")


@pick.property("a piece is as wide as its probability, however small that is")
def any_width(call, draw):
    """Thin pieces, many of them, and one that fills the strip."""
    rounded = "a thin piece has another width than its probability: is something rounded?"
    many = "of 300 equally likely words it picks another one than the spot falls on"
    tiny = "a word of tiny probability is passed over, though the spot lies where it begins"
    whole = "a word with the whole strip does not get every spot"
    cases = [([0.5, 0.004, 0.496], 0.502, rounded), ([1e-12, 1 - 1e-12], 0.0, tiny)]
    cases += [([1 / 300] * 300, place / 300 + 1 / 600, many) for place in (0, 150, 299)]
    for law, spot, fault in [*cases, ([1.0], 0.999999, whole)]:
        given = f"for law = {show(law)}, spot = {spot:g}:"
        expect.equal(picked(call, law, spot), right_piece(law, spot), given, fault)


@pick.property("a spot on a cut belongs to the piece that begins there")
def on_a_cut(call, draw):
    """Spots on the cuts exactly."""
    cases = [([0.5, 0.5], 0.5), ([0.25, 0.25, 0.5], 0.25), ([0.25, 0.25, 0.5], 0.5)]
    cases.append(([0.25, 0.734375], 0.25))  # the cut stays, whatever the law sums to
    got = [picked(call, law, spot) for law, spot in cases]
    right = [right_piece(law, spot) for law, spot in cases]
    fault = "a spot on a cut lies on another piece"
    if got == [index - 1 for index in right]:
        fault = (
            "a spot on a cut gets the piece that ends there: a sum must be greater than the spot"
        )
    for (law, spot), index, wanted in zip(cases, got, right, strict=True):
        expect.equal(index, wanted, f"for law = {show(law)}, spot = {spot:g}:", fault)


@pick.property("a word with probability 0 is never picked, not even for spot 0")
def never_zero(call, draw):
    """Zeros in front, in the middle and at the end."""
    for law, spot in (
        ([0.0, 0.5, 0.5], 0.0),
        ([0.0, 0.0, 1.0], 0.0),
        ([0.5, 0.0, 0.5], 0.5),
        ([0.5, 0.5, 0.0], 0.984375),
    ):
        index = picked(call, law, spot)
        given = f"for law = {show(law)}, spot = {spot:g}: it picks word {index}"
        if law[index] == 0:
            raise Broken("a word with probability 0 is picked", given)


@pick.property("where the sum is a little under 1, the last possible word takes the rest")
def little_under_one(call, draw):
    """Spots beyond the last sum."""
    laws = [[0.25, 0.734375], [0.5, 0.484375, 0.0], [0.25, 0.25, 0.484375, 0.0, 0.0]]
    laws += [[0.734375, 0.25], [0.0, 0.71875, 0.265625, 0.0]]  # the last is not the likeliest
    spot = 0.9921875
    got = []
    for law in laws:
        if call.error(law, spot):
            raise Broken(
                "it raises an exception where the sum is a little under 1",
                f"for law = {show(law)}, spot = {spot}",
            )
        got.append(picked(call, law, spot))
    fault = "a spot beyond the last sum gets another word"
    if got == [0] * len(laws) and picked(call, laws[0], 0.9) == 1:
        fault = "a spot beyond the last sum gets the first word: it lies at the other end"
    elif any(law[index] == 0 for law, index in zip(laws, got, strict=True)):
        fault = "a spot beyond the last sum gets a word that cannot come"
    elif got == [law.index(max(law)) for law in laws]:
        fault = "a spot beyond the last sum gets the likeliest word: it lies at the right end"
    for law, index in zip(laws, got, strict=True):
        right = right_piece(law, spot)
        expect.equal(index, right, f"for law = {show(law)}, spot = {spot}:", fault)
    for law in laws[:2]:
        fault = "a spot just where the sum of all ends gets another word than the last possible one"
        given = f"for law = {show(law)}, spot = {sum(law)}:"
        expect.equal(picked(call, law, sum(law)), right_piece(law, sum(law)), given, fault)
