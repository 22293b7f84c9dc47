"""Exercise 22.1: the floor under a step."""

from functools import partial

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

floor_ms = Exercise(
    "22.1",
    "floor_ms",
    title="The floor under a step",
    minutes=6,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "What must be read once for all rows, and what once for every row? In what unit is the "
        "bandwidth, and in what unit are the bits?",
        "Twice the bandwidth halves it. Twice the rows double the cache's share only. Without "
        "earlier tokens the number of rows does not matter.",
        "cache = rows * earlier * 2 * blocks * G * D numbers; the sum of numbers * bits / 8 for "
        "blocks, head and cache is the bytes; 1000 * bytes / bandwidth.",
    ),
)


def drawn(draw: torch.Generator, low: int, high: int) -> int:
    """Return a drawn whole number, both ends included."""
    return int(torch.randint(low, high + 1, (), generator=draw))


def right(
    model: dict, bits: dict, rows: int, earlier: int, bandwidth: float,
    *, sides: int = 2, serve: int = 1, caches: int | None = None, heads: float = 1.0,
) -> float:  # fmt: skip
    """Return the milliseconds; sides, serve and caches are there for known slips."""
    caches = rows if caches is None else caches
    cache = caches * earlier * sides * model["blocks"] * model["G"] * model["D"] * heads
    counts = {"matrices": serve * model["matrices"], "head": serve * model["head"], "cache": cache}
    read = sum(counts[part] * bits[part] / 8 for part in counts)
    return 1000 * read / bandwidth


def model_of(draw: torch.Generator) -> dict:
    """Return a drawn model in which no share is lost beside another."""
    return {
        "blocks": drawn(draw, 3, 40),
        "G": drawn(draw, 2, 9),
        "D": 16 * drawn(draw, 2, 9),
        "matrices": 1000 * drawn(draw, 500, 900),
        "head": 1000 * drawn(draw, 200, 400),
    }


def compare(call, model: dict, bits: dict, rows: int, earlier: int, bandwidth: float) -> None:
    """Compare the milliseconds, and name the known slips."""
    seen = f"for bits {bits}, {rows} rows and {earlier} earlier tokens"
    given = model, bits, rows, earlier, bandwidth
    slip = partial(right, *given)
    wanted = slip()
    other = right(model, bits | {"head": bits["matrices"]}, *given[2:])
    all_alike = right(model, dict.fromkeys(bits, bits["matrices"]), *given[2:])
    expect.equal(
        expect.number(call(*given), seen),
        wanted,
        f"{seen}:",
        "it is not the bytes to read over the bandwidth, in milliseconds",
        known=(
            (8 * wanted, "bits are taken for bytes"),
            (wanted / 1000, "it is in seconds: milliseconds are asked for"),
            (slip(sides=1), "the cache holds keys and values: one of the two is missing"),
            (slip(caches=1), "each row has a cache of its own to read"),
            (slip(serve=rows), "the weights are read for each row: one reading serves all rows"),
            (slip(caches=0), "the cache is left out"),
            (
                right(*given[:3], earlier + 1, bandwidth),
                "the new token's keys and values are written, not read: earlier tokens count",
            ),
            (slip(heads=1 / model["G"]), "each key/value head has keys and values"),
            (slip(heads=1 / model["blocks"]), "each block has a cache"),
            (other, "the head has bits of its own"),
            (all_alike, "head and cache have bits of their own"),
        ),
    )


@floor_ms.property("one row without a past: the weights alone")
def weights_alone(call, draw):
    """No earlier tokens."""
    bits = {"matrices": 4.5, "head": 4.5, "cache": 32}
    compare(call, model_of(draw), bits, 1, 0, 1e7 * drawn(draw, 2, 9))


@floor_ms.property("rows share the weights, and each reads its own cache")
def many_rows(call, draw):
    """Several rows behind some tokens."""
    for bits in ({"matrices": 5, "head": 16, "cache": 32}, {"matrices": 8, "head": 4, "cache": 16}):
        earlier = drawn(draw, 20, 60)
        compare(call, model_of(draw), bits, drawn(draw, 2, 7), earlier, 1e7 * drawn(draw, 2, 9))


@floor_ms.property("parts need not fill whole bytes")
def part_bytes(call, draw):
    """Three weights and one of four bits each: two bytes."""
    model = {"blocks": 1, "G": 1, "D": 1, "matrices": 3, "head": 1}
    got = expect.number(call(model, {"matrices": 4, "head": 4, "cache": 4}, 1, 0, 1))
    fault = "a part's last bits are dropped: bytes are added up first, or not rounded at all"
    expect.equal(got, 2000.0, "for 3 and 1 weights of 4 bits and 1 byte a second:", fault)
