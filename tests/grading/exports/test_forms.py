"""Grades in the forms of Canvas and Moodle, read as their importers read them; who is left out."""

import csv
import io
import json
import re

import pytest

from helpers.exercises import catalog
from helpers.grading.exports import forms
from helpers.grading.folder import People, read_people
from helpers.grading.gradebook import Grade
from helpers.grading.submission import Submission
from tests.grading import school

ASKED = ["00.1", "00.2", "01.1"]
FIRST, SECOND, THIRD = (catalog.find(name) for name in ASKED)


def result(learner, *states):
    grades = []
    for exercise, state in zip((FIRST, SECOND, THIRD), states, strict=True):
        points = exercise.points if state == "passed" else 0
        grades.append(Grade(exercise.id, state, points, exercise.points, []))
    return Submission(learner, f"{learner}.json", "digest"), grades


CLASS = [
    result("Ann", "passed", "failed", "missing"),
    result("Öberg, Bob", "missing", "missing", "passed"),
    result("Cy", "failed", "failed", "failed"),
]
PEOPLE = People(
    {
        "Ann": {"student": "Ann", "id": "7", "sis user id": "u7", "email": "Ann@x.org"},
        "Öberg, Bob": {"sis login id": "bob", "section": "S 1", "email": "bob@x.org"},
        "Cy": {"id": "9", "email": "cy@x.org", "idnumber": "n9"},
    },
    {f"{SECOND.id} {SECOND.title}": f"{SECOND.id} {SECOND.title} (4711)"},
)


def as_canvas_reads_it(text):
    """Return ({title: (id or None, points)}, [row by column]), by the rules of Canvas's importer.

    It takes the first columns by name, an assignment's id from `title (id)`, the points from a row
    with "Points Possible", and every other row for a student.
    """
    header, *rows = csv.reader(io.StringIO(text))
    assert "Student" in header[0] and "ID" in header[1]
    assert re.search(r"SIS\s+User\s+ID", header[2]) and re.search(r"SIS\s+Login\s+ID", header[3])
    assert "Section" in header[4]
    possible = [row for row in rows if "Points Possible" in row[0]]
    items = {}
    for place, name in list(enumerate(header))[5:]:
        match = re.fullmatch(r"(.*)\s\((\d+)\)", name)
        items[match[1] if match else name] = match and match[2], possible[-1][place]
    assert len(possible) == 1
    return items, [dict(zip(header, row, strict=True)) for row in rows if row not in possible]


def test_canvas_finds_people_by_id_items_by_title_and_id_and_new_ones_by_title_and_points():
    text, absent = forms.canvas(CLASS, PEOPLE, forms.items(ASKED, "exercises"))
    items, rows = as_canvas_reads_it(text)
    assert absent == []
    assert not text.startswith("\ufeff")  # Canvas takes it for a part of the first cell
    titles = [f"{one.id} {one.title}" for one in (FIRST, SECOND, THIRD)]
    assert items == {
        titles[0]: (None, str(FIRST.points)),
        titles[1]: ("4711", str(SECOND.points)),
        titles[2]: (None, str(THIRD.points)),
    }
    assert [row["Student"] for row in rows] == ["Ann", "Öberg, Bob", "Cy"]
    ids = [tuple(row[name] for name in forms.CANVAS[1:]) for row in rows]
    assert ids == [("7", "u7", "", ""), ("", "", "bob", "S 1"), ("9", "", "", "")]
    assert [row[titles[0]] for row in rows] == [str(FIRST.points), "", "0"]
    assert [row[f"{titles[1]} (4711)"] for row in rows] == ["0", "", "0"]


def test_lessons_as_items_sum_the_points_of_their_exercises():
    assert forms.items(ASKED, "lessons") == [
        ("Lesson 00", FIRST.points + SECOND.points, [FIRST.id, SECOND.id]),
        ("Lesson 01", THIRD.points, [THIRD.id]),
    ]
    text, _ = forms.canvas(CLASS, PEOPLE, forms.items(ASKED, "lessons"))
    items, rows = as_canvas_reads_it(text)
    assert items["Lesson 00"] == (None, str(FIRST.points + SECOND.points))
    assert [row["Lesson 00"] for row in rows] == [str(FIRST.points), "", "0"]


def test_no_title_of_the_course_looks_like_one_with_an_id_or_a_sum_of_canvas():
    for title, *_ in forms.items([], "exercises"):
        assert not re.search(r"\s\(\d+\)$", title)
        assert not re.search("(Current|Final|Override) (Score|Points|Grade|Status)", title)


