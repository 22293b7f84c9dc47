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
TYPES = {8: torch.bfloat16, 11: torch.float16}


def right(position: int, bits: int) -> int:
    """Return how far the rounded position is from the true one."""
    step = 2 ** max(0, position.bit_length() - bits)
    return abs(round(position / step) * step - position)


def slips(position: int, bits: int) -> tuple[int, ...]:
    """Return what known faults give: cut off, rounded up, one bit more, the most."""
    step = 2 ** max(0, position.bit_length() - bits)
    return position % step, -position % step, right(position, bits + 1), step // 2


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


@lost_steps.property("what can be held is off by 0")
def lost_none(call, draw):
    """Up to 2 ** bits, and powers of two beyond."""
    for bits in (8, 11, 3):
        small = range(2**bits + 1) if bits == 3 else (0, 1, 2, 2**bits - 1, 2**bits)
        for position in (*small, 2 ** (bits + 1), 2 ** (bits + 4)):
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
    for bits in (8, 11, 5):
        for position in sorted(places, key=lambda place: -apart(place, bits)):
            exact = right(position, bits)
            if bits in TYPES:  # torch holds it in this type, and says where it went
                held = torch.tensor(float(position)).to(TYPES[bits]).double()
                exact = round(abs(float(held) - position))
            sentences = (
                "it is cut off: the nearest may lie above",
                "it is always rounded up",
                "one bit too many: the first 1 counts among them",
                "that is the most it can be off, not what this position is",
            )
            expect.equal(
                of(call, position, bits),
                exact,
                f"for position {position} and {bits} bits",
                "it is another distance than to the nearest number that can be held",
                known=list(zip(slips(position, bits), sentences, strict=True)),
                tolerance=0,
            )
