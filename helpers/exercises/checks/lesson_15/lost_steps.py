"""Exercise 15.3: where a position goes when it is rounded."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

lost_steps = Exercise(
    "15.3",
    "lost_steps",
    title="How far off is the clock?",
    minutes=10,
    level="medium",
    points=2,
    imports=(),
    seconds=5,
    hints=(
        "With 8 bits all whole numbers up to 256 can be held. What is the distance between those "
        "that can be held from 256 to 512, and from 512 to 1024?",
        "With 8 bits: 257 is off by 1 (a tie: 256 has the even neighbour), 258 by 0, 259 by 1, "
        "513 by 1 and 514 by 2. With 11 bits everything up to 2048 is off by 0.",
        "step = 2 ** max(0, position.bit_length() - bits). Python's round() takes ties to the even "
        "number, so the position held is round(position / step) * step.",
    ),
)
TYPES = {8: torch.bfloat16, 11: torch.float16, 24: torch.float32}
LARGEST = {8: 10**8, 11: 65_504, 24: 10**8}  # beyond 65,504 torch's float16 is infinite


def right(position: int, bits: int) -> int:
    """Return how far the rounded position is from the true one."""
    step = 2 ** max(0, position.bit_length() - bits)
    return abs(round(position / step) * step - position)


def slips(position: int, bits: int) -> tuple[int, ...]:
    """Return what known faults give, in the order of SENTENCES."""
    step = 2 ** max(0, position.bit_length() - bits)
    even = max(-(-position // 2**bits), 1)  # a gap that grows with every 2 ** bits
    return (
        position % step,
        -position % step,
        right(position, bits + 1),
        step // 2,
        min(position % even, -position % even),
        position - 65_504,
    )


SENTENCES = (
    "it is cut off: the nearest may lie above",
    "it is always rounded up",
    "one bit too many: the first 1 counts among them",
    "that is the most it can be off, not what this position is",
    "the gap grows evenly: it doubles at each power of two",
    "only the count of digits matters: no place is too large",
)


def apart(position: int, bits: int) -> int:
    """Return how many different numbers the right answer and the slips are."""
    return len({right(position, bits), *slips(position, bits)})


def of(call, position: int, bits: int) -> int:
    """Return the answer's whole number."""
    seen = f"for position {position} and {bits} bits"
    got = expect.whole(call(position, bits), seen)
    if got < 0:
        raise Broken("it returned a distance below 0", seen)
    return got


def compare(call, position: int, bits: int) -> None:
    """Raise Broken unless the position is as far off as it is; slips by name."""
    exact = right(position, bits)
    if bits in TYPES and position <= LARGEST[bits]:  # torch holds it in this type
        held = torch.tensor(position, dtype=torch.float64).to(TYPES[bits]).double()
        exact = round(abs(float(held) - position))
    expect.equal(
        of(call, position, bits),
        exact,
        f"for position {position} and {bits} bits",
        "it is another distance than to the nearest number that can be held",
        known=list(zip(slips(position, bits), SENTENCES, strict=True)),
        tolerance=0,
    )


@lost_steps.property("what can be held is off by 0")
def lost_none(call, draw):
    """Up to 2 ** bits, and powers of two beyond."""
    for bits in (8, 11, 3, 1, 24):
        small = range(2**bits + 1) if bits <= 3 else (0, 1, 2, 2**bits - 1, 2**bits)
        for position in (*small, 2 ** (bits + 1), 2 ** min(bits + 4, 26)):
            seen = f"for position {position} and {bits} bits"
            expect.equal(
                of(call, position, bits), 0, seen, "a position that can be held is off", tolerance=0
            )


@lost_steps.property("it goes to the nearest that can be held, in a tie to the even one")
def lost_nearest(call, draw):
    """Against torch's own 16-bit numbers, and for other bits."""
    drawn = torch.randint(300, 60_000, (40,), generator=draw).tolist()
    # a tie that goes down, one that goes up, and places between
    places = (257, 259, 2049, 2051, 4099, 8191, 514, 518, 1023, *drawn)
    for bits in (8, 11, 5, 2, 1):
        some = places if bits > 2 else places[:12]
        for position in sorted(some, key=lambda place: -apart(place, bits)):
            compare(call, position, bits)


@lost_steps.property("it holds for every place up to 100 million")
def lost_large(call, draw):
    """Beyond the largest float16, and where float32 begins to lose steps."""
    drawn = torch.randint(66_000, 2**20, (6,), generator=draw).tolist()
    for position in (70_000, 65_505, 65_535, 65_519, *drawn):
        compare(call, position, 11)
    for position in (2**24 + 1, 2**24 + 3, 99_999_999, *(place + 2**25 for place in drawn)):
        compare(call, position, 24)
    compare(call, 99_999_999, 8)
    compare(call, 1_000_000 + drawn[0], 8)