def test_moodle_finds_people_by_the_id_that_most_have_and_no_grade_is_a_dash():
    text, absent = forms.moodle(CLASS, PEOPLE, forms.items(ASKED, "exercises"))
    header, *rows = csv.reader(io.StringIO(text))
    assert header == ["email", *(f"{one.id} {one.title}" for one in (FIRST, SECOND, THIRD))]
    assert absent == []
    assert rows == [
        ["Ann@x.org", str(FIRST.points), "0", "-"],  # case counts there
        ["bob@x.org", "-", "-", str(THIRD.points)],
        ["cy@x.org", "0", "0", "0"],
    ]
    numbers = People({one.learner: {"idnumber": f"n{n}"} for n, (one, _) in enumerate(CLASS)})
    text, _ = forms.moodle(CLASS, numbers, forms.items(ASKED, "lessons"))
    assert text.splitlines()[:2] == ["idnumber,Lesson 00,Lesson 01", f"n0,{FIRST.points},-"]


@pytest.mark.parametrize(
    "row, other",
    [
        ({}, {}),
        ({"id": "7"}, {"id": "7"}),  # two of one id: the points of one would go to the other
        ({"id": "7b"}, {}),  # Canvas would take it for 7
        ({"sis user id": "=1+1"}, {}),
        ({"sis login id": "a;-1"}, {}),
        ({"section": "S 1", "student": "Ann"}, {}),
    ],
)
def test_who_has_no_id_alone_is_left_out_and_named(tmp_path, row, other):
    people = People({"Ann": row, "Öberg, Bob": other, "Cy": {"id": "9"}})
    said = forms.write("canvas", CLASS, tmp_path, people, forms.items(ASKED, "lessons"))
    _, rows = as_canvas_reads_it((tmp_path / "canvas.csv").read_text(encoding="utf-8"))
    assert [one["Student"] for one in rows] == ["Cy"]
    (line,) = said
    assert line.startswith("not in canvas.csv") and line.endswith(": Ann, Öberg, Bob")


def test_no_name_becomes_the_row_of_points_or_a_formula():
    """A file may be called so, and its learner then."""
    names = ["    Points Possible", "=1+1", "a;=1+1"]
    class_ = [result(name, "passed", "passed", "passed") for name in names]
    people = People({name: {"id": str(number)} for number, name in enumerate(names, 1)})
    text, _ = forms.canvas(class_, people, forms.items(ASKED, "exercises"))
    _, rows = as_canvas_reads_it(text)
    assert [row["Student"] for row in rows] == ["    Points-Possible", "'=1+1", "a;'=1+1"]
    assert [row["ID"] for row in rows] == ["1", "2", "3"]


def test_a_roster_is_read_with_the_columns_of_canvas_itself(tmp_path):
    """Its own export, with the columns file and learner put in: also the items' ids."""
    path = tmp_path / "names.csv"
    path.write_text(
        "\ufefffile,learner,Student,ID,SIS User ID,SIS Login ID,Section,Lesson 00 (11)\n"
        ",,    Points Possible,,,,,5\n"
        's1,Ann Ö,"Ö, Ann",7,u7,ann,S 1,3\n'
        "s2.json,Bob,,8,,,,\n"
        "s2,Bob,Bob B,,,bob,,\n",
        encoding="utf-8",
    )
    people = read_people(path)
    assert people.titles == {"Lesson 00": "Lesson 00 (11)"}
    assert people.rows["Ann Ö"]["student"] == "Ö, Ann"
    assert people.rows["Bob"] | {"file": ""} == {
        "file": "",
        "learner": "Bob",
        "id": "8",
        "student": "Bob B",
        "sis login id": "bob",
    }


def test_nbgrader_gets_lessons_with_all_their_cells_and_what_was_handed_in(tmp_path):
    people = People({"Ann": {"nbgrader": "ann7"}})
    forms.write("nbgrader", CLASS, tmp_path, people, forms.items(ASKED, "lessons"))
    found = json.loads((tmp_path / "nbgrader.json").read_text(encoding="utf-8"))
    cells = {one.id: one.points for one in school.KNOWN.values() if one.lesson == "00"}
    assert found["assignments"]["00"] == cells
    assert list(found["assignments"]) == ["00", "01"]
    assert found["scores"] == {
        "ann7": {"00": {FIRST.id: FIRST.points, SECOND.id: 0}},
        "Öberg, Bob": {"01": {THIRD.id: THIRD.points}},
        "Cy": {"00": {FIRST.id: 0, SECOND.id: 0}, "01": {THIRD.id: 0}},
    }
    people = People({"Ann": {"nbgrader": "Cy"}})  # which is another one's name
    text, absent = forms.nbgrader(CLASS, people, forms.items(ASKED, "lessons"))
    assert (list(json.loads(text)["scores"]), absent) == (["Öberg, Bob"], ["Ann", "Cy"])
