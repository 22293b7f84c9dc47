"""What comes out of grading: the table, the CSV file, the pages, and nothing that runs."""

import csv
import io
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from helpers.exercises import catalog
from helpers.grading import reports, submission
from helpers.grading.gradebook import Grade
from tests.grading import school

FIRST, SECOND, THIRD = school.EXERCISES
POINTS = {exercise: school.KNOWN[exercise].points for exercise in school.EXERCISES}
FORMULA = (*"=+-@＝＋－＠", "\t", "\r")
SCRIPT = "\"><script>alert(1)</script><img src=x onerror=alert(1)>' &amp;"


def result(learner, *states, fault="the rows do not sum to 1", name="handed.json"):
    """Return (submission, grades): a state for each of EXERCISES."""
    grades = []
    for exercise, state in zip(school.EXERCISES, states, strict=True):
        points = POINTS[exercise] if state == "passed" else 0
        feedback = [["holds", "a", ""]] if state == "passed" else [["fails", "rows", fault]]
        grades.append(Grade(exercise, state, points, POINTS[exercise], feedback))
    return submission.Submission(learner, name, "digest"), grades


CLASS = [
    result("Ann", "passed", "passed", "passed"),
    result("Bob", "passed", "failed", "failed"),
    result("Cy", "passed", "failed", "missing"),
    result("花子 🙂", "failed", "failed", "not attempted"),
]


class Reader(HTMLParser):
    """Collects tags with their attributes, and the text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data + "\n"

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


def pages(folder):
    return {path.name: Reader(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")}


def test_the_table_has_a_line_for_each_learner_with_points():
    lines = reports.table(CLASS).splitlines()
    assert lines[0].split() == "learner solved failed not attempted missing points".split()
    assert [line.split()[-7:] for line in lines[1:4]] == [
        ["3", "0", "0", "0", "5", "of", "5"],
        ["1", "2", "0", "0", "1", "of", "5"],
        ["1", "1", "0", "1", "1", "of", "5"],
    ]
    assert lines[4].split() == ["花子", "🙂", "0", "2", "1", "0", "0", "of", "5"]
    # three wide signs take three columns more than they are characters
    assert len(lines[4]) == len(lines[1]) - 3


def read_csv(folder):
    assert (folder / "grades.csv").read_bytes().startswith(b"\xef\xbb\xbf")  # for spreadsheets
    with open(folder / "grades.csv", encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_the_csv_file_holds_every_grade(tmp_path):
    reports.write(CLASS, tmp_path)
    rows = read_csv(tmp_path)
    assert [row["learner"] for row in rows] == ["Ann", "Bob", "Cy", "花子 🙂"]
    assert list(rows[0]) == ["learner", *school.KNOWN, "points", "of", "submission", "page"]
    for row in rows:  # which leads from a line to the page
        assert row["learner"] in (tmp_path / row["page"]).read_text(encoding="utf-8")
    assert [rows[1][exercise] for exercise in school.EXERCISES] == [str(POINTS[FIRST]), "0", "0"]
    assert [row["points"] for row in rows] == ["5", "1", "1", "0"]
    assert {row["of"] for row in rows} == {"5"}


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-1", "@x", "=cmd|' /C calc'!A0", "＝1+1", '="a"', "=1\n=2"]
)
def test_no_spreadsheet_runs_a_learners_name(tmp_path, name):
    reports.write([result(name, "passed", "passed", "passed")], tmp_path)
    (row,) = read_csv(tmp_path)
    assert row["learner"] == "'" + name.replace("\n", "\n'")


def test_a_grading_of_some_lessons_speaks_of_these_only(tmp_path):
    some = [(one, [g for g in grades if g.exercise == FIRST]) for one, grades in CLASS]
    reports.write(some, tmp_path, [FIRST])
    (row, *_) = read_csv(tmp_path)
    assert list(row) == ["learner", FIRST, "points", "of", "submission", "page"]
    assert SECOND not in (tmp_path / "index.html").read_text(encoding="utf-8")


def test_what_was_not_read_is_told_to_the_learner_and_the_instructor(tmp_path):
    one, grades = result("Ann", "missing", "passed", "passed")
    one = replace(one, problems=("file 2 of 3: it is no JSON document",))
    reports.write([(one, grades)], tmp_path)
    for path in (tmp_path / "index.html", *(tmp_path / "learners").iterdir()):
        assert "file 2 of 3: it is no JSON document" in path.read_text(encoding="utf-8")
    assert read_csv(tmp_path)[0][FIRST] == ""  # not handed in is not 0


def test_pages_of_an_earlier_grading_go_and_other_files_stay(tmp_path):
    reports.write(CLASS, tmp_path)
    (tmp_path / "learners" / "mine.html").write_text("")
    reports.write(CLASS[:1], tmp_path)
    left = {path.name for path in (tmp_path / "learners").iterdir()}
    assert left == {"mine.html", reports.page_name("Ann")}


def test_names_with_separators_stay_one_field(tmp_path):
    reports.write([result('Ö, "A"; b\tc', "passed", "passed", "passed")], tmp_path)
    assert read_csv(tmp_path)[0]["learner"] == 'Ö, "A"; b\tc'


@pytest.mark.parametrize("mark", [";", "\t", "|", ","])
def test_no_part_of_a_name_is_a_formula_whatever_the_spreadsheet_takes_for_the_comma(
    tmp_path, mark
):
    """The file's own marks, quotes around the formula or spaces before it: in both columns."""
    for before in ("", '"', " ", "\t"):
        name = f"Ann{mark}{before}=cmd^'/C calc'!A0{mark}b"
        reports.write([result(name, "passed", "passed", "passed", name=name)], tmp_path)
        text = (tmp_path / "grades.csv").read_text(encoding="utf-8-sig")
        for quotes in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
            rows = csv.reader(io.StringIO(text), delimiter=mark, quoting=quotes)
            found = [cell for row in rows for cell in row]
            assert any("calc" in cell for cell in found)
            assert not [cell for cell in found if cell.strip(' \t"')[:1] in FORMULA]


