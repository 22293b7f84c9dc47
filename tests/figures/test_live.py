"""In JupyterLab a figure shows the states of its definition, and nothing else."""

import re

import ipywidgets
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.figures import live, plots
from helpers.figures.cache import CACHE
from helpers.figures.mask import MASK
from helpers.figures.sampling import SAMPLING
from tests.tiers import examples

every_figure = pytest.mark.parametrize(
    "figure", (MASK, SAMPLING, CACHE), ids=lambda figure: figure.name
)


@pytest.fixture
def shown(monkeypatch):
    """A function that operates a figure: it returns what is displayed, and the widget in it."""

    def run(figure):
        displayed = []
        monkeypatch.setattr(live, "display", lambda data, raw: displayed.append(data))
        live.operate(figure)
        (data,) = displayed
        view = data["application/vnd.jupyter.widget-view+json"]
        return data, ipywidgets.widgets.widget._instances[view["model_id"]]

    return run


@every_figure
@examples(20, deadline=None)
@given(data=st.data())
def test_the_controls_lead_to_the_states_of_the_definition(figure, data):
    with pytest.MonkeyPatch.context() as patch:
        boxes = []
        patch.setattr(live, "display", lambda shown, raw: None)
        patch.setattr(live, "VBox", lambda parts, **more: boxes.append(parts) or ipywidgets.VBox())
        live.operate(figure)
    ((_, picture, *knobs, reading),) = boxes
    places = [control.start for control in figure.controls]
    for _ in range(4):
        state = figure.state(*places)
        assert picture.value == figure.svg(state)
        said = reading.value.replace("&lt;", "<").replace("&gt;", ">")
        assert said == f'<p class="reading" role="status">{state.reading}</p>'
        one = data.draw(st.integers(0, len(knobs) - 1))
        places[one] = data.draw(st.integers(0, len(figure.controls[one].values) - 1))
        knobs[one].index = places[one]


@every_figure
def test_labels_values_and_kinds_of_the_controls_are_those_of_the_definition(figure, shown):
    _, box = shown(figure)
    _, _, *knobs, _ = box.children
    for knob, control in zip(knobs, figure.controls, strict=True):
        assert (knob.description, knob.options) == (control.label, control.values)
        assert knob.index == control.start
        assert isinstance(knob, ipywidgets.SelectionSlider) == control.slider


@every_figure
def test_where_nothing_runs_the_first_reading_stands_there(figure, shown):
    data, _ = shown(figure)
    assert data["text/plain"].startswith(f"{figure.first().reading}\n")
    assert "VBox" not in data["text/plain"], "the widget's own text differs between versions"


def test_the_look_comes_along_and_has_the_pictures_colours(shown):
    _, box = shown(SAMPLING)
    css = live.LOOK.read_text(encoding="utf-8")
    assert f"<style>{css}</style>" in box.children[0].value
    assert f"--drawn-blue: {plots.BLUE.lower()}" in css
    # JupyterLab's own drawings keep their look: each rule names ours, or only sets a colour's name
    for selector in re.findall(r"([^{}]+){", re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)):
        for one in selector.split(","):
            assert re.match(r"\.drawn|:root|html\[data-theme|\[data-jp-theme", one.strip()), one
