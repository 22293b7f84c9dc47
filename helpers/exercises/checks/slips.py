"""Naming a fault by what it gives on several inputs.

One value can come from several faults. So each known slip is written as a small program, and its
sentence is said only if it gives what the answer gives for every probe.
"""

from collections.abc import Callable, Mapping, Sequence

from helpers.exercises import expect
from helpers.exercises.exercise import Broken
from helpers.exercises.plain import Plain

Slip = Callable[..., Plain]


def slip_of(
    call: Callable[..., Plain],
    probes: Sequence[tuple],
    slips: Mapping[str, Slip],
    same: Callable[[Plain, Plain], bool] = expect.close,
) -> str:
    """Return the sentence of the first slip that agrees with the answer on all probes, or "".

    An answer that raises or gives no plain data on a probe fits no slip.
    """
    try:
        given = [call(*probe) for probe in probes]
    except Broken:
        return ""
    for sentence, slip in slips.items():
        if all(same(got, slip(*probe)) for got, probe in zip(given, probes, strict=True)):
            return sentence
    return ""
