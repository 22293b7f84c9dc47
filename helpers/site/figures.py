"""The figures to operate on a page: by mouse or keyboard, without a kernel.

Every state is worked out when the book is built. The page's script only puts one of these states
in place of another, so it cannot know anything wrong. Where scripts are off, the figure stands
still in its first state. A figure stands where its lesson calls `operate`.
"""

import html
import json
import re

from nbformat import NotebookNode

from helpers.figures.cache import CACHE
from helpers.figures.figure import Control, Figure
from helpers.figures.mask import MASK
from helpers.figures.sampling import SAMPLING

FIGURES = {"MASK": MASK, "SAMPLING": SAMPLING, "CACHE": CACHE}
CALL = re.compile(r"^operate\((\w+)\)", re.MULTILINE)


def page(figure: Figure) -> str:
    """Return a figure for a page, without an empty line, which would end it in Markdown."""
    first = figure.first()
    data = {
        "slots": [slot.split() for slot in figure.slots],
        "states": [[*state.values, state.reading] for state in figure.states()],
    }
    parts = [
        f'<figure class="operable" id="figure-{figure.name}">',
        f"<figcaption>{html.escape(figure.title)}</figcaption>",
        figure.svg(first),
        '<div class="controls" hidden>',
        *(_control(figure.name, place, one) for place, one in enumerate(figure.controls)),
        "</div>",
        f'<p class="reading" role="status">{html.escape(first.reading)}</p>',
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
    shown = html.escape(control.values[control.start])
    return (
        f'<div>{label}<input type="range" id="{id}" min="0" max="{len(control.values) - 1}" '
        f'value="{control.start}" data-names="{names}" aria-valuetext="{shown}">'
        f'<output for="{id}">{shown}</output></div>'
    )


def shown_by(cell: NotebookNode) -> list[str]:
    """Return the names of the figures that a cell shows, as it calls them."""
    return CALL.findall(cell.source) if cell.cell_type == "code" else []


def misplaced(notebooks: dict[str, NotebookNode]) -> list[str]:
    """Return what is wrong with the places of the figures in the lessons {number: notebook}."""
    calls = [
        (number, cell.id, name)
        for number, notebook in notebooks.items()
        for cell in notebook.cells
        for name in shown_by(cell)
    ]
    found = [
        f"lesson {number}, cell {cell}: operate({name}) is no figure that the book knows: add it "
        "to FIGURES in helpers/site/figures.py"
        for number, cell, name in calls
        if name not in FIGURES
    ]
    for name in FIGURES:
        times = sum(name == other for _, _, other in calls)
        if times != 1:
            found.append(
                f"operate({name}) stands in {times} cells of the lessons: one must have it"
            )
    return found
