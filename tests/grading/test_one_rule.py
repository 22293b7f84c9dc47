"""One rule for what counts: in the notebook, in make check, make submit and make grade."""

import copy
import json
import re
import shutil

import nbformat
import pytest

from helpers import __main__ as command_line
from helpers.exercises import catalog, copies
from helpers.grading import submission
from tests.exercises.test_commands import put
from tests.grading import school

LESSON = "03_causal_attention.ipynb"
OWN = [exercise for exercise in catalog.exercises().values() if exercise.lesson == "03"]
POINTS = sum(exercise.points for exercise in OWN)


@pytest.fixture
def work(tmp_path, monkeypatch):
    """A folder for a learner's copies, with an untouched lesson 03 in it."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.setattr(copies, "WORK", work)
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    shutil.copy(copies.LESSONS / LESSON, work)
    return work


def run(*arguments):
    return command_line.main([str(argument) for argument in arguments])


def solve(work):
    """Write a right answer into each exercise cell of lesson 03; return the copy's path."""
    for exercise in OWN:
        path = put(work, exercise, school.right(exercise.id))
    return path


def edit(path, change):
    notebook = nbformat.read(path, as_version=4)
    notebook.cells = change(notebook.cells)
    nbformat.write(notebook, path)


def solved_by(capsys, work):
    """Return how many answers of lesson 03 count: in check, in submit, and points in grade.

    Handed in twice: the document of make submit, and the folder as it is.
    """
    counts = []
    for words in (("check", "03"), ("check",), ("submit",)):
        run(*words)
        last = capsys.readouterr().out.splitlines()[-1]
        counts.append(int(re.search(r"(\d+) (?:solved|of them pass)", last)[1]))
    handed = work.parent / "in"
    handed.mkdir()
    shutil.copy(work / "submission.json", handed / "document.json")
    shutil.copytree(work, handed / "folder")
    assert run("grade", handed, work.parent / "out", "--own-work", "--what", "03") == 0
    for line in capsys.readouterr().out.splitlines():
        if found := re.match(r"(document|folder) .* (\d+) of \d+$", line):
            counts.append(int(found[2]))
    return counts


ALL = [len(OWN)] * 3 + [POINTS] * 2


def test_d14_an_untouched_notebook_beside_the_answers_takes_nothing_away(work, capsys):
    """(a) a copy that JupyterLab named, beside the untouched lesson, and (c) stubs at the end."""
    stubs = [c for c in nbformat.read(work / LESSON, 4).cells if c.metadata.get("exercise")]
    for stub in stubs:
        stub.id += "-again"
    done = solve(work).rename(work / "03_causal_attention-Copy1.ipynb")
    edit(done, lambda cells: [*cells, *stubs])
    shutil.copy(copies.LESSONS / LESSON, work)
    assert POINTS == 13
    assert solved_by(capsys, work) == ALL


def test_d14_a_document_beside_the_untouched_notebook_counts(tmp_path):
    """(b)."""
    folder = tmp_path / "ann"
    folder.mkdir()
    shutil.copy(copies.LESSONS / LESSON, folder)
    sources = {exercise.id: school.right(exercise.id) for exercise in OWN}
    school.hand_in(folder, "submission", sources)
    found = submission.read(folder, "ann", school.FUNCTIONS)
    assert {e: answer.source for e, answer in found.answers.items()} == sources
    assert (found.remarks, found.problem) == ({}, "")


def test_d15_the_cell_that_defines_the_function_counts_not_an_empty_half(work, capsys):
    def split(cells):
        for cell in cells:
            yield cell
            if cell.metadata.get("exercise"):
                half = copy.deepcopy(cell)
                half.source, half.id = 'print("try")', cell.id + "-half"
                yield half

    edit(solve(work), lambda cells: list(split(cells)))
    assert solved_by(capsys, work) == ALL


def test_d17_a_renamed_notebook_is_found_by_its_numbers_and_named(work, capsys):
    solve(work).rename(work / "causal attention mine.ipynb")
    assert solved_by(capsys, work) == ALL
    run("submit")
    ids = ", ".join(exercise.id for exercise in OWN)
    assert f"taken from causal attention mine.ipynb: {ids}\n" in capsys.readouterr().out


def test_d17_a_renamed_notebook_without_its_numbers_is_found_by_its_checks(work, capsys):
    def strip(cells):
        for cell in cells:
            cell.metadata.clear()
        return cells

    edit(solve(work), strip)
    (work / LESSON).rename(work / "mine.ipynb")
    assert solved_by(capsys, work) == ALL


