"""A learner's copies: renewed when the lesson is, and no answer is lost on the way."""

import json
import os

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from helpers.exercises import copies

STUB = 'def double(x):\n    """Return twice x."""\n    ...\n'
ANSWER = "def double(x):\n    return x + x  # あ →\n"


@pytest.fixture
def folders(tmp_path):
    lessons, work = tmp_path / "lessons", tmp_path / "work"
    lessons.mkdir()
    return lessons, work


def lesson(folder, text="# A lesson", stubs=(("01.1", STUB),), name="01_a.ipynb"):
    """Write a lesson with a title and, for each stub, its cell and the check below."""
    cells = [new_markdown_cell(text, id="title")]
    for exercise, source in stubs:
        dashed = exercise.replace(".", "-")
        stub = new_code_cell(source, id=f"answer-{dashed}")
        stub.metadata.update(tags=["exercise"], exercise=exercise)
        cells += [stub, new_code_cell(f'check("{exercise}", double)', id=f"check-{dashed}")]
    nbformat.write(new_notebook(cells=cells), folder / name)


def edit(path, change):
    notebook = nbformat.read(path, as_version=4)
    change(notebook)
    nbformat.write(notebook, path)


def answer(source=ANSWER, place=1):
    def change(notebook):
        notebook.cells[place].source = source

    return change


def sources(path):
    return [cell.source for cell in nbformat.read(path, as_version=4).cells]


def test_copies_are_made_once_and_then_left_alone(folders):
    lessons, work = folders
    lesson(lessons)
    assert copies.bring(lessons, work) == []
    edit(work / "01_a.ipynb", answer())
    before = (work / "01_a.ipynb").read_bytes()
    assert copies.bring(lessons, work) == []
    assert (work / "01_a.ipynb").read_bytes() == before
    assert os.listdir(work) == ["01_a.ipynb"]


def test_what_is_no_lesson_is_named_and_not_copied_and_the_others_are(folders):
    lessons, work = folders
    lesson(lessons)
    lesson(lessons, name="01a_b.ipynb")
    lesson(lessons, name="01 copy.ipynb")
    (line,) = copies.bring(lessons, work)
    assert line.startswith("'01 copy.ipynb' in lessons/ is no lesson's name: rename it")
    assert sorted(os.listdir(work)) == ["01_a.ipynb", "01a_b.ipynb"]


def test_a_newer_lesson_gives_a_new_copy_with_the_answers_and_keeps_the_old_one(folders):
    lessons, work = folders
    lesson(lessons)
    copies.bring(lessons, work)
    edit(work / "01_a.ipynb", answer())
    old = (work / "01_a.ipynb").read_bytes()
    lesson(lessons, "# A better lesson", (("01.1", STUB), ("01.2", STUB)))

    (line,) = copies.bring(lessons, work)

    assert "newer version" in line and "1 answer of yours is" in line
    assert "01_a.ipynb.old" in line
    assert (work / "01_a.ipynb.old").read_bytes() == old
    found = sources(work / "01_a.ipynb")
    assert found[0] == "# A better lesson"
    assert found[1] == ANSWER
    assert found[3] == STUB
    assert copies.bring(lessons, work) == []


def test_a_stub_that_was_not_touched_gives_way_to_the_new_stub(folders):
    lessons, work = folders
    lesson(lessons)
    copies.bring(lessons, work)
    better = STUB.replace("twice", "two times")
    lesson(lessons, stubs=(("01.1", better),))
    (line,) = copies.bring(lessons, work)
    assert "0 answers of yours are" in line
    assert sources(work / "01_a.ipynb")[1] == better


@pytest.mark.parametrize("source", ["def double(x:\n", "x = 1\n", "def double(x):\n    x +\n"])
def test_a_half_written_answer_is_kept_too(folders, source):
    lessons, work = folders
    lesson(lessons)
    copies.bring(lessons, work)
    edit(work / "01_a.ipynb", answer(source))
    lesson(lessons, "# Newer")
    copies.bring(lessons, work)
    assert sources(work / "01_a.ipynb")[1] == source


def test_an_answer_is_found_when_its_cell_moved_or_lost_its_metadata(folders):
    lessons, work = folders
    lesson(lessons)
    copies.bring(lessons, work)

    def change(notebook):
        notebook.cells.insert(0, new_code_cell("print('my notes')", id="mine"))
        notebook.cells[2].source = ANSWER
        del notebook.cells[2].metadata["exercise"]

    edit(work / "01_a.ipynb", change)
    lesson(lessons, "# Newer")
    copies.bring(lessons, work)
    assert sources(work / "01_a.ipynb")[1] == ANSWER


def test_an_exercise_that_is_gone_is_named(folders):
    lessons, work = folders
    lesson(lessons)
    copies.bring(lessons, work)
    edit(work / "01_a.ipynb", answer())
    lesson(lessons, "# Newer", ())
    (line,) = copies.bring(lessons, work)
    assert "0 answers" in line and line.endswith("so only there: 01.1.")


