"""Exercise 06.5: convict from a table."""

import math

import torch
import torch.nn.functional as F

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

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
    first = logits.clone()
    first[:, -1] = 20.0 * F.one_hot(tokens[:, 0], V)
    named(
        call(first, tokens),
        [],
        "for logits that know the first token at the last position",
        "a position is accused of something else than knowing the next token",
        known=(
            ([T - 1], "the last position is compared with the first token: it has no next one"),
        ),
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
    logits, tokens = torch.zeros(100, 3, 8), torch.randint(8, (100, 3), generator=draw)
    logits[:, 0] = 120.0 * F.one_hot(tokens[:, 1], 8)
    logits[0, 0] = -110.0 * F.one_hot(tokens[0, 1], 8)
    named(
        call(logits, tokens),
        [0],
        "where 99 rows of 100 know the next token and one holds it for all but impossible",
        "a mean of 1.1 nats is below the bound",
        known=(([], "a probability that rounds to 0 makes the mean infinite: take log_softmax"),),
    )
    logits, tokens = torch.zeros(100, 3, 5), torch.randint(5, (100, 3), generator=draw)
    following = F.one_hot(tokens[:, 1], 5).float()
    logits[:60, 0], logits[60:, 0] = 100 * following[:60], -10 * following[60:]
    named(
        call(logits, tokens),
        [],
        "where 60 rows of 100 know the next token and the others are sure that it is another one",
        "many rows convict a position whose mean is honest: it is the mean that counts",
        known=(([0], "most rows convict a position: take the mean, not the median"),),
    )
