"""Exercise 01.1: bits."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

floor_bits = Exercise(
    "01.1",
    "floor_bits",
    title="Bits",
    minutes=2,
    level="warm-up",
    points=1,
    imports=("math",),
    hints=(
        "How many fair coins decide between sixteen equally likely sentences? And for how many "
        "predicted tokens do these coins have to pay?",
        "A single sentence leaves no choice: its floor is 0. Two sentences of one predicted token "
        "have a floor of exactly 1 bit.",
        "The entropy of n equally likely things is log n, and base 2 gives bits: math.log2. "
        "Divide it by the number of predicted tokens.",
    ),
)


@floor_bits.property("it is a number, and 0 for a language of a single sentence")
def nothing_uncertain(call, draw):
    """One sentence, no choice."""
    for predicted in (2, 5):
        got = expect.number(call(1, predicted), f"for 1 sentence of {predicted} tokens")
        expect.equal(
            got,
            0.0,
            f"for 1 sentence of {predicted} tokens",
            "a language of a single sentence leaves nothing to guess, so its floor is 0",
        )


@floor_bits.property("it is the entropy of a sentence in bits, shared by its predicted tokens")
def entropy_for_each_token(call, draw):
    """Compare, and name the known slips."""
    drawn = torch.randint(3, 100, (3, 2), generator=draw).tolist()
    for n, predicted in ([8, 7], [3, 1], [6, 2], *drawn, [16, 4], [1_000_000, 1], [2, 100]):
        got = expect.number(call(n, predicted))
        bits = math.log2(n)
        expect.equal(
            got,
            bits / predicted,
            f"for {n} sentences of {predicted} predicted tokens",
            known=(
                (math.log(n) / predicted, "this is in nats: a bit is an entropy with base 2"),
                (math.log10(n) / predicted, "this is a logarithm with base 10, not with base 2"),
                (bits, "this is the entropy of a whole sentence, not of one predicted token"),
                (math.log2(n / predicted), "it divides before it takes the logarithm, not after"),
                (
                    bits / (predicted + 1),
                    "it divides by one token too many: <bos> is given, not predicted",
                ),
                (n / predicted, "entropy grows with the logarithm of the number of sentences"),
                (2 ** (bits / predicted), "this is the perplexity; the floor is its logarithm"),
                (math.floor(bits / predicted), "it rounds down to a whole number"),
                (math.ceil(bits) / predicted, "the bits of a sentence are rounded up"),
                (math.floor(bits) / predicted, "what a sentence has beyond whole bits is lost"),
                *(
                    (round(bits / predicted, digits), "the result is rounded to a few digits")
                    for digits in (1, 2, 3, 4)
                ),
                (math.log(n) / 0.693 / predicted, "ln 2 has more digits than 0.693"),
            ),
        )


@floor_bits.property("for very long sentences it is small, and not 0")
def small_floor(call, draw):
    """A floor of less than a millionth, times the tokens that share it."""
    for n, predicted in ((2, 3_000_000), (1_000_000, 10**12)):
        got = expect.number(call(n, predicted))
        expect.equal(
            got * predicted,
            math.log2(n),
            f"for {n} sentences of {predicted} predicted tokens, for all tokens together",
            "a small floor is rounded away",
        )


@floor_bits.property("twice as many sentences cost one more bit a sentence")
def doubling(call, draw):
    """floor_bits(2 n, T) - floor_bits(n, T) is 1 / T."""
    n, predicted = torch.randint(3, 40, (2,), generator=draw).tolist()
    once, twice = (expect.number(call(number, predicted)) for number in (n, 2 * n))
    expect.equal(
        twice - once,
        1 / predicted,
        f"from {n} to {2 * n} sentences of {predicted} predicted tokens, for the rise",
        "doubling the sentences must add 1 / predicted",
    )
