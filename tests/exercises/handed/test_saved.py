"""Reading saved notebooks and documents: every form, marks of other systems, and what is none."""

import json
import os

import nbformat
import pytest

from helpers.exercises.handed import saved
from helpers.exercises.handed.saved import Cell
from tests.notebooks import code, write

TWICE = "def twice(x):\n    return 2 * x  # →日本😀"


def marked(source, exercise):
    made = code(source)
    made.metadata["exercise"] = exercise
    return made


def read(path):
    return saved.read(saved.content(path, own=True))


def cells(path):
    """Return the code cells of a notebook that tests.notebooks.write has given a title."""
    return [cell._replace(place=cell.place - 1) for cell in read(path).cells]


def test_code_cells_are_read_with_number_and_place_and_others_are_not(tmp_path):
    mixed = [
        nbformat.v4.new_markdown_cell("def twice(x): pass"),
        code("x = 1"),
        nbformat.v4.new_raw_cell("def twice(x): pass"),
        marked(TWICE, "03.1"),
    ]
    assert cells(write(tmp_path / "a.ipynb", *mixed)) == [
        Cell(None, "x = 1", 2),
        Cell("03.1", TWICE, 4),
    ]


@pytest.mark.parametrize("metadata", [["03.1"], {"a": 1}, 3.1, None, True])
def test_a_number_that_is_no_text_counts_as_lost(tmp_path, metadata):
    path = write(tmp_path / "a.ipynb", marked(TWICE, metadata))
    assert cells(path) == [Cell(None, TWICE, 1)]


@pytest.mark.parametrize("course", [[1], "x", 5, None, {"version": [1]}, {}])
def test_odd_metadata_of_the_course_is_no_version(tmp_path, course):
    path = write(tmp_path / "a.ipynb", code("x = 1"))
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["metadata"] = {"course": course}
    path.write_text(json.dumps(notebook), encoding="utf-8")
    assert read(path).version == ""
    path.write_text(json.dumps(notebook | {"metadata": [1]}), encoding="utf-8")
    assert read(path).version == ""
    notebook["metadata"] = {"course": {"version": "abc"}}
    path.write_text(json.dumps(notebook), encoding="utf-8")
    assert read(path).version == "abc"


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
    ],
    ids=["BOM", "CRLF", "both"],
)
def test_marks_of_other_systems_are_read(tmp_path, change):
    """C83."""
    path = write(tmp_path / "a.ipynb", marked(TWICE, "03.1"))
    path.write_bytes(change(path.read_bytes()))
    assert cells(path) == [Cell("03.1", TWICE, 1)]


def test_lines_that_end_in_crlf_are_read_as_lines(tmp_path):
    """C83."""
    path = write(tmp_path / "a.ipynb", code(TWICE.replace("\n", "\r\n")))
    assert cells(path) == [Cell(None, TWICE, 1)]


def test_half_a_sign_is_read_as_a_mark_and_a_whole_one_in_two_halves_as_itself():
    """JSON can name it, no file can hold it: what writes the answer down must not fail."""
    text = '{"answers": {"03.1": "a = \'\\ud800\'", "03.2": "\\ud83d\\ude00 \\udc00"}}'
    found = [cell.source for cell in saved.read(text.encode()).cells]
    assert found == ["a = '\ufffd'", "😀 \ufffd"]


@pytest.mark.parametrize(
    "data, words",
    [
        (b"", "it is no JSON document"),
        (b"no notebook", "it is no JSON document"),
        (b"\xff\xfe\x00", "it is no JSON document"),
        (b"PK\x03\x04", "it is no JSON document"),
        (b"[" * 100_000, "it is no JSON document"),
        (b"{}", "neither a notebook nor"),
        (b"[1, 2]", "neither a notebook nor"),
        (b"null", "neither a notebook nor"),
        (b'{"cells": 5}', "neither a notebook nor"),
        (b'{"answers": {}, "format": 2}', "another version of the course"),
    ],
)
def test_a_file_that_is_no_notebook_is_one_sentence(data, words):
    with pytest.raises(saved.Unreadable, match=words):
        saved.read(data)


@pytest.mark.parametrize(
    "cells", [[5], [None], [{}], [{"cell_type": "code"}], [{"cell_type": "code", "source": 1}]]
)
def test_what_is_no_cell_is_passed_over(cells):
    text = json.dumps({"cells": [*cells, {"cell_type": "code", "source": ["x = ", 5, "1"]}]})
    assert saved.read(text.encode()).cells == [Cell(None, "x = 1", 2)]


def test_a_notebook_of_an_older_format_is_read(tmp_path):
    cell = {"cell_type": "code", "input": TWICE, "language": "python", "outputs": []}
    sheet = {"cells": [cell | {"metadata": {}}], "metadata": {}}
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [sheet, 5, {}]}
    assert saved.read(json.dumps(old).encode()).cells == [Cell(None, TWICE, 1)]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes in folders")
def test_a_pipe_a_device_and_a_folder_are_told_from_a_file_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe.ipynb")
    for path in (tmp_path / "pipe.ipynb", "/dev/null"):
        for own in (False, True):
            with pytest.raises(saved.Unreadable, match="it is no file"):
                saved.content(path, own)
    with pytest.raises(OSError):
        saved.content(tmp_path)


def test_ones_own_file_may_be_a_link_and_large_and_a_strangers_may_not(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_bytes(b" " * (saved.LARGEST + 1))
    assert len(saved.content(path, own=True)) == saved.LARGEST + 1
    with pytest.raises(saved.Unreadable, match="larger than 5 MB"):
        saved.content(path)
    (tmp_path / "small").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "small")
    assert saved.content(tmp_path / "link", own=True) == b"x"
    with pytest.raises(OSError):
        saved.content(tmp_path / "link")


def test_d18_what_systems_leave_beside_notebooks_is_passed_over(tmp_path):
    names = ["b.ipynb", "._b.ipynb", "A.IPYNB", "a.ipynb.old", ".ipynb_checkpoints", "notes.txt"]
    for name in names:
        (tmp_path / name).write_text("")
    assert [path.name for path in saved.notebooks(tmp_path)] == ["A.IPYNB", "b.ipynb"]
    assert saved.notebooks(tmp_path / "none") == []


def test_the_functions_of_a_lesson_are_those_defined_last_in_the_cells_with_numbers():
    cells = [
        Cell("03.1", "def help(x): ...\n\n\ndef twice(x): ...", 1),
        Cell("03.1", "print('an empty half')", 2),
        Cell("03.2", "x = 1", 3),
        Cell(None, "def other(x): ...", 4),
    ]
    assert saved.functions(cells) == {"03.1": "twice", "03.2": ""}
