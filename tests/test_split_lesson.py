"""A course whose lesson 03 has grown by 03a: everything that runs the course finds the new one.

A copy of the course gets a notebook 03a_masks_again.ipynb with an exercise 03a.1, checks, answers
and a line in README, as an author would write them, and nothing else.
"""

import csv
import json
import os
import shutil
import subprocess
import sys

import nbformat
import pytest
from nbformat.v4 import new_markdown_cell

from helpers.files import ROOT
from tests import matrix
from tests.exercises import tiny
from tests.notebooks import code, stream, write

NAME = "03a_masks_again.ipynb"
CHECKS = '''"""The exercises of lesson 03a, masks again."""

from helpers.exercises.exercise import Exercise

twice = Exercise(
    "03a.1",
    "twice",
    title="Twice the tensor",
    minutes=2,
    level="warm-up",
    points=2,
    hints=("a", "b", "c"),
)


@twice.property("it is twice x")
def value(call, draw):
    """One number."""
    assert call(21) == 42


EXERCISES = (twice,)
'''
GOALS = "**You need** [03 · Causal attention](03_causal_attention.ipynb).\n\n**Time** 5 minutes."
ROW = "| [03a · Masks again](lessons/03a_masks_again.ipynb) | a split |\n"
# runs commands of the course one after another, and prints what each said
DRIVER = """
import contextlib, io, json, sys
from helpers import __main__ as course
said = {}
for words in json.load(sys.stdin):
    both = io.StringIO()
    with contextlib.redirect_stdout(both), contextlib.redirect_stderr(both):
        try:
            status = course.main(words)
        except SystemExit as ended:
            status = ended.code
    said[" ".join(words)] = f"{both.getvalue()}status {status}"
print(json.dumps(said))
"""
BOOK = """
import pathlib
from helpers.site import build
build.write_sources(pathlib.Path.cwd(), pathlib.Path("book"))
"""


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def python(course, source, given=""):
    """Run Python on the copy of the course; return what it printed."""
    environment = {**os.environ, "PYTHONPATH": str(course), "OMP_NUM_THREADS": "1"}
    environment["COURSE_PROGRESS"] = str(course / "work/progress.json")
    command = [sys.executable, "-c", source]
    done = subprocess.run(
        command, cwd=course, env=environment, input=given, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def run(course, *lines):
    """Run commands of the course; return {command: what it said, and its status}."""
    return json.loads(python(course, DRIVER, json.dumps([line.split() for line in lines])))


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A copy of the course with lesson 03a, and copies in work/ whose 03a.1 is answered."""
    root = tmp_path_factory.mktemp("a course")
    hidden = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
    for folder in ("helpers", "lessons", "tests/solutions", "data/benchmarks"):
        shutil.copytree(ROOT / folder, root / folder, ignore=hidden)
    shutil.copy(ROOT / "README.md", root)
    edit(root / "README.md", "| [04 · Masks]", f"{ROW}| [04 · Masks]")

    stub, check = code(tiny.STUB, tags=["exercise"]), code('check("03a.1", twice)')
    stub.metadata["exercise"] = "03a.1"
    check.outputs = [stream("03a.1 Twice the tensor: not attempted.\n")]
    path = root / "lessons" / NAME
    goals = new_markdown_cell(f"{GOALS}\n\n## Again")
    tools = code("from helpers.exercises import check")
    heading = new_markdown_cell("### 03a.1 Twice the tensor\n\nDouble x.")
    write(path, goals, tools, heading, stub, check, title="# 03a · Masks again\n\nWhy again?")

    checks = root / "helpers/exercises/checks/lesson_03a/__init__.py"
    checks.parent.mkdir()
    checks.write_text(CHECKS, encoding="utf-8")
    catalog = root / "helpers/exercises/catalog.py"
    edit(catalog, "    lesson_03,\n", "    lesson_03,\n    lesson_03a,\n")
    said = 'MISCONCEPTIONS = (\n    ("Half is enough.", "03a.1", "it is the half"),\n'
    edit(root / "helpers/site/misconceptions.py", "MISCONCEPTIONS = (\n", said)
    (root / "tests/solutions/03a_1_twice.py").write_text(tiny.RIGHT, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def learned(course):
    """What make learn said: it also makes the copies."""
    return run(course, "learn --no-open", "learn 3a --no-open")


@pytest.fixture(scope="module")
def said(course, learned):
    """What the commands of learners and graders said, when 03a.1 is answered."""
    copy = course / "work" / NAME
    if not copy.exists():  # each command is tried by itself
        shutil.copy(course / "lessons" / NAME, copy)
    notebook = nbformat.read(copy, as_version=4)
    (cell,) = [cell for cell in notebook.cells if "exercise" in cell.metadata]
    cell.source = tiny.RIGHT
    nbformat.write(notebook, copy)
    (course / "class").mkdir()
    shutil.copy(copy, course / "class/ann.ipynb")
    return run(
        course,
        "check 3a",
        "check 03",
        f"check work/{NAME}",
        "progress",
        "submit",
        "verify work/submission.json",
        "grade class grades --own-work --what 03,03a",
        "lessons 3a",
        "lessons 33",
    )


def test_make_lessons_runs_it_behind_03(said):
    assert "03a_masks_again" in said["lessons 3a"]
    assert "1 of 1 lessons passed" in said["lessons 3a"]
    assert "these exist: 00 01 02 03 03a 04 05" in said["lessons 33"]


def test_make_learn_copies_it(course, learned):
    count = len(list((ROOT / "lessons").glob("*.ipynb"))) + 1
    assert f"{count} lessons are ready in work/\nstatus 0" in learned["learn 3a --no-open"]
    copy = nbformat.read(course / "work" / NAME, as_version=4)
    assert copy.metadata["course"]["version"]


def test_make_check_checks_its_exercises_there_and_only_there(said):
    for command in ("check 3a", f"check work/{NAME}"):
        assert "03a.1 Twice the tensor: solved" in said[command]
        assert "1 of 1 exercises attempted, 1 solved" in said[command]
    assert "0 of 5 exercises attempted" in said["check 03"]


def test_make_progress_has_a_row_for_it_behind_03(said):
    lines = said["progress"].splitlines()
    assert [line.split()[0] for line in lines[4:7]] == ["03", "03a", "04"]
    assert lines[5].split() == ["03a", "1", "1", "1", "2", "of", "2"]


def test_handing_in_takes_its_answers_along(course, said):
    assert "1 answers, 1 of them pass" in said["submit"]
    held = json.loads((course / "work/submission.json").read_text(encoding="utf-8"))
    assert held["answers"] == {"03a.1": tiny.RIGHT}
    assert held["own checks"] == {"03a.1": "passed"}
    assert held["lessons"]["03a"] and held["lessons"]["03a"] != held["lessons"]["03"]
    assert "no answer in lessons 00, 01, 02, 03, 04" in said["submit"]
    assert "03a.1 Twice the tensor: solved" in said["verify work/submission.json"]


def test_grading_has_its_column_behind_those_of_03(course, said):
    assert "graded 1 of 1 submissions" in said["grade class grades --own-work --what 03,03a"]
    text = (course / "grades/grades.csv").read_text(encoding="utf-8-sig")
    head, ann = csv.reader(text.splitlines())
    names = ["03.1", "03.2", "03.3", "03.4", "03.5", "03a.1"]
    assert head == ["learner", *names, "points", "of", "submission", "page"]
    assert ann[:7] == ["ann", "", "", "", "", "", "2"]


def test_the_book_has_its_page_between_03_and_04(course):
    python(course, BOOK)
    page = nbformat.read(course / "book" / NAME, as_version=4)
    text = "\n".join(cell.source for cell in page.cells)
    assert "make learn LESSON=03a" in text
    assert "**Before** [03 · Causal attention]" in text and "**Next** [04 · Masks]" in text
    assert "(exercise-03a-1)=\n### 03a.1 Twice" in text
    assert "An answer</summary>" in text and "def twice" in text
    tree = (course / "book/index.md").read_text(encoding="utf-8")
    assert "03_causal_attention\n03a_masks_again\n04_masks" in tree
    listed = (course / "book/exercises.md").read_text(encoding="utf-8")
    assert f"[03a.1 Twice the tensor]({NAME}#exercise-03a-1)" in listed
    plan = (course / "book/instructor.md").read_text(encoding="utf-8")
    assert "03 needs 02; 03a needs 03;" in plan
    assert f"*Half is enough.* [03a.1]({NAME}#exercise-03a-1)" in plan


def test_the_matrix_says_when_it_is_there_and_compares_its_outputs(tmp_path, capsys):
    write(tmp_path / "03_masks.ipynb", code("print(1)", "1\n"))
    write(tmp_path / NAME, code("print(1)", "2\n"))
    assert matrix.main("default 2-thread", tmp_path) == 1
    row, *_, last = capsys.readouterr().out.splitlines()
    assert row.split() == ["default", "2-thread", "03", "03a"]
    assert last == "0 of 1 green"