def test_outputs_of_an_earlier_answer_do_not_stand_beside_the_new_copy(folders):
    lessons, work = folders
    lesson(lessons)

    def ran(notebook):
        notebook.cells[2].outputs = [
            nbformat.v4.new_output("stream", name="stdout", text="01.1 Double: not attempted.")
        ]

    edit(lessons / "01_a.ipynb", ran)
    copies.bring(lessons, work)
    edit(work / "01_a.ipynb", answer())
    lesson(lessons, "# Newer")
    edit(lessons / "01_a.ipynb", ran)
    copies.bring(lessons, work)
    assert nbformat.read(work / "01_a.ipynb", as_version=4).cells[2].outputs == []


def test_every_old_copy_is_kept(folders):
    lessons, work = folders
    lesson(lessons)
    copies.bring(lessons, work)
    for number in range(3):
        edit(work / "01_a.ipynb", answer(ANSWER + f"# {number}\n"))
        lesson(lessons, f"# Version {number}")
        copies.bring(lessons, work)
    kept = sorted(path.name for path in work.glob("*.old*"))
    assert kept == ["01_a.ipynb.old", "01_a.ipynb.old2", "01_a.ipynb.old3"]


@pytest.mark.parametrize("content", [b"", b"not json", b"\xff\xfe", b'{"cells": 3}'])
def test_a_damaged_copy_is_kept_and_a_new_one_made(folders, content):
    lessons, work = folders
    lesson(lessons)
    copies.bring(lessons, work)
    (work / "01_a.ipynb").write_bytes(content)
    (line,) = copies.bring(lessons, work)
    assert "could not be read" in line
    assert (work / "01_a.ipynb.old").read_bytes() == content
    assert sources(work / "01_a.ipynb")[1] == STUB


def test_an_interrupted_renewal_loses_nothing(folders, monkeypatch):
    lessons, work = folders
    lesson(lessons)
    copies.bring(lessons, work)
    edit(work / "01_a.ipynb", answer())
    old = (work / "01_a.ipynb").read_bytes()
    lesson(lessons, "# Newer")
    write = copies.write_whole

    def stop_at_the_copy(path, content):
        if path.suffix == ".ipynb":
            raise KeyboardInterrupt
        write(path, content)

    monkeypatch.setattr(copies, "write_whole", stop_at_the_copy)
    with pytest.raises(KeyboardInterrupt):
        copies.bring(lessons, work)
    assert (work / "01_a.ipynb").read_bytes() == old
    monkeypatch.undo()
    copies.bring(lessons, work)
    assert sources(work / "01_a.ipynb")[1] == ANSWER
    assert [path.name for path in work.glob("*.old*")] == ["01_a.ipynb.old"]


def test_links_to_pages_lead_back_to_the_lessons(folders):
    lessons, work = folders
    text = "# A\n\n[g](glossary.md#mask) [b](02_b.ipynb) [w](https://example.org/a.md) [h](#here)"
    lesson(lessons, text)
    copies.bring(lessons, work)
    assert sources(work / "01_a.ipynb")[0] == text.replace("(glossary", "(../lessons/glossary")
    assert copies.bring(lessons, work) == []


def test_the_lessons_themselves_are_not_touched(folders):
    lessons, work = folders
    lesson(lessons)
    before = (lessons / "01_a.ipynb").read_bytes()
    copies.bring(lessons, work)
    edit(work / "01_a.ipynb", answer())
    copies.bring(lessons, work)
    assert (lessons / "01_a.ipynb").read_bytes() == before


def write(path, **changes):
    """Change a notebook's file as no program that knows the format would."""
    path.write_text(json.dumps(json.loads(path.read_text()) | changes), encoding="utf-8")


@pytest.mark.parametrize("course", [[1], "x", None, {"version": {}}])
def test_odd_metadata_is_a_copy_of_no_version_and_its_answers_are_kept(folders, course):
    lessons, work = folders
    lesson(lessons)
    copies.bring(lessons, work)
    edit(work / "01_a.ipynb", answer())
    write(work / "01_a.ipynb", metadata={"course": course})
    (line,) = copies.bring(lessons, work)
    assert "1 answer of yours is" in line
    assert sources(work / "01_a.ipynb")[1] == ANSWER


def test_half_a_sign_in_an_answer_stops_no_renewal(folders):
    lessons, work = folders
    lesson(lessons)
    copies.bring(lessons, work)
    text = (work / "01_a.ipynb").read_text()
    (work / "01_a.ipynb").write_text(text.replace('    ...\\n"', '    return 2 * x  # \\ud800"'))
    lesson(lessons, "# Newer")
    (line,) = copies.bring(lessons, work)
    assert "1 answer of yours is" in line
    assert sources(work / "01_a.ipynb")[1].endswith("return 2 * x  # \ufffd")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes in folders")
def test_what_is_no_file_is_said_and_left_where_it_is(folders):
    lessons, work = folders
    lesson(lessons)
    lesson(lessons, name="02_b.ipynb")
    work.mkdir()
    os.mkfifo(work / "01_a.ipynb")
    said = ["01_a.ipynb in work/ is no file: move it away, then run this again."]
    assert copies.bring(lessons, work) == said
    assert sorted(os.listdir(work)) == ["01_a.ipynb", "02_b.ipynb"]