def test_d18_what_systems_leave_is_skipped_without_complaint(work, capsys):
    solve(work)
    (work / f"._{LESSON}").write_bytes(b"\x00\x05\x16\x07")
    (work / ".ipynb_checkpoints").mkdir()
    (work / "progress.json").write_text("{}")
    assert solved_by(capsys, work) == ALL
    handed = work.parent / "in"
    (handed / "__MACOSX").mkdir()
    (handed / "__MACOSX" / "._document.json").write_bytes(b"\x00\x05\x16\x07")
    (handed / "._document.json").write_bytes(b"\x00\x05\x16\x07")
    (handed / "folder" / "__MACOSX").mkdir()
    assert run("grade", handed, work.parent / "out", "--own-work", "--what", "03") == 0
    said = capsys.readouterr()
    assert "graded 2 of 2 submissions" in said.out and said.err == ""
    for words in ("not graded", "not read", "MACOSX", "._"):
        assert words not in said.out


def test_d14_of_two_different_answers_both_sides_are_told_which_counts(work, capsys):
    exercise = OWN[0]
    put(work, exercise, school.wrong(exercise.id))
    wrong = (work / LESSON).rename(work / "put aside")
    shutil.copy(copies.LESSONS / LESSON, work)
    put(work, exercise, school.right(exercise.id))
    wrong.rename(work / "03_causal_attention-Copy1.ipynb")
    said = f"two different answers were found: cell [0-9]+ of {LESSON} counts, as the last; "
    said += r"the other stands in cell [0-9]+ of 03_causal_attention-Copy1\.ipynb"
    assert run("submit") == 0
    assert re.search(f"(?m)^{exercise.id}: {said}$", capsys.readouterr().out)
    for words in (("check", "03"), ("check",)):
        assert run(*words) == 0
        out = capsys.readouterr().out
        assert re.search(said, re.sub(r"\s+", " ", out))
    shutil.copytree(work, work.parent / "in" / "ann", ignore=shutil.ignore_patterns("*.json"))
    run("verify", work.parent / "in" / "ann")
    fixed = r"two different answers were found: cell \d+ of file 2 of 2 counts, as the last; "
    fixed += r"the other stands in cell \d+ of file 1 of 2"
    assert re.search(fixed, re.sub(r"\s+", " ", capsys.readouterr().out))
    assert run("grade", work.parent / "in", work.parent / "out", "--own-work", "--what", "03") == 0
    assert re.search(f"(?m)^ann, {exercise.id}: {fixed}$", capsys.readouterr().out)
    (page,) = (work.parent / "out" / "learners").glob("*.html")
    assert re.search(fixed, page.read_text(encoding="utf-8"))


def test_check_and_submit_agree_where_work_has_nothing_of_a_lesson(work, capsys):
    """The lesson's own file is looked at then, and its stubs are not attempted."""
    (work / LESSON).unlink()
    assert run("check", "03") == 0
    assert capsys.readouterr().out.startswith(f"0 of {len(OWN)} exercises attempted")
    assert run("submit") == 2


def test_d15_the_notebook_itself_agrees(work, capsys):
    """Run from top to bottom with a split cell, a stub pasted at the end and a merged cell."""
    from nbclient import NotebookClient

    exercise, other = OWN[0], OWN[1]
    right = {e.id: school.right(e.id) for e in (exercise, other)}

    def cell(source, number=None):
        made = nbformat.v4.new_code_cell(source)
        if number:
            made.metadata["exercise"] = number
        return made

    made = nbformat.v4.new_notebook(
        cells=[
            cell("from helpers.exercises import check"),
            cell(school.stub(exercise.id), exercise.id),
            cell(f"{right[exercise.id]}\n\n{right[other.id]}", exercise.id),
            cell('print("try")', exercise.id),
            cell(f'check("{exercise.id}", {exercise.function})'),
            cell(f'check("{other.id}", {other.function})'),
            cell(school.stub(exercise.id), exercise.id),
        ]
    )
    NotebookClient(made, timeout=120, kernel_name="python3").execute()
    printed = ["".join(out.text for out in made.cells[n].outputs) for n in (4, 5)]
    for one, text in zip((exercise, other), printed, strict=True):
        assert text.startswith(f"{one.id} {one.title}: solved")
    (work / LESSON).unlink()
    nbformat.write(made, work / "mine.ipynb")
    assert run("submit") == 0
    assert "2 answers, 2 of them pass" in capsys.readouterr().out
    held = json.loads((work / "submission.json").read_text(encoding="utf-8"))
    assert set(held["answers"]) == {exercise.id, other.id}