def test_nothing_that_was_handed_in_runs_on_a_page(tmp_path):
    one = result(SCRIPT, "failed", "failed", "failed", fault=SCRIPT, name=SCRIPT)
    reports.write([one], tmp_path)
    for page in pages(tmp_path).values():
        assert page.all("script") == []
        assert SCRIPT in page.text
        assert {image["src"] for image in page.all("img")} <= {"exercises.png", "points.png"}
        assert not any(name.startswith("on") for _, found in page.tags for name in found)
        (title,) = re.findall(r"<title>(.*)</title>", (tmp_path / "index.html").read_text())
        assert title == "Grades"


def test_pages_ask_nobody_for_anything_and_every_picture_has_a_text(tmp_path):
    reports.write(CLASS, tmp_path)
    for path in tmp_path.rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"//|@import|url\(|<link|<iframe|<object", text)
    index = pages(tmp_path)["index.html"]
    assert len(index.all("img")) == 2
    for image in index.all("img"):
        assert (tmp_path / image["src"]).read_bytes().startswith(b"\x89PNG")
        assert len(image["alt"]) > 40
    for link in index.all("a"):
        assert (tmp_path / link["href"]).is_file()
    assert {tag for tag, _ in index.tags} >= {"title", "h1", "h2", "table"}
    assert index.all("html") == [{"lang": "en"}]


def test_names_that_look_alike_have_pages_of_their_own(tmp_path):
    names = [
        "ann",
        "Ann",
        "a/n",
        "a\\n",
        "a n",
        "..",
        "../ann",
        "花子",
        "太郎",
        "",
        "a" * 80,
        "nul",
    ]
    class_ = [result(name, "passed", "passed", "passed") for name in names]
    reports.write(class_, tmp_path)
    found = {reports.page_name(name).lower() for name in names}
    assert len(found) == len(names)
    assert {path.name.lower() for path in (tmp_path / "learners").iterdir()} == found
    assert all(re.fullmatch(r"[a-z0-9-]{1,80}\.html", name) for name in found)
    assert {path.name for path in tmp_path.iterdir()} == {
        "learners",
        "index.html",
        "grades.csv",
        "exercises.png",
        "points.png",
    }


def test_a_learners_page_has_points_states_and_feedback_and_no_other_learner(tmp_path):
    reports.write(CLASS, tmp_path)
    page = pages(tmp_path / "learners")[reports.page_name("Bob")]
    assert "1 of 5 points. Submission: handed.json" in page.text
    assert page.text.count("the rows do not sum to 1") == 2
    assert "not who wrote it" in page.text
    assert not any(name in page.text for name in ("Ann", "Cy", "花子"))
    ann = pages(tmp_path / "learners")[reports.page_name("Ann")]
    assert ann.all("li") == []


