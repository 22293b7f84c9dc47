"""A made-up class: answers of several kinds, handed in in several forms."""

import json
import sqlite3
from pathlib import Path

from helpers.exercises import catalog
from helpers.exercises.exercise import FAILED, NOT_ATTEMPTED, PASSED
from helpers.grading.gradebook import TABLE, Gradebook
from tests.exercises import planted

KNOWN = catalog.exercises()
FUNCTIONS = {exercise.id: exercise.function for exercise in KNOWN.values()}
EXERCISES = ("01.1", "02.2", "10.4")
MISSING = "missing"
FORMS = ("document", "notebook", "folder")


def right(exercise):
    return planted.reference(KNOWN[exercise]).source


def other(exercise):
    return next(iter(planted.others(KNOWN[exercise]).values())).source


def wrong(exercise):
    return planted.written(KNOWN[exercise])[0].answer.source


def stub(exercise):
    return planted.stub(KNOWN[exercise]).source


def looping(exercise):
    return f"def {FUNCTIONS[exercise]}(*given):\n    while True:\n        pass\n"


def raising(exercise):
    return f"def {FUNCTIONS[exercise]}(*given):\n    raise ValueError('→ あ 🙂 é')\n"


# kind: (how each of EXERCISES is answered, the states that this must get)
KINDS = {
    "right": ((right, right, right), (PASSED, PASSED, PASSED)),
    "other": ((other, other, other), (PASSED, PASSED, PASSED)),
    "wrong": ((wrong, wrong, wrong), (FAILED, FAILED, FAILED)),
    "mixed": ((right, wrong, stub), (PASSED, FAILED, NOT_ATTEMPTED)),
    "raises": ((raising, right, None), (FAILED, PASSED, MISSING)),
    "loops": ((right, looping, right), (PASSED, FAILED, PASSED)),
    "stubs": ((stub, stub, stub), (NOT_ATTEMPTED, NOT_ATTEMPTED, NOT_ATTEMPTED)),
    "empty": ((None, None, None), (MISSING, MISSING, MISSING)),
}


def answers(kind):
    """Return {exercise: source} of a kind."""
    pairs = zip(EXERCISES, KINDS[kind][0], strict=True)
    return {exercise: make(exercise) for exercise, make in pairs if make}


def document(sources):
    return json.dumps({"format": 1, "answers": sources}, ensure_ascii=False)


def notebook(sources):
    """Return a saved notebook with these answers, and a check behind each."""
    cells = [{"cell_type": "markdown", "metadata": {}, "source": "# A lesson"}]
    for exercise, source in sources.items():
        lines = source.splitlines(keepends=True)
        cells.append(code(lines, exercise))
        cells.append(code([f'check("{exercise}", {FUNCTIONS[exercise]})']))
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def code(source, exercise=None):
    metadata = {"exercise": exercise} if exercise else {}
    return {"cell_type": "code", "metadata": metadata, "source": source, "outputs": []}


def hand_in(folder: Path, learner: str, sources: dict[str, str], form: str = "document") -> Path:
    """Write a submission into a folder; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    if form == "folder":
        path = folder / learner
        path.mkdir()
        for number, (exercise, source) in enumerate(sources.items()):
            text = notebook({exercise: source})
            (path / f"{number:02}.ipynb").write_text(text, encoding="utf-8")
        return path
    path = folder / f"{learner}{'.ipynb' if form == 'notebook' else '.json'}"
    text = notebook(sources) if form == "notebook" else document(sources)
    path.write_text(text, encoding="utf-8")
    return path


def fill(folder: Path, numbers: dict[str, int]) -> dict[str, str]:
    """Hand in so many submissions of each kind, in all forms in turn; return {learner: kind}."""
    kinds = {}
    for kind, number in numbers.items():
        for count in range(number):
            learner = f"{kind} {count}"
            kinds[learner] = kind
            hand_in(folder, learner, answers(kind), FORMS[count % len(FORMS)])
    return kinds


def rows(book: Gradebook) -> list[tuple]:
    """Return the grades in a gradebook without the numbers of their rows, sorted."""
    with book._engine.connect() as connection:
        found = connection.execute(TABLE.select().where(TABLE.c.kind == "grade")).all()
    return sorted(tuple(row)[1:] for row in found)


def states(book: Gradebook) -> dict[str, tuple]:
    """Return {learner: the states of EXERCISES} of a gradebook."""
    found = {}
    for _, learner, _, _, exercise, state, *_ in rows(book):
        found.setdefault(learner, {})[exercise] = state
    return {
        learner: tuple(got[exercise] for exercise in EXERCISES) for learner, got in found.items()
    }


def same_secret(old: Path, new: Path) -> None:
    """Make a gradebook file that has the secret of another, and no grades."""
    new.parent.mkdir(parents=True, exist_ok=True)
    new.write_bytes(old.read_bytes())
    with sqlite3.connect(new) as connection:
        connection.execute("DELETE FROM gradebook WHERE kind = 'grade'")
    connection.close()
