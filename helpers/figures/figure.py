"""A figure that a reader operates: what it shows in every setting, by the course's helpers.

The same definition stands on a page of the book, where every state is worked out beforehand
(helpers/site/figures.py), and in JupyterLab, where each is worked out when it is wanted (live.py).
How it looks is in figures.css.
"""

import html
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product


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
    title: str
    size: tuple[int, int]
    slots: tuple[str, ...]  # "id attribute" of what changes; the attribute "text" is the content
    controls: tuple[Control, ...]
    state: Callable[..., State]  # takes the place of each control's value
    draw: Callable[[tuple[str, ...]], str]

    def first(self) -> State:
        """Return the state that stands there before anyone has set anything."""
        return self.state(*(control.start for control in self.controls))

    def states(self) -> list[State]:
        """Return all states; the last control's value changes fastest."""
        return [
            self.state(*places)
            for places in product(*(range(len(control.values)) for control in self.controls))
        ]

    def svg(self, state: State) -> str:
        """Return the picture of a state as SVG."""
        wide, high = self.size
        return (
            f'<svg class="drawn" viewBox="0 0 {wide} {high}" role="img" '
            f'aria-label="{html.escape(self.title)}">{self.draw(state.values)}</svg>'
        )


def text(x: float, y: float, text: str, anchor: str = "middle", more: str = "") -> str:
    """Return a line of text at a place; anchor: which end of it stands there."""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{more}>{html.escape(text)}</text>'
