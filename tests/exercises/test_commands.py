"""learn, check and progress on the command line, each as a person types it."""

import shutil
import subprocess
import sys

import nbformat
import pytest

from helpers import __main__ as command_line
from helpers.exercises import catalog, copies, notebook
from helpers.exercises.process import Process
from helpers.files import ROOT
from helpers.lesson_names import lessons_in, sort_out
from tests.exercises import planted

FIRST = next(iter(catalog.exercises().values()))


@pytest.fixture
def work(tmp_path, monkeypatch):
    """Copies of the lessons in a folder of the test's own."""
    monkeypatch.setattr(copies, "WORK", tmp_path / "work")
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    copies.bring(copies.LESSONS, tmp_path / "work")
    return tmp_path / "work"


def put(work, exercise, source):
    """Write an answer into its cell of the copy; return the copy's path."""
    path = sort_out(work)[0][exercise.lesson]
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.metadata.get("exercise") == exercise.id:
            cell.source = source
    nbformat.write(notebook, path)
    return path


def run(*arguments):
    return command_line.main(list(arguments))


def test_with_nothing_written_nothing_is_attempted(work, capsys):
    assert run("check") == 0
    total = len(catalog.exercises())
    line = f"0 of {total} exercises attempted, 0 solved, 0 not yet\n"
    assert capsys.readouterr().out == line
    assert not (work.parent / "progress.json").exists()


def test_a_right_answer_is_solved_and_the_table_knows_it(work, capsys):
    put(work, FIRST, planted.reference(FIRST).source)
    assert run("check", FIRST.lesson) == 0
    assert f"{FIRST.id} {FIRST.title}: solved" in capsys.readouterr().out
    assert run("progress") == 0
    last = capsys.readouterr().out.splitlines()[-1].split()
    assert last[2:5] == ["1", "1", str(FIRST.points)]


def test_a_wrong_answer_gives_status_one(work, capsys):
    path = put(work, FIRST, planted.written(FIRST)[0].answer.source)
    assert run("check", str(path)) == 1
    said = capsys.readouterr().out
    assert f"{FIRST.id} {FIRST.title}: not yet" in said
    assert said.endswith("exercises attempted, 0 solved, 1 not yet\n")


def test_an_answer_that_is_no_python_gives_one_line_and_status_one(work, capsys):
    put(work, FIRST, f"def {FIRST.function}(:\n")
    assert run("check", FIRST.lesson) == 1
    assert "line 1 of its cell is no Python" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", ["99", "no_such_file.ipynb", "README.md"])
def test_a_wrong_argument_gives_status_two_and_one_line(work, wrong, capsys):
    assert run("check", wrong) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1


def test_learn_renews_the_copies_and_opens_the_lesson_that_is_asked_for(work, monkeypatch, capsys):
    opened = []
    monkeypatch.setattr(subprocess, "call", lambda command, **more: opened.append(command) or 0)
    (work / "00_one_token.ipynb").unlink()
    monkeypatch.setattr(copies.bring, "__defaults__", (copies.LESSONS, work))
    assert run("learn", "3") == 0
    assert (work / "00_one_token.ipynb").exists()
    assert "03_causal_attention.ipynb" in opened[0]
    assert run("learn", "--no-open") == 0
    assert len(opened) == 1


def test_learn_where_the_course_cannot_be_written_names_the_remedy(work, monkeypatch, capsys):
    def fails():
        raise OSError(30, "Read-only file system", str(work))

    monkeypatch.setattr(copies, "bring", fails)
    assert run("learn", "--no-open") == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"({work}: Read-only file system): set the variable COURSE_WORK" in line


