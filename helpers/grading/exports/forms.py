"""Grades in the forms that other systems read: Canvas, Moodle, nbgrader.

    python -m helpers grade FROM TO --roster names.csv --for canvas

Canvas and Moodle know people by ids, which the roster tells in columns of their names. Who has none
there is left out, and named: by a name alone, points could go to another person.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from helpers.exercises import catalog
from helpers.files import write_whole
from helpers.grading import cells
from helpers.grading.folder import People
from helpers.grading.grade import MISSING
from helpers.grading.reports import Results

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
CANVAS_IDS = CANVAS[1:4]  # Canvas takes the first of them that it knows
MOODLE_IDS = ("idnumber", "email", "username")
POSSIBLE = "    Points Possible"  # as Canvas writes it itself; a row of this name sets the points
ITEMS = ("exercises", "lessons")
Item = tuple[str, int, list[str]]  # title, points, exercises


def write(
    form: str, results: Results, folder: Path, people: People, columns: list[Item]
) -> list[str]:
    """Write the grades in a form of FORMS into a folder; return what there is to say of it.

    columns: see items. Raises: OSError if it cannot be written.
    """
    name, make = FORMS[form]
    text, absent = make(results, people, columns)
    write_whole(folder / name, text)
    if not absent:
        return []
    return [f"not in {name}, since the roster has no id for them alone: {', '.join(absent)}"]


def stale(asked: Sequence[str], folder: Path) -> list[str]:
    """Return a line for each file of an earlier run, in a form that is not asked for this time."""
    return [
        f"{name} is of an earlier run: --for {form} writes it anew"
        for form, (name, _) in FORMS.items()
        if form not in asked and (folder / name).exists()
    ]


def items(asked: Sequence[str], by: str) -> list[Item]:
    """Return what the columns are: exercises, or lessons with those of their exercises.

    asked: lessons and exercises, all of them for none. by: one of ITEMS.
    """
    exercises = catalog.select(asked).values()
    if by == "exercises":
        return [(f"{one.id} {one.title}", one.points, [one.id]) for one in exercises]
    lessons: dict[str, list] = {}
    for one in exercises:
        lessons.setdefault(one.lesson, []).append(one)
    return [
        (f"Lesson {lesson}", sum(one.points for one in some), [one.id for one in some])
        for lesson, some in lessons.items()
    ]


def canvas(results: Results, people: People, columns: list[Item]) -> tuple[str, list[str]]:
    """Return the file that Canvas imports, and who is not in it.

    Of an item that Canvas has already, the roster gives the column `title (id)`. Another one is
    made by Canvas, for as many points as the second row says.
    """
    titles = [people.titles.get(title, title) for title, *_ in columns]
    points = [points for _, points, _ in columns]
    rows = [[*CANVAS, *titles], [POSSIBLE, *[""] * (len(CANVAS) - 1), *points]]
    known, absent = _known(results, people, CANVAS_IDS)
    for learner, row, earned in known:
        name = row.get("student", learner).replace("Points Possible", "Points-Possible")
        facts = [row.get(column.lower(), "") for column in CANVAS[1:]]
        rows.append([name, *facts, *_cells(earned, columns, "")])
    return cells.table(rows), absent


def moodle(results: Results, people: People, columns: list[Item]) -> tuple[str, list[str]]:
    """Return the file that Moodle imports, and who is not in it: by the first id that all have."""
    rows = (people.rows.get(one.learner, {}) for one, _ in results)
    having = Counter(column for row in rows for column in MOODLE_IDS if row.get(column))
    key = max(MOODLE_IDS, key=lambda column: having[column])  # the first of equals
    known, absent = _known(results, people, (key,))
    lines = [[row[key], *_cells(earned, columns, "-")] for _, row, earned in known]
    return cells.table([[key, *(title for title, *_ in columns)], *lines]), absent


def nbgrader(results: Results, people: People, columns: list[Item]) -> tuple[str, list[str]]:
    """Return what into_nbgrader.py gives to nbgrader: lessons are assignments, exercises cells."""
    exercises = {one: catalog.find(one) for _, _, ids in columns for one in ids}
    lessons = {one.lesson for one in exercises.values()}
    assignments = {
        lesson: {one.id: one.points for one in catalog.select([lesson]).values()}
        for lesson in sorted(lessons)
    }
    ids = {one.learner: people.rows.get(one.learner, {}).get("nbgrader") for one, _ in results}
    ids = {learner: given or learner for learner, given in ids.items()}
    owners = Counter(ids.values())
    absent = [learner for learner, given in ids.items() if owners[given] > 1]
    scores = {}
    for one, grades in results:
        if one.learner in absent:
            continue
        by_lesson: dict[str, dict[str, int]] = {}
        for grade in grades:
            if grade.exercise in exercises:
                lesson = by_lesson.setdefault(exercises[grade.exercise].lesson, {})
                lesson[grade.exercise] = grade.points
        there = {exercises[g.exercise].lesson for g in grades if g.state != MISSING}
        scores[ids[one.learner]] = {
            lesson: found for lesson, found in by_lesson.items() if lesson in there
        }
    content = {"format": 1, "assignments": assignments, "scores": scores}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n", absent


Form = Callable[[Results, People, list[Item]], tuple[str, list[str]]]
FORMS: dict[str, tuple[str, Form]] = {
    "canvas": ("canvas.csv", canvas),
    "moodle": ("moodle.csv", moodle),
    "nbgrader": ("nbgrader.json", nbgrader),
}


def _known(
    results: Results, people: People, ids: Sequence[str]
) -> tuple[list[tuple[str, dict, dict]], list[str]]:
    """Return (learner, row of the roster, points by exercise) of those with an id, and the others.

    An id must be its owner's alone, and must stay what it is in a table.
    """
    found, owners = [], Counter()
    for one, grades in results:
        row = people.rows.get(one.learner, {})
        given = {(column, row[column.lower()]) for column in ids if row.get(column.lower())}
        owners.update(given)
        earned = {grade.exercise: grade.points for grade in grades if grade.state != MISSING}
        found.append((one.learner, row, earned, given))
    known, absent = [], []
    for learner, row, earned, given in found:
        fit = given and all(owners[one] == 1 and _fits(*one) for one in given)
        known += [(learner, row, earned)] if fit else []
        absent += [] if fit else [learner]
    return known, absent


def _fits(column: str, value: str) -> bool:
    number = column != "ID" or re.fullmatch("[0-9]+", value)  # Canvas makes 12 of 12ab
    return bool(number) and cells.safe(value) == value


def _cells(earned: dict[str, int], columns: list[Item], nothing: str) -> list[int | str]:
    """Return the points for each item; `nothing` where nothing of it was handed in."""
    return [
        sum(earned.get(one, 0) for one in ids) if set(ids) & set(earned) else nothing
        for _, _, ids in columns
    ]
