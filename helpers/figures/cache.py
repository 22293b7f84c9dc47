"""The work of writing a text, without and with a cache, as it grows: a figure to operate."""

import math
from functools import cache

from helpers.benchmark.cache_grid import grid_config
from helpers.counting.operations import generation_work
from helpers.figures.figure import Control, Figure, State, text

MOST = 64
LOWEST, HIGHEST = 4, 8  # powers of ten at the ends of the axis
BOTTOM = 230


@cache
def _work(cached: bool) -> list[int]:
    """Return the multiply-adds of writing 1, 2, ... MOST tokens."""
    config = grid_config(MOST)
    return [generation_work(config, new, cached=cached).total for new in range(1, MOST + 1)]


def _work_at(new: int, work: int) -> tuple[float, float]:
    up = (math.log10(work) - LOWEST) / (HIGHEST - LOWEST)
    return 56 + 330 * (new - 1) / (MOST - 1), BOTTOM - 200 * up


def _state(place: int) -> State:
    without, cached = _work(False)[place], _work(True)[place]
    (x, high), (_, low) = _work_at(place + 1, without), _work_at(place + 1, cached)
    plural = "s" if place else ""
    reading = (
        f"{place + 1} new token{plural}: {without:,} multiply-adds without a cache, {cached:,} "
        f"with one. Without it is {without / cached:.1f} times the work."
    )
    spots = (f"{x:.1f}", f"{x:.1f}", f"{x:.1f}", f"{high:.1f}", f"{x:.1f}", f"{low:.1f}")
    return State(spots, reading)


def _picture(values: tuple[str, ...]) -> str:
    parts = [f'<line class="axis" x1="56" y1="{BOTTOM}" x2="390" y2="{BOTTOM}"/>']
    for power in range(LOWEST, HIGHEST + 1):
        y = BOTTOM - 200 * (power - LOWEST) / (HIGHEST - LOWEST)
        name = {4: "10 k", 5: "100 k", 6: "1 M", 7: "10 M", 8: "100 M"}[power]
        parts.append(f'<line class="grid" x1="56" y1="{y:g}" x2="390" y2="{y:g}"/>')
        parts.append(text(50, y + 5, name, "end"))
    for new in (1, 16, 32, 48, 64):
        parts.append(text(_work_at(new, 10**LOWEST)[0], BOTTOM + 18, str(new)))
    for name, cached in (("without", False), ("cached", True)):
        points = (_work_at(new, work) for new, work in enumerate(_work(cached), start=1))
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline class="{name}" points="{path}"/>')
    x1, x2, *spots = values
    parts.append(
        f'<line class="cursor" id="cache-cursor" x1="{x1}" x2="{x2}" y1="{BOTTOM - 200}" '
        f'y2="{BOTTOM}"/>'
    )
    for name, x, y in (("without", *spots[:2]), ("cached", *spots[2:])):
        parts.append(f'<circle class="{name}" id="cache-{name}" r="6" cx="{x}" cy="{y}"/>')
    parts += [
        text(262, 56, "without a cache"),
        text(320, 170, "with a cache"),
        text(222, BOTTOM + 38, "new tokens"),
        text(4, 13, "multiply-adds, log axis", "start"),
    ]
    return "".join(parts)


CACHE = Figure(
    name="cache",
    title="Work to write a text, without and with a cache (one block, C = 32). Let the text grow.",
    size=(400, 276),
    slots=(
        "cache-cursor x1",
        "cache-cursor x2",
        *(f"cache-{name} {end}" for name in ("without", "cached") for end in ("cx", "cy")),
    ),
    controls=(Control("new tokens", tuple(str(new) for new in range(1, MOST + 1)), 15),),
    state=_state,
    draw=_picture,
)
