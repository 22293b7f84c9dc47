"""A figure to operate in JupyterLab: each state is worked out by the kernel when it is wanted."""

import html
from pathlib import Path

from IPython.display import display
from ipywidgets import HTML, Dropdown, Layout, SelectionSlider, VBox

from helpers.figures.figure import Control, Figure

LOOK = Path(__file__).with_name("figures.css")
WIDTH = "34rem"


def operate(figure: Figure) -> None:
    """Show a figure with live controls; what it says at first stands there where nothing runs."""
    picture, reading = HTML(), HTML()
    knobs = [_knob(control) for control in figure.controls]

    def show(_: object = None) -> None:
        state = figure.state(*(knob.index for knob in knobs))
        picture.value = figure.svg(state)
        reading.value = f'<p class="reading" role="status">{html.escape(state.reading)}</p>'

    for knob in knobs:
        knob.observe(show, "index")
    show()
    title = HTML(
        f"<style>{LOOK.read_text(encoding='utf-8')}</style><b>{html.escape(figure.title)}</b>"
    )
    box = VBox([title, picture, *knobs, reading], layout=Layout(max_width=WIDTH))
    box.add_class("operable")
    still = f"{figure.first().reading}\n(Here stand controls while the lesson runs.)"
    display(box._repr_mimebundle_() | {"text/plain": still}, raw=True)


def _knob(control: Control) -> SelectionSlider | Dropdown:
    kind = SelectionSlider if control.slider else Dropdown
    return kind(
        options=control.values,
        index=control.start,
        description=control.label,
        style={"description_width": "6.5rem"},
        layout=Layout(width="100%"),
    )
