"""The exercises inside their lessons: in the right form, and solved by the reference answers."""

import re

import nbformat
import pytest

from helpers.course import lesson_runner
from helpers.exercises import catalog
from helpers.exercises.answers import STANDARD
from helpers.exercises.exercise import PASSED
from helpers.exercises.record import Progress
from helpers.lesson_names import lessons_in
from tests.exercises import planted

EXERCISES = list(catalog.exercises().values())
LESSONS = lessons_in(planted.LESSONS)
every_exercise = pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.id)


@every_exercise
def test_the_lesson_shows_text_facts_stub_and_check_in_order(exercise):
    cells = nbformat.read(LESSONS[exercise.lesson], as_version=4).cells
    dashed = exercise.id.replace(".", "-")
    (place,) = [n for n, cell in enumerate(cells) if cell.metadata.get("exercise") == exercise.id]
    text, stub, check = cells[place - 1 : place + 2]
    heading, _, facts, _, *statement = text.source.splitlines()
    assert heading == f"### {exercise.id} {exercise.title}"
    assert facts == f"*{exercise.facts()}*"
    assert "".join(statement).strip()
    assert stub.metadata["tags"] == ["exercise"]
    assert check.source == f'check("{exercise.id}", {exercise.function})'
    ids = [f"{kind}-{dashed}" for kind in ("exercise", "answer", "check")]
    assert [text.id, stub.id, check.id] == ids
    (output,) = check.outputs
    assert output.text.startswith(f"{exercise.id} {exercise.title}: not attempted")


def test_lesson_00_lists_the_standard_library_that_answers_may_import():
    (cell,) = [
        cell
        for cell in nbformat.read(LESSONS["00"], as_version=4).cells
        if "*standard library only* means no more than these" in cell.source
    ]
    listed = cell.source.partition("no more than these")[2].partition("\n")[0]
    assert re.findall(r"`(\w+)`", listed) == STANDARD
    (stream,) = [
        cell
        for cell in nbformat.read(LESSONS["18"], as_version=4).cells
        if cell.get("id") == "exercise-18-5"
    ]
    assert "`codecs`" in stream.source and "codecs" not in STANDARD


@pytest.mark.parametrize("number", LESSONS)
def test_every_stub_of_a_lesson_belongs_to_an_exercise(number):
    cells = nbformat.read(LESSONS[number], as_version=4).cells
    stubs = [cell.metadata["exercise"] for cell in cells if "exercise" in cell.metadata]
    assert stubs == [exercise.id for exercise in EXERCISES if exercise.lesson == number]


@pytest.mark.thorough
@pytest.mark.parametrize("number", LESSONS)
def test_the_reference_answers_solve_their_lesson_and_change_nothing_else(
    number, tmp_path, monkeypatch
):
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    saved = nbformat.read(LESSONS[number], as_version=4)
    solved = nbformat.read(LESSONS[number], as_version=4)
    exercises = {e.id: e for e in EXERCISES if e.lesson == number}
    for cell in solved.cells:
        if "exercise" in cell.metadata:
            cell.source = planted.reference(exercises[cell.metadata["exercise"]]).source
    path = tmp_path / LESSONS[number].name
    nbformat.write(solved, path)

    result, run = lesson_runner.run_lesson(path, cell_seconds=300)
    if result.lacking:
        pytest.skip(result.lacking)

    assert result.failure == ""
    for before, after in zip(saved.cells, run.cells, strict=True):
        if after.id.startswith("check-"):
            assert ": solved\n" in after.outputs[0].text, after.outputs[0].text
        elif after.cell_type == "code" and "nbval-ignore-output" not in tags(after):
            assert texts(after) == texts(before), after.id
    record = Progress(tmp_path / "progress.json").read()
    assert {name: entry["state"] for name, entry in record.items()} == dict.fromkeys(
        exercises, PASSED
    )


def tags(cell):
    return cell.metadata.get("tags", [])


def texts(cell):
    """Return what a cell printed or showed as text."""
    return [
        output.get("text") or output.get("data", {}).get("text/plain") or output.get("evalue")
        for output in cell.outputs
    ]
