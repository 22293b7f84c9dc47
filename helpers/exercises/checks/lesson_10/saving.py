"""Exercise 10.5: when attention takes over."""

import itertools
import math
from fractions import Fraction

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

saving = Exercise(
    "10.5",
    "saving",
    title="When attention takes over",
    minutes=15,
    level="hard",
    points=3,
    imports=(),
    hints=(
        "Write down four counts for one block: rows and pairs, without and with a cache. A row "
        "costs 12 C², a pair 2 C. Why does the number of blocks not matter?",
        "For T = 1 the ratio is 1. For a very wide model it comes close to (T + 1) / 2, for a very "
        "long text close to (2T + 1) / 3. It is a mean of the two, weighted with the cached work: "
        "where do 12 C² · T and 2 C · T (T + 1) / 2 weigh the same?",
        "plain = 12 * C**2 * T * (T + 1) // 2 + 2 * C * (T * (T + 1) * (2 * T + 1) // 6), "
        "cached = 12 * C**2 * T + 2 * C * (T * (T + 1) // 2), then "
        "ratio = Fraction(plain, cached), and its numerator and denominator.",
    ),
)


def work(rows: int, pairs: int, C: int, row: int = 12, pair: int = 2) -> int:
    """Return the multiply-adds of one block."""
    return row * C * C * rows + pair * C * pairs


def counts(T: int) -> tuple[int, int, int, int]:
    """Return rows and pairs without a cache, then with one, counted pass by pass."""
    passes = range(1, T + 1)
    return sum(passes), sum(t * t for t in passes), T, sum(passes)


def ratio(call, T: int, C: int) -> Fraction:
    """Return the fraction of an answer; WrongForm or Broken if it is none."""
    seen = f"for T = {T}, C = {C}"
    top, bottom = expect.wholes(call(T, C), 2, seen)
    if bottom <= 0:
        raise Broken("the denominator must be above 0", f"{seen} it gives {[top, bottom]}")
    return Fraction(top, bottom)


def right_ratio(T: int, C: int) -> Fraction:
    """Return the fraction of the counts."""
    rows, pairs, rows_cached, pairs_cached = counts(T)
    return Fraction(work(rows, pairs, C), work(rows_cached, pairs_cached, C))


def drawn_widths(draw: torch.Generator) -> list[list[int]]:
    """Return pairs of T and C."""
    return torch.randint(2, 60, (4, 2), generator=draw).tolist()


@saving.property("it is a fraction in lowest terms, and [1, 1] for one token")
def saving_form(call, draw):
    """T = 1: nothing to save."""
    for C in (1, 32):
        found = ratio(call, 1, C)
        if found != 1:
            raise Broken("with one token to write there is nothing to save", f"C = {C}: {found}")
    for T, C in ((1, 32), (9, 32), (3, 1)):
        top, bottom = expect.wholes(call(T, C), 2)
        if math.gcd(top, bottom) != 1:
            raise Broken(
                "the fraction is not in lowest terms", f"T = {T}, C = {C}: {[top, bottom]}"
            )


@saving.property("it stays between (T+1)/2 and (2T+1)/3")
def saving_range(call, draw):
    """The two ratios of the table."""
    for T, C in ((2, 1), (9, 32), (500, 4), *drawn_widths(draw)):
        found = ratio(call, T, C)
        low, high = Fraction(T + 1, 2), Fraction(2 * T + 1, 3)
        if not low < found < high:
            fault = "the saving is too small" if found < low else "the saving is too large"
            if found in (low, high):
                fault = "the saving lies on the edge: matrix and attention work both count"
            raise Broken(
                fault,
                f"T = {T}, C = {C}: {float(found):.4g} is not between {float(low):.4g} and "
                f"{float(high):.4g}",
            )


@saving.property("for a longer text than one token, it falls as C grows")
def saving_falls(call, draw):
    """Wider models are nearer to (T+1)/2."""
    for T in (2, 40):
        found = [ratio(call, T, C) for C in (1, 8, 64, 512)]
        if any(a <= b for a, b in itertools.pairwise(found)):
            raise Broken(
                "a wider model does more matrix work for each pair, so it must save less",
                f"T = {T}, C = 1, 8, 64, 512: {show([float(f) for f in found])}",
            )


@saving.property("it is the work without a cache over the work with one")
def saving_values(call, draw):
    """The exact fraction, and the usual slips."""
    for T, C in ((2, 3), (3, 1), (7, 4), (9, 2), *drawn_widths(draw)):
        rows, pairs, _, pairs_cached = counts(T)
        right = right_ratio(T, C)
        visible = sum(t * (t + 1) // 2 for t in range(1, T + 1))

        def slip(row=12, pair=2, pairs=pairs, pairs_cached=pairs_cached, T=T, C=C, rows=rows):
            plain = work(rows, pairs, C, row, pair)
            return Fraction(plain, work(T, pairs_cached, C, row, pair))

        known = (
            (1 / right, "the fraction stands on its head: what is saved is more than 1"),
            (slip(row=4), "a row costs 12 C²: the feed-forward part is missing"),
            (slip(row=8), "a row costs 12 C²: the four C × C projections are missing"),
            (slip(pair=1), "a pair costs 2 C: once for the score, once for the average"),
            (slip(pairs=visible), "without a cache the hidden half of the scores is computed too"),
            (slip(pairs_cached=T * T), "with a cache, query t has t keys, not T"),
            (slip(row=12 * C, pair=2 * C), "a pair costs 2 C, not 2 C²"),
            (
                (Fraction(T + 1, 2) + Fraction(2 * T + 1, 3)) / 2,
                "the two ratios are averaged: their weights are the work, which depends on C",
            ),
        )
        found = ratio(call, T, C)
        if found != right:
            fault = "this is another ratio than that of the counts"
            fault = next((sentence for value, sentence in known if found == value), fault)
            raise Broken(fault, f"for T = {T}, C = {C} it gives {found}, right is {right}")


@saving.property("it is exact for long texts, and reduced by every common factor")
def saving_large(call, draw):
    """Counts beyond what a float holds, and a common factor of 11."""
    for T, C in (
        (10, 11),
        (200_003, 10**9 + 7),
        (302_809, 32),
        (1_000_003, 32),
        (40_009, 4099 * 10**6),
    ):
        above, below = (T + 1) * (18 * C + 2 * T + 1), 3 * (12 * C + T + 1)
        right = Fraction(above, below)
        top, bottom = expect.wholes(call(T, C), 2)
        seen = f"for T = {T}, C = {C} it gives {[top, bottom]}, right is {right}"
        if bottom > 0 and Fraction(top, bottom) != right:
            raise Broken("a large count is rounded: a float does not hold it", seen)
        if [top, bottom] != [right.numerator, right.denominator]:
            raise Broken("the fraction is not reduced by every common factor", seen)


@saving.property("it is exactly halfway for one length, which depends on C")
def saving_halfway(call, draw):
    """At T = 12 C - 1 both kinds of cached work are equal."""
    for C in (1, 4):
        T = 12 * C - 1
        halfway = (Fraction(T + 1, 2) + Fraction(2 * T + 1, 3)) / 2
        found = ratio(call, T, C)
        if found != halfway:
            raise Broken(
                "where both kinds of cached work are equal, it must be halfway between the two",
                f"T = {T}, C = {C}: {found}, right is {halfway}",
            )
