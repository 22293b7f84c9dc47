"""The figures to operate on the pages of the book."""

import json
import re

import nbformat
import pytest

from helpers.site import figures, lessons, stage

every_figure = pytest.mark.parametrize("figure", figures.FIGURES.values(), ids=figures.FIGURES)


@every_figure
def test_a_figure_stands_still_and_complete_without_its_script(figure):
    page = figures.page(figure)
    assert not re.search(r"\n\s*\n", page), "an empty line ends HTML in Markdown"
    assert 'class="controls" hidden' in page and 'role="status"' in page
    for slot in figure.slots:
        assert f'id="{slot.split()[0]}"' in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    for label in re.findall(r'<label for="([^"]+)"', page):
        assert label in ids
    data = json.loads(re.search(r"<script[^>]*>(.*)</script>", page)[1])
    start = 0
    for control in figure.controls:
        start = start * len(control.values) + control.start
    reading = data["states"][start][-1].replace("<", "&lt;").replace(">", "&gt;")
    assert f">{reading}</p>" in page


@every_figure
def test_a_lesson_shows_the_pages_figure_in_place_of_live_controls_that_need_a_kernel(figure):
    name = figure.name.upper()
    course = lessons.read_all()
    (home,) = [
        one for one in course if any(name in figures.shown_by(cell) for cell in one.notebook.cells)
    ]
    shown, _ = stage.notebook(home, course, [])
    (place,) = [i for i, cell in enumerate(shown.cells) if name in figures.shown_by(cell)]
    assert shown.cells[place + 1].source == figures.page(figure)
    live = "application/vnd.jupyter.widget-view+json"
    kinds = [kind for out in shown.cells[place].outputs for kind in out.get("data", {})]
    assert live not in kinds
    saved = [cell for cell in home.notebook.cells if name in figures.shown_by(cell)]
    assert any(live in output.get("data", {}) for output in saved[0].outputs)


def lesson(*sources):
    cells = [nbformat.v4.new_code_cell(source, id=f"c{i}") for i, source in enumerate(sources)]
    return nbformat.v4.new_notebook(cells=cells)


ALL = [f"x = 1\noperate({name})" for name in figures.FIGURES]


@pytest.mark.parametrize(
    "sources, words",
    [
        (ALL[1:], "operate(MASK) stands in 0 cells"),
        ([*ALL, ALL[-1]], "operate(CACHE) stands in 2 cells"),
        ([*ALL, "operate(NEW)"], "lesson 04, cell c3: operate(NEW) is no figure"),
    ],
)
def test_a_figure_that_is_lost_twice_there_or_unknown_is_named(sources, words):
    assert figures.misplaced({"04": lesson(*ALL)}) == []
    (sentence,) = figures.misplaced({"04": lesson(*sources)})
    assert words in sentence
