"""Figures that a reader operates on a page, by mouse or keyboard, without a kernel.

Every state of a figure is worked out here, by the course's own helpers, when the book is built. The
page's script only puts one of these states in place of another, so it cannot know anything wrong.
Where scripts are off, the figure stands still in its first state.
"""

import html
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import torch
from nbformat import NotebookNode

from helpers import masks
from helpers.benchmark.cache_grid import grid_config
from helpers.controls import Controls
from helpers.operations import generation_work


@dataclass(frozen=True)
class Control:
    """One thing to set: its label, and the names of its values in order."""

    label: str
    values: tuple[str, ...]
    start: int  # the value it has at first
    slider: bool = True  # else a list to choose from


@dataclass(frozen=True)
class State:
    """What one setting shows: a value for each slot of the figure, and a sentence that says it."""

    values: tuple[str, ...]
    reading: str


@dataclass(frozen=True)
class Figure:
    """A figure to operate. draw: the values of a state -> the picture, its inner SVG."""

    name: str
    lesson: str
    cell: str  # it follows this cell of that lesson
    title: str
    size: tuple[int, int]
    slots: tuple[str, ...]  # "id attribute" of what changes; the attribute "text" is the content
    controls: tuple[Control, ...]
    state: Callable[..., State]  # takes the place of each control's value
    draw: Callable[[tuple[str, ...]], str]

    def states(self) -> list[State]:
        """Return all states; the last control's value changes fastest."""
        return [
            self.state(*places)
            for places in product(*(range(len(control.values)) for control in self.controls))
        ]

    def html(self) -> str:
        """Return the figure for a page, without an empty line, which would end it in Markdown."""
        first = self.state(*(control.start for control in self.controls))
        wide, high = self.size
        data = {
            "slots": [slot.split() for slot in self.slots],
            "states": [[*state.values, state.reading] for state in self.states()],
        }
        parts = [
            f'<figure class="operable" id="figure-{self.name}">',
            f'<figcaption id="{self.name}-title">{html.escape(self.title)}</figcaption>',
            f'<svg viewBox="0 0 {wide} {high}" role="img" aria-labelledby="{self.name}-title" '
            f'aria-describedby="{self.name}-reading">{self.draw(first.values)}</svg>',
            '<div class="controls" hidden>',
            *(_control(self.name, place, one) for place, one in enumerate(self.controls)),
            "</div>",
            f'<p class="reading" id="{self.name}-reading" role="status">'
            f"{html.escape(first.reading)}</p>",
            f'<script type="application/json">{json.dumps(data, separators=(",", ":"))}</script>',
            "</figure>",
        ]
        return "\n".join(parts)


def _control(name: str, place: int, control: Control) -> str:
    id = f"{name}-control-{place}"
    label = f'<label for="{id}">{html.escape(control.label)}</label>'
    if not control.slider:
        options = "".join(
            f'<option value="{i}"{" selected" * (i == control.start)}>{html.escape(value)}</option>'
            for i, value in enumerate(control.values)
        )
        return f'<div>{label}<select id="{id}">{options}</select></div>'
    names = html.escape(json.dumps(control.values))
    return (
        f'<div>{label}<input type="range" id="{id}" min="0" max="{len(control.values) - 1}" '
        f'value="{control.start}" data-names="{names}" '
        f'aria-valuetext="{control.values[control.start]}">'
        f'<output for="{id}">{control.values[control.start]}</output></div>'
    )