def table_after(reader, heading):
    """Return the words behind a heading, up to the next one."""
    lines = [line.strip() for line in reader.text.splitlines() if line.strip()]
    return " ".join(lines[lines.index(heading) + 1 :])


def test_the_overviews_figures_are_right(tmp_path):
    reports.write(CLASS, tmp_path)
    index = pages(tmp_path)["index.html"]
    exercises, points = [image["alt"] for image in index.all("img")]
    assert "In all 5 passed, 5 failed, 1 not attempted, 1 missing." in exercises
    assert points == ("Distribution of the points of 4 submissions: from 0 to 5, the middle one 1.")
    counts = reports._counts(CLASS, school.KNOWN)
    assert [counts[exercise] for exercise in school.EXERCISES] == [
        [3, 1, 0, 0],
        [1, 3, 0, 0],
        [1, 1, 1, 1],
    ]
    hardest = reports._hardest(CLASS, school.KNOWN)
    assert [(e.id, tried, solved) for e, tried, solved in hardest] == [
        (SECOND, 4, 1),
        (THIRD, 2, 1),
        (FIRST, 4, 3),
    ]
    fault = "the rows do not sum to 1"
    assert reports._commonest(CLASS) == [
        ((SECOND, fault), 3),
        ((FIRST, fault), 1),
        ((THIRD, fault), 1),
    ]
    said = table_after(index, "Hardest exercises")
    assert said.startswith(
        f"exercise tried solved {SECOND} {school.KNOWN[SECOND].title} 4 1 "
        f"{THIRD} {school.KNOWN[THIRD].title} 2 1 {FIRST} {school.KNOWN[FIRST].title} 4 3"
    )
    said = table_after(index, "Learners")
    assert said.startswith("learner solved points Ann 3 5 Bob 1 1 Cy 1 1 花子 🙂 0 0")


def test_a_learner_whose_time_was_used_up_is_named_below_the_table_and_told_so(tmp_path):
    fault = f"{reports.TIME_IS_UP} (300 s)"
    slow = result("Bob", "passed", "failed", "failed", fault=fault)
    lines = reports.table([CLASS[0], slow]).splitlines()
    said = "Bob: the time of a submission was used up, 2 exercises were not run"
    assert lines[3:] == [said]
    reports.write([CLASS[0], slow], tmp_path)
    page = pages(tmp_path / "learners")
    assert page[reports.page_name("Bob")].text.count(fault) == 2
    assert "used up, and 2\nof its exercises" in page[reports.page_name("Bob")].text
    assert "used up" not in page[reports.page_name("Ann")].text


def test_the_same_fault_in_two_properties_counts_once_for_a_submission():
    one, grades = result("Ann", "failed", "passed", "passed")
    grades[0].feedback.append(["fails", "columns", "the rows do not sum to 1"])
    grades[0].feedback.append(["holds", "x", "never"])
    assert reports._commonest([(one, grades)]) == [((FIRST, "the rows do not sum to 1"), 1)]


def test_writing_again_gives_the_same_bytes_and_leaves_nothing_else(tmp_path):
    def contents():
        return {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    reports.write(CLASS, tmp_path)
    before = contents()
    reports.write(CLASS, tmp_path)
    assert contents() == before


def test_pictures_that_cannot_be_drawn_are_said_in_one_line(tmp_path):
    with pytest.raises(OSError, match=r"pictures could not be drawn \(FileNotFoundError") as caught:
        reports.pictures.draw(tmp_path / "none", list("abcd"), {"01.1": [1, 0, 0, 0]}, [1], 1)
    assert len(caught.value.strerror.splitlines()) == 1


def test_the_grader_does_not_hold_what_drawing_and_notebooks_need():
    """That is 55 MB, and more than a second of every start."""
    said = (
        "import sys, helpers.grading.commands; print({'matplotlib', 'nbformat'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", said], cwd=catalog.ROOT, capture_output=True)
    assert done.stdout.decode().strip() == "set()"


def test_a_class_of_nobody_has_pages_too(tmp_path):
    reports.write([], tmp_path)
    assert "0 submissions" in pages(tmp_path)["index.html"].text
