"""The whole book: built from the saved outputs, and refused where something leads nowhere."""

import json
import shutil
from pathlib import Path

import nbformat
import pytest

from helpers.site import build, faults

ROOT = Path(__file__).resolve().parent.parent.parent


def test_the_book_has_a_page_for_everything_the_lessons_as_they_are_and_a_search(tmp_path):
    site = build.build(ROOT, tmp_path / "a built book")
    names = {path.stem for path in site.glob("*.html")}
    assert {path.stem for path in (ROOT / "lessons").glob("*.ipynb")} <= names
    assert {"index", "figures", "exercises", "glossary", "references", "instructor"} <= names
    for path in (ROOT / "lessons").glob("*.ipynb"):
        (copy,) = site.glob(f"_downloads/*/{path.name}")
        assert copy.read_bytes() == path.read_bytes()

    text = (site / "searchindex.js").read_text(encoding="utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").removesuffix(")"))

    def pages(term):  # a word's stem -> the pages that hold it
        found = index["terms"].get(term, [])
        return {index["docnames"][i] for i in (found if type(found) is list else [found])}

    assert "08_sampling_controls" in pages("nucleus")
    notebook = nbformat.read(ROOT / "lessons/07_decoding.ipynb", as_version=4)
    assert all("exceed" not in cell.source for cell in notebook.cells)
    assert "07_decoding" in pages("exceed"), "it stands in an output of the lesson only"


def test_dead_links_and_anchors_stop_sphinx(tmp_path):
    root = tmp_path / "course"
    shutil.copytree(ROOT / "lessons", root / "lessons")
    shutil.copy(ROOT / "README.md", root)
    with (root / "lessons/questions.md").open("a", encoding="utf-8") as file:
        file.write(
            "\n[a](98_gone.ipynb) [b](04_masks.ipynb#no-such-heading) {ref}`no-such-label`\n"
        )
    with pytest.raises(build.BookFault) as caught:
        build.build(root, tmp_path / "built")
    text = str(caught.value)
    for words in ("98_gone.ipynb", "no-such-heading", "no-such-label"):
        assert words in text
    assert str(tmp_path) not in text
    assert not (tmp_path / "built/site").exists()


@pytest.mark.parametrize(
    "markup, words",
    [
        ('<script src="https://example.org/a.js"></script>', "asks for https://example.org/a.js"),
        ('<link rel="stylesheet" href="//example.org/a.css">', "asks for //example.org/a.css"),
        ('<img alt="a" src="http://example.org/a.png">', "asks for http://example.org/a.png"),
        ('<img alt="a" srcset="http://example.org/a.png">', "asks for http://example.org/a.png"),
        ("<style>@import 'https://example.org/a.css';</style>", "asks for https://example.org"),
        ('<p style="background: url(https://example.org/a)">', "asks for https://example.org/a"),
        ('<a href="gone.html">x</a>', "gone.html leads to no file"),
        ('<a href="other.html#gone">x</a>', "other.html#gone leads to no heading"),
        ('<a href="#gone">x</a>', "#gone leads to no heading"),
        ('<a href="/">x</a>', "/ works only at the root"),
        ('<p id="a"><p id="a">', "two places have the anchor a"),
        ('<img src="other.html">', "a picture without its text"),
        ('<img src="gone.png" alt="a">', "gone.png leads to no file"),
    ],
)
def test_a_fault_in_a_built_page_is_found(tmp_path, markup, words):
    (tmp_path / "other.html").write_text('<p id="there">')
    (tmp_path / "page.html").write_text(markup)
    (sentence,) = faults.in_site(tmp_path)
    assert sentence.startswith("page.html: ") and words in sentence


@pytest.mark.parametrize(
    "css", ["@import 'https://example.org/a';", 'a { b: url( "https://example.org/a" ) }']
)
def test_a_style_sheet_that_asks_outside_is_found(tmp_path, css):
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static/a.css").write_text(f"/* url(https://example.org/ok) */ {css}")
    assert faults.in_site(tmp_path) == ["_static/a.css: asks for https://example.org/a"]


def test_what_a_reader_may_click_is_no_request(tmp_path):
    (tmp_path / "page.html").write_text('<a href="https://example.org">x</a><a href="#">y</a>')
    assert faults.in_site(tmp_path) == []