def _text(x: float, y: float, text: str, anchor: str = "middle", more: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{more}>{html.escape(text)}</text>'


# -- temperature and top-p on lesson 08's law

WORDS = "circle plus square star heart moon fish sock".split()
LAW = (0.40, 0.22, 0.12, 0.10, 0.07, 0.05, 0.03, 0.01)
TEMPERATURES = ("0.1", "0.3", "0.5", "0.7", "0.8", "0.9", "1", "1.2", "1.5", "2", "3", "4")
SHARES = ("0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "0.95", "1")


def _sampling_state(temperature: int, share: int) -> State:
    controls = Controls(temperature=float(TEMPERATURES[temperature]), top_p=float(SHARES[share]))
    law = controls.law(torch.tensor(LAW, dtype=torch.float64).log()).tolist()
    kept = [word for word, p in zip(WORDS, law, strict=True) if p > 0]
    entropy = -sum(p * math.log(p) for p in law if p > 0)
    heights = [f"{200 * p:.1f}" for p in law]
    numbers = [f"{p:.2f}" if p > 0 else "out" for p in law]
    count = "all 8 words stay" if len(kept) == 8 else f"{len(kept)} of 8 words stay"
    count = "1 of 8 words stays" if len(kept) == 1 else count
    reading = (
        f"Temperature {TEMPERATURES[temperature]}, top-p {SHARES[share]}: {count}, {WORDS[0]} has "
        f"{law[0]:.2f}, and the average surprise is {abs(entropy):.2f} nats."
    )
    return State((*heights, *numbers), reading)


def _sampling_picture(values: tuple[str, ...]) -> str:
    parts = ['<line class="axis" x1="10" y1="220" x2="410" y2="220"/>']
    for share in (0.5, 1.0):
        y = 220 - 200 * share
        parts.append(f'<line class="grid" x1="10" y1="{y:g}" x2="385" y2="{y:g}"/>')
        parts.append(_text(412, y + 5, f"{share:g}", "end"))
    for i, word in enumerate(WORDS):
        x, before = 35 + 50 * i, 220 - 200 * LAW[i]
        parts += [
            f'<g transform="translate({x - 18} 220) scale(1 -1)"><rect class="fill" '
            f'id="sampling-bar-{i}" width="36" height="{values[i]}"/></g>',
            f'<line class="before" x1="{x - 20}" y1="{before:g}" x2="{x + 20}" y2="{before:g}"/>',
            _text(x, 238, word),
            _text(x, 256, values[8 + i], more=f' class="number" id="sampling-number-{i}"'),
        ]
    legend = "bar: what one samples from; line: the law before"
    return "".join([*parts, _text(210, 278, legend)])


SAMPLING = Figure(
    name="sampling",
    lesson="08",
    cell="what-each-keeps",
    title="Temperature bends the law, then top-p cuts its tail. Set both and watch what is left.",
    size=(420, 288),
    slots=(
        *(f"sampling-bar-{i} height" for i in range(8)),
        *(f"sampling-number-{i} text" for i in range(8)),
    ),
    controls=(
        Control("temperature", TEMPERATURES, TEMPERATURES.index("1")),
        Control("top-p", SHARES, SHARES.index("1")),
    ),
    state=_sampling_state,
    draw=_sampling_picture,
)


# -- a mask, row by row

TOKENS = "<bos> a small circle in the photo".split()
MASKS = {
    "causal": masks.causal(7),
    "window of 3": masks.window(7, width=3),
    "prefix of 3": masks.prefix(torch.tensor([3]), 7)[0, 0],
    "no mask (an encoder)": torch.ones(7, 7, dtype=torch.bool),
}


def _mask_state(kind: int, row: int) -> State:
    name, mask = list(MASKS.items())[kind]
    classes = [
        "later" if t > row else "seen" if mask[t, s] else "hidden"
        for t, s in product(range(7), repeat=2)
    ]
    sees = [TOKENS[s] for s in range(7) if mask[row, s]]
    ahead = int(mask[row, row + 1 :].sum())
    warning = f" {ahead} of them {'lies' if ahead == 1 else 'lie'} in its future." if ahead else ""
    plural = "s" if len(sees) > 1 else ""
    reading = (
        f"Mask: {name}. Row {row + 1} of 7: {TOKENS[row]} may look at {len(sees)} token{plural}: "
        f"{', '.join(sees)}.{warning} Pairs so far: {int(mask[: row + 1].sum())}."
    )
    return State(tuple(classes), reading)


def _mask_picture(values: tuple[str, ...]) -> str:
    parts = [_text(232, 14, "key: who is looked at"), _text(4, 52, "query", "start")]
    for i, token in enumerate(TOKENS):
        parts.append(_text(105 + 42 * i, 38 if i % 2 else 52, token))
        parts.append(_text(76, 83 + 38 * i, token, "end"))
    for place, (t, s) in enumerate(product(range(7), repeat=2)):
        parts.append(
            f'<rect id="mask-cell-{place}" class="{values[place]}" x="{86 + 42 * s}" '
            f'y="{62 + 38 * t}" width="38" height="34" rx="4"/>'
        )
    return "".join(parts)


MASK = Figure(
    name="mask",
    lesson="04",
    cell="more-masks-picture",
    title="A mask, row by row. Each new token adds a row; a filled square says it may look there.",
    size=(390, 334),
    slots=tuple(f"mask-cell-{place} class" for place in range(49)),
    controls=(
        Control("mask", tuple(MASKS), 0, slider=False),
        Control("token", tuple(TOKENS), 3),
    ),
    state=_mask_state,
    draw=_mask_picture,
)


# -- work with and without a cache as the text grows

MOST = 64
WORK = tuple(
    tuple(
        generation_work(grid_config(MOST), new, cached=cached).total for new in range(1, MOST + 1)
    )
    for cached in (False, True)
)
LOWEST, HIGHEST = 4, 8  # powers of ten at the ends of the axis


def _work_at(new: int, work: int) -> tuple[float, float]:
    up = (math.log10(work) - LOWEST) / (HIGHEST - LOWEST)
    return 56 + 330 * (new - 1) / (MOST - 1), 220 - 200 * up


def _cache_state(place: int) -> State:
    without, cached = WORK[0][place], WORK[1][place]
    (x, high), (_, low) = _work_at(place + 1, without), _work_at(place + 1, cached)
    plural = "s" if place else ""
    reading = (
        f"{place + 1} new token{plural}: {without:,} multiply-adds without a cache, {cached:,} "
        f"with one. Without it is {without / cached:.1f} times the work."
    )
    spots = (f"{x:.1f}", f"{x:.1f}", f"{x:.1f}", f"{high:.1f}", f"{x:.1f}", f"{low:.1f}")
    return State(spots, reading)


def _cache_picture(values: tuple[str, ...]) -> str:
    parts = ['<line class="axis" x1="56" y1="220" x2="390" y2="220"/>']
    for power in range(LOWEST, HIGHEST + 1):
        y = 220 - 200 * (power - LOWEST) / (HIGHEST - LOWEST)
        name = {4: "10 k", 5: "100 k", 6: "1 M", 7: "10 M", 8: "100 M"}[power]
        parts.append(f'<line class="grid" x1="56" y1="{y:g}" x2="390" y2="{y:g}"/>')
        parts.append(_text(50, y + 5, name, "end"))
    for new in (1, 16, 32, 48, 64):
        parts.append(_text(_work_at(new, 10**LOWEST)[0], 238, str(new)))
    for name, line in zip(("without", "cached"), WORK, strict=True):
        points = (_work_at(new, work) for new, work in enumerate(line, start=1))
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        parts.append(f'<polyline class="{name}" points="{path}"/>')
    x1, x2, *spots = values
    parts.append(f'<line class="cursor" id="cache-cursor" x1="{x1}" x2="{x2}" y1="20" y2="220"/>')
    for name, x, y in (("without", *spots[:2]), ("cached", *spots[2:])):
        parts.append(f'<circle class="{name}" id="cache-{name}" r="6" cx="{x}" cy="{y}"/>')
    parts += [
        _text(300, 48, "without a cache"),
        _text(320, 160, "with a cache"),
        _text(222, 258, "new tokens"),
        _text(4, 10, "multiply-adds, log axis", "start"),
    ]
    return "".join(parts)


CACHE = Figure(
    name="cache",
    lesson="10",
    cell="work",
    title="Work to write a text, without and with a cache (one block, C = 32). Let the text grow.",
    size=(400, 266),
    slots=(
        "cache-cursor x1",
        "cache-cursor x2",
        *(f"cache-{name} {end}" for name in ("without", "cached") for end in ("cx", "cy")),
    ),
    controls=(Control("new tokens", tuple(str(new) for new in range(1, MOST + 1)), 15),),
    state=_cache_state,
    draw=_cache_picture,
)

FIGURES = (MASK, SAMPLING, CACHE)


def after(lesson: str, cell: str) -> list[str]:
    """Return the figures that follow a cell of a lesson, as HTML."""
    return [figure.html() for figure in FIGURES if (figure.lesson, figure.cell) == (lesson, cell)]


def misplaced(notebooks: dict[str, NotebookNode]) -> list[str]:
    """Return a sentence for each figure whose cell is in none of the lessons {number: notebook}."""
    return [
        f"the figure {figure.name} follows cell {figure.cell!r} of lesson {figure.lesson}, which "
        "is not there: name another one in helpers/site/figures.py"
        for figure in FIGURES
        if figure.lesson not in notebooks
        or figure.cell not in {cell.id for cell in notebooks[figure.lesson].cells}
    ]