def test_copies_that_lie_elsewhere_are_made_and_opened_there(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COURSE_WORK", str(tmp_path / "mine"))
    command = [sys.executable, "-m", "helpers", "learn", "--no-open"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert f"lessons are ready in {tmp_path / 'mine'}\n" in done.stdout
    assert (tmp_path / "mine" / "00_one_token.ipynb").is_file()
    question = "from helpers.exercises.record import Progress; print(Progress().path, end='')"
    monkeypatch.delenv("COURSE_PROGRESS", raising=False)
    path = subprocess.check_output([sys.executable, "-c", question], cwd=ROOT, text=True)
    assert path == str(tmp_path / "mine" / "progress.json")


def test_jupyterlab_shows_the_course_or_the_copies_alone_where_they_lie_elsewhere(
    tmp_path, monkeypatch
):
    opened = []
    monkeypatch.setattr(copies, "bring", lambda: [])
    monkeypatch.setattr(subprocess, "call", lambda words, **more: opened.append((words, more)))
    for folder in (ROOT / "work", tmp_path):
        monkeypatch.setattr(copies, "WORK", folder)
        run("learn", "00")
    (words, more), (others, elsewhere) = opened
    assert "work/00_one_token.ipynb" in words and more["cwd"] == ROOT
    assert "00_one_token.ipynb" in others and elsewhere["cwd"] == tmp_path


def test_learn_and_check_go_on_beside_a_strange_lesson_and_learn_names_it(
    work, monkeypatch, capsys, tmp_path
):
    lessons = tmp_path / "lessons"
    lessons.mkdir()
    for name in (f"{FIRST.lesson}_a.ipynb", f"{FIRST.lesson}a_b.ipynb", "3_x.ipynb"):
        shutil.copy(lessons_in(copies.LESSONS)[FIRST.lesson], lessons / name)
    monkeypatch.setattr(copies, "LESSONS", lessons)
    monkeypatch.setattr(copies, "WORK", tmp_path / "mine")
    monkeypatch.setattr(copies.bring, "__defaults__", (lessons, tmp_path / "mine"))
    assert run("learn", "--no-open", FIRST.lesson) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("'3_x.ipynb' in lessons/ is no lesson's name: rename it")
    assert last == f"2 lessons are ready in {tmp_path / 'mine'}"
    assert run("check") == 0


@pytest.mark.parametrize("name", ["3_x.ipynb", "03 copy.ipynb", "03A_x.ipynb", "mine.ipynb"])
def test_a_learners_own_notebook_may_have_any_name(work, name, capsys):
    path = put(work, FIRST, planted.reference(FIRST).source)
    path.rename(work / name)
    assert run("check", str(work / name)) == 0
    assert f"{FIRST.id} {FIRST.title}: solved" in capsys.readouterr().out


def test_learn_names_the_lessons_that_exist(work, capsys):
    assert run("learn", "77") == 2
    assert "no lesson '77'; these exist: 00 01 02" in capsys.readouterr().err


def test_check_speaks_under_an_ascii_terminal(work, on_a_narrow_console):
    """C83: answers and messages in any script, LC_ALL=C, no UTF-8 mode."""
    source = f"def {FIRST.function}(*x):\n    raise ValueError('→ あ 🙂 é')\n"
    path = put(work, FIRST, source)
    result = on_a_narrow_console("check", path)
    assert result.returncode == 1, result.stderr.decode("latin-1")
    assert b"ValueError" in result.stdout
    assert b"Traceback" not in result.stderr


def test_answers_that_cannot_be_run_give_one_line_and_status_two(work, monkeypatch, capsys):
    put(work, FIRST, planted.reference(FIRST).source)
    monkeypatch.setattr(notebook, "PROCESS", Process(["false"]))
    assert run("check", FIRST.lesson) == 2
    said = capsys.readouterr().err
    assert "did not start" in said and len(said.splitlines()) == 1


def test_a_record_that_cannot_be_written_spoils_no_check(work, monkeypatch, capsys):
    (work.parent / "a_file").write_text("")
    monkeypatch.setenv("COURSE_PROGRESS", str(work.parent / "a_file" / "progress.json"))
    put(work, FIRST, planted.reference(FIRST).source)
    assert run("check", FIRST.lesson) == 0
    assert "could not be recorded" in capsys.readouterr().out
