"""make grade as a person types it: what is printed, and what a wrong word gives."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from helpers import __main__ as command_line
from helpers.exercises import catalog
from helpers.grading import batch, grade, reading, reports, sandbox
from helpers.grading.gradebook import Grade
from tests.grading import school
from tests.making import make

EXERCISES = len(catalog.exercises())


def run(*arguments):
    try:
        return command_line.main(["grade", *map(str, arguments)])
    except SystemExit as ended:
        return ended.code


def refused(capsys, *arguments):
    """Return the one line that a wrong argument gives; its status is 2."""
    assert run(*arguments) == 2
    out, err = capsys.readouterr()
    assert len(err.splitlines()) == 1, err
    assert "graded" not in out
    return err


@pytest.fixture
def handed(tmp_path):
    school.hand_in(tmp_path / "in", "ann", school.answers("mixed"))
    school.hand_in(tmp_path / "in", "bob", school.answers("empty"))
    return tmp_path / "in"


@pytest.fixture
def quick(monkeypatch):
    """Replace grading and the proof by something quick; return what was proved and graded."""
    done = []

    def quickly(handed, terms, slot, asked):
        done.append(terms)
        grades = [Grade(e, "failed", 0, 2, [["", "", "no"]]) for e in catalog.select(asked)]
        grades[0] = Grade(grades[0].exercise, "passed", 2, 2, [])
        return grade.Graded(handed.learner, handed.name, handed.digest, grades)

    monkeypatch.setattr(grade, "grade", quickly)
    monkeypatch.setattr(batch, "_PROVEN", set())
    monkeypatch.setattr(sandbox, "prove", lambda slot, hidden: done.append(hidden))
    return done


def test_what_is_printed_and_what_comes_out(handed, tmp_path, quick, capsys):
    assert run(handed, tmp_path / "out") == 0
    lines = capsys.readouterr().out.splitlines()
    assert "2 of 2 submissions, about 0 s left" in lines
    start = next(number for number, line in enumerate(lines) if line.startswith("learner "))
    assert [line.split() for line in lines[start + 1 : start + 3]] == [
        ["ann", "1", str(EXERCISES - 1), "0", "0", "2", "of", str(2 * EXERCISES)],
        ["bob", "1", str(EXERCISES - 1), "0", "0", "2", "of", str(2 * EXERCISES)],
    ]
    assert lines[0] == "the sandbox holds"
    assert lines[-2].startswith("2 graded now; half of them took less than ")
    assert re.fullmatch(r"graded 2 of 2 submissions in \d+ s", lines[-1])
    names = {path.name for path in (tmp_path / "out").iterdir()}
    pictures = {"exercises.png", "points.png"}
    assert names == {"gradebook.db", "grades.csv", "index.html", "learners", "read.json"} | pictures
    # the proof looks for what must stay hidden
    assert quick[0] == [handed, tmp_path / "out"]


def test_own_work_needs_no_sandbox(tmp_path, monkeypatch, capsys):
    """A real run without one: right, wrong and empty answers."""
    monkeypatch.setattr(sandbox, "prove", None)
    monkeypatch.setattr(sandbox, "SandboxProcess", None)
    school.hand_in(tmp_path / "in", "me", school.answers("mixed"))
    assert run(tmp_path / "in", tmp_path / "out", "--own-work") == 0
    said = capsys.readouterr().out
    (line,) = [line for line in said.splitlines() if line.startswith("me ")]
    assert line.split()[1:4] == ["1", "1", "1"]


def test_without_bwrap_it_refuses_with_the_remedy_and_says_how_to_grade_ones_own(handed, tmp_path):
    """As a process of its own, with a PATH on which there is none."""
    (tmp_path / "bin").mkdir()
    for program in ("setpriv", "prlimit", "choom"):
        found = shutil.which(program)
        if found:
            os.symlink(found, tmp_path / "bin" / program)
    done = subprocess.run(
        [sys.executable, "-m", "helpers", "grade", str(handed), str(tmp_path / "out")],
        cwd=catalog.ROOT,
        env={**os.environ, "PATH": str(tmp_path / "bin")},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("There is no ")
    for words in ("sudo apt install bubblewrap", "apparmor_restrict", "--own-work"):
        assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_sandbox_that_does_not_hold_grades_nothing(handed, tmp_path, quick, monkeypatch, capsys):
    def prove(slot, hidden):
        raise sandbox.NoSandbox("The sandbox does not hold: an answer can write in /tmp.")

    monkeypatch.setattr(sandbox, "prove", prove)
    assert "an answer can write in /tmp. To grade" in refused(capsys, handed, tmp_path / "out")
    assert quick == []


def test_wrong_arguments_give_one_line(handed, tmp_path, quick, capsys):
    out = tmp_path / "out"
    (tmp_path / "file").write_text("")
    (tmp_path / "none").mkdir()
    cases = {
        (): "FROM, TO",
        (handed,): "TO",
        (handed, out, "--workers", "0"): "--workers: give a number above zero, not '0'",
        (handed, out, "--workers", "two"): "'two'",
        (handed, out, "--seconds", "-1"): "--seconds: give a number above zero, not '-1'",
        (handed, out, "--what", "03,99"): "'99' is no lesson and no exercise: give numbers such as",
        (handed, out, "--seconds", "nan"): "'nan'",
        (handed, out, "--submission-seconds", "0"): "give a number above zero, not '0'",
        (handed, out, "--for", "blackboard"): "'canvas', 'moodle', 'nbgrader'",
        (handed, out, "--for", "canvas"): "add a --roster with the columns file, learner and one",
        (handed, out, "--items", "lines"): "'exercises', 'lessons'",
        (handed, out, "a\x1b[31mb\nc"): "a\ufffd[31mb",
        (handed, "/proc/a\x1b[31m"): "a\ufffd[31m cannot be written",
        (tmp_path / "no\x1b[2Jwhere", out): "no\ufffd[2Jwhere is no folder",
        (handed, out, "--what"): "--what",
        (tmp_path / "nowhere", out): "nowhere is no folder",
        (tmp_path / "file", out): "file is no folder",
        (tmp_path / "none", out): "there are no submissions in",
        (handed, out, "--roster", tmp_path / "no.csv"): "no.csv cannot be read: No such file",
        (handed, out, "--gradebook", "nonsense"): "the gradebook cannot be opened",
        (handed, out, "--cluster", "nonsense://x"): "no Dask scheduler answers at nonsense://x",
        (handed, handed): "lies in the folder of the submissions",
        (handed, handed / "out"): "lies in the folder of the submissions",
        (handed, tmp_path / "file"): "file cannot be written: ",
        (handed, tmp_path / "file/out"): "out cannot be written: ",
        (handed, "/proc/out"): "out cannot be written: ",
    }
    for arguments, words in cases.items():
        assert words in refused(capsys, *arguments), arguments
    assert not (handed / "out").exists()


def test_two_of_one_learner_are_refused(handed, tmp_path, quick, capsys):
    school.hand_in(handed, "ann", school.answers("right"), "notebook")
    said = refused(capsys, handed, tmp_path / "out")
    assert "belong to one learner (ann: ann.ipynb and ann.json)" in said


def test_a_roster_in_the_folder_itself_is_no_submission(handed, tmp_path, quick, capsys):
    (handed / "roster.csv").write_text("file,learner\nann.json,Ann Öberg\n", encoding="utf-8")
    assert run(handed, tmp_path / "out", "--roster", handed / "roster.csv") == 0
    said = capsys.readouterr().out
    assert "not graded" not in said
    assert "Ann Öberg" in said


def test_a_folder_that_fills_up_on_the_way_gives_one_line(
    handed, tmp_path, quick, monkeypatch, capsys
):
    def write(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(reports, "write", write)
    assert "out cannot be written: No space left" in refused(capsys, handed, tmp_path / "out")


def test_some_not_graded_give_status_one(handed, tmp_path, quick, monkeypatch, capsys):
    def fails(*arguments):
        raise RuntimeError

    monkeypatch.setattr(grade, "grade", fails)
    assert run(handed, tmp_path / "out") == 1
    lines = capsys.readouterr().out.splitlines()
    assert sorted(lines[-3:-1]) == [
        "ann.json was not graded: RuntimeError",
        "bob.json was not graded: RuntimeError",
    ]
    assert re.fullmatch(r"graded 0 of 2 submissions in \d+ s", lines[-1])


def test_other_terms_are_graded_anew(handed, tmp_path, quick):
    ways = [[], ["--seconds", "3"], ["--own-work"], ["--submission-seconds", "9"]]
    for more in (*ways, *ways):
        run(handed, tmp_path / "out", *more)
    graded = [one for one in quick if isinstance(one, grade.Terms)]
    assert len(graded) == 8
    assert [one.in_all for one in graded] == [300] * 6 + [9] * 2


def test_what_is_unchanged_is_not_read_again(handed, tmp_path, quick, monkeypatch):
    monkeypatch.setattr(reading, "MOMENT", -(10**18))
    assert run(handed, tmp_path / "out") == 0
    first = (tmp_path / "out/grades.csv").read_bytes()
    monkeypatch.setattr(reading, "read", None)
    assert run(handed, tmp_path / "out") == 0
    assert (tmp_path / "out/grades.csv").read_bytes() == first


def test_other_systems_get_files_of_their_own(handed, tmp_path, quick, capsys):
    roster = tmp_path / "names.csv"
    roster.write_text("file,learner,ID,email\nann,Ann Ö,7,ann@x.org\n", encoding="utf-8")
    more = [word for form in ("canvas", "moodle", "nbgrader") for word in ("--for", form)]
    more += ["--roster", roster, "--items", "lessons", "--what", "00,01"]
    assert run(handed, tmp_path / "out", *more) == 0
    said = capsys.readouterr().out.splitlines()
    for name in ("canvas.csv", "moodle.csv"):
        assert f"not in {name}, since the roster has no id for them alone: bob" in said
    canvas = (tmp_path / "out/canvas.csv").read_text(encoding="utf-8").splitlines()
    assert canvas[0] == "Student,ID,SIS User ID,SIS Login ID,Section,Lesson 00,Lesson 01"
    assert canvas[2:] == ["Ann Ö,7,,,,2,0"]
    moodle = (tmp_path / "out/moodle.csv").read_text(encoding="utf-8").splitlines()
    assert moodle == ["email,Lesson 00,Lesson 01", "ann@x.org,2,0"]
    assert '"Ann Ö"' in (tmp_path / "out/nbgrader.json").read_text(encoding="utf-8")
    assert run(handed, tmp_path / "out", "--for", "nbgrader", "--what", "00,01") == 0
    said = capsys.readouterr().out.splitlines()
    assert [line for line in said if "earlier run" in line] == [
        "canvas.csv is of an earlier run: --for canvas writes it anew",
        "moodle.csv is of an earlier run: --for moodle writes it anew",
    ]


WARNS = """
import sys, warnings
from helpers import __main__ as line
line.COMMANDS["grade"] = lambda words: warnings.warn("of a library", UserWarning) or 0
sys.exit(line.main(["grade"]))
"""


def test_no_librarys_warning_reaches_people_who_did_not_ask_for_it():
    for more, words in (([], ""), (["-W", "default"], "of a library")):
        done = subprocess.run(
            [sys.executable, *more, "-c", WARNS], cwd=catalog.ROOT, capture_output=True, text=True
        )
        assert done.returncode == 0
        assert (words in done.stderr) if words else done.stderr == ""


def test_no_control_sign_of_a_name_is_printed(tmp_path):
    """Also where an answer makes Python warn: of an escape, of `is` beside a text."""
    (tmp_path / "in").mkdir()
    answer = {"01.1": 'def floor_bits(*x):\n    return "\\d" is "x"\n'}
    school.hand_in(tmp_path / "in", "a\x1b[31mb", answer)
    (tmp_path / "in" / "x\x1b]0;t\x07.pdf").write_text("")
    (tmp_path / "in" / "y\x1b[2J.json").write_text("{")
    roster = tmp_path / "r\x1b[1m.csv"
    roster.write_text("file,learner\nz,\x1b[5mZed\n")
    command = [sys.executable, "-m", "helpers", "grade", tmp_path / "in", tmp_path / "out"]
    done = subprocess.run(
        [*command, "--own-work", "--what", "01.1", "--roster", roster],
        cwd=catalog.ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert not [sign for sign in done.stdout if sign != "\n" and not sign.isprintable()]
    for words in ("a\ufffd[31mb", "x\ufffd]0;t\ufffd.pdf", "y\ufffd[2J.json", "\ufffd[5mZed"):
        assert words in done.stdout


def test_a_folder_with_odd_signs_in_its_name_works(handed, tmp_path, quick):
    out = tmp_path / "a b?c%20#d é"
    assert run(handed, out) == 0
    assert (out / "gradebook.db").is_file()


def test_c83_any_name_under_an_ascii_terminal(tmp_path, on_a_narrow_console):
    school.hand_in(tmp_path / "in", "→ あ 🙂 é", school.answers("empty"))
    done = on_a_narrow_console("grade", tmp_path / "in", tmp_path / "out", "--own-work")
    assert (done.returncode, done.stderr) == (0, b"")
    assert rb"\u2192 \u3042 \U0001f642" in done.stdout


@pytest.mark.skipif(not shutil.which("make"), reason="there is no make here")
def test_make_hands_over_what_it_is_given():
    def grade(*words):
        said = make("-n", "grade", *words).stdout.replace("\\\n", " ")
        (line,) = [line for line in said.splitlines() if "helpers grade" in line]
        return " ".join(line.partition("helpers grade")[2].split())

    assert grade("FROM=a b", "TO=c") == '"a b" "c"'
    words = ("WHAT=03,04.1", "CLUSTER=tcp://x", "ROSTER=r s.csv", "MORE=--seconds 3")
    more = grade("FROM=a", "TO=c", *words)
    assert more == '"a" "c" --what "03,04.1" --cluster "tcp://x" --roster "r s.csv" --seconds 3'
    for words in ([], ["FROM=a"], ["TO=c"]):
        said = make("-n", "grade", *words).stdout
        assert 'echo "make grade FROM=folder TO=folder"; exit 2' in said
