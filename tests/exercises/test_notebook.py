"""What a learner sees: check, hint, solution, progress, and a whole notebook in a real kernel."""

import io
import os
import signal
import sys
import threading

import nbformat
import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell
from nbclient import NotebookClient

import helpers.exercises
from helpers.exercises import catalog, notebook
from helpers.exercises.exercise import FAILED, PASSED, Line, Report
from helpers.exercises.process import ROOT, Process
from helpers.exercises.record import Progress
from tests.exercises import tiny
from tests.notebooks import code

SHELL = InteractiveShell()


@pytest.fixture(autouse=True)
def course(monkeypatch, tmp_path, process):
    """A course of two exercises, its record and its solutions in a folder of their own."""

    class Lesson:
        EXERCISES = (tiny.exercise(), tiny.exercise(id="03.4", title="Again"))

    monkeypatch.setattr(catalog, "LESSONS", (Lesson,))
    monkeypatch.setattr(catalog, "SOLUTIONS", tmp_path)
    (tmp_path / "03_3_twice.py").write_text(tiny.RIGHT, encoding="utf-8")
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    monkeypatch.setattr(notebook, "PROCESS", process)
    return tmp_path


def cell(source, name="twice"):
    """Run a cell as a notebook does; return the function it defines."""
    SHELL.run_cell(source, store_history=False)
    return SHELL.user_ns[name]


def said(capsys):
    return capsys.readouterr().out


class Never:
    """A process that must not be used."""

    def __getattr__(self, name):
        raise AssertionError("a process was started")


def test_a_stub_is_not_attempted_and_leaves_no_trace(monkeypatch, capsys, course):
    monkeypatch.setattr(notebook.PROCESS, "open", Never())
    monkeypatch.setattr(notebook.PROCESS, "start", Never())
    helpers.exercises.check("03.3", cell(tiny.STUB))
    assert said(capsys) == (
        "03.3 Twice the tensor: not attempted. Write twice in the cell above.\n"
    )
    assert not (course / "progress.json").exists()


def test_a_right_answer_is_solved_and_recorded(capsys):
    helpers.exercises.check("03.3", cell(tiny.RIGHT))
    assert said(capsys) == (
        "03.3 Twice the tensor: solved\n"
        "  holds        it has the form of x\n"
        "  holds        it is twice x\n"
        "  holds        what it is given stays as it was\n"
        "  all 3 hold: 2 points\n"
    )
    assert Progress().read()["03.3"]["state"] == PASSED


def test_a_wrong_answer_says_what_fails_and_is_recorded(capsys):
    helpers.exercises.check("03.3", cell("def twice(x):\n    return x * x\n"))
    lines = said(capsys).splitlines()
    assert lines[:2] == ["03.3 Twice the tensor: not yet", "  holds        it has the form of x"]
    assert lines[2] == "  fails        it is twice x"
    assert lines[3].startswith(
        " " * 15 + "it is the square, not twice the number (for 4 numbers: it"
    )
    assert lines[-1] == '  2 of 3 hold. For a step of help: hint("03.3")'
    assert max(map(len, lines)) <= notebook.WIDTH
    assert Progress().read()["03.3"] == {"state": FAILED, "tries": 1, "hints": 0, "asked": False}


def test_an_answer_that_does_not_run_says_why(capsys):
    helpers.exercises.check("03.3", cell("import os\n\n\ndef twice(x):\n    return x\n"))
    lines = said(capsys).splitlines()
    assert lines[1].startswith(
        "  the import of os is not allowed: allowed are torch and, of the standard"
    )
    assert lines[-1] == '  For a step of help: hint("03.3")'
    assert Progress().read()["03.3"]["state"] == FAILED


class Odd:
    """Whatever one asks of it, it raises."""

    def __getattribute__(self, name):
        raise OSError(name)

    def __repr__(self):
        raise OSError

    __str__ = __hash__ = __eq__ = __call__ = __repr__


def test_whatever_is_given_is_answered_in_plain_lines(capsys):
    things = [None, 5, torch.ones(2), len, int, Odd, Odd(), helpers.exercises.check, "a", b"\xff"]
    for number, given in enumerate(things):
        for exercise in ("03.3", "3.3", "", given):
            helpers.exercises.check(exercise, given)
            assert 1 <= len(said(capsys).splitlines()) <= 4, number
        for function in (helpers.exercises.hint, helpers.exercises.solution):
            function(given)
            assert len(said(capsys).splitlines()) == 1, number


def test_an_unknown_id_names_the_nearest_and_records_nothing(capsys, course):
    for function, more in (
        (helpers.exercises.check, (len,)),
        (helpers.exercises.hint, ()),
        (helpers.exercises.solution, ()),
    ):
        function("3.3", *more)
        assert said(capsys) == (
            "there is no exercise '3.3': did you mean \"03.3\" (Twice the tensor)?\n"
        )
    assert not (course / "progress.json").exists()


def test_a_process_that_does_not_start_is_said_and_counts_for_nothing(monkeypatch, capsys, course):
    monkeypatch.setattr(notebook, "PROCESS", Process(("/nowhere/python",)))
    helpers.exercises.check("03.3", cell(tiny.RIGHT))
    text = said(capsys)
    assert text.startswith(
        "03.3 Twice the tensor: not checked, since the process that runs answers"
    )
    assert len(text.splitlines()) == 1
    assert not (course / "progress.json").exists()


def test_what_a_check_did_not_reckon_with_is_a_line_too(monkeypatch, capsys):
    def faulty(call, draw):
        raise KeyError("a\nb")

    class Lesson:
        EXERCISES = (tiny.exercise(("faulty", faulty)),)

    monkeypatch.setattr(catalog, "LESSONS", (Lesson,))
    helpers.exercises.check("03.3", cell(tiny.RIGHT))
    lines = said(capsys).splitlines()
    assert lines[1].split() == ["fails", "faulty"]
    assert lines[2].strip() == "what it returned could not be examined (KeyError)"


def test_where_nothing_can_be_written_the_answer_is_checked_all_the_same(
    monkeypatch, capsys, course
):
    monkeypatch.setenv("COURSE_PROGRESS", str(course / "03_3_twice.py" / "progress.json"))
    helpers.exercises.check("03.3", cell(tiny.RIGHT))
    lines = said(capsys).splitlines()
    assert lines[0] == "03.3 Twice the tensor: solved"
    assert lines[-1].startswith("This could not be recorded: ")
    helpers.exercises.hint("03.3")
    lines = said(capsys).splitlines()
    assert "could not be recorded" in lines[0] and lines[1] == "1 of 3: Think of a sum."
    helpers.exercises.solution("03.3")
    assert "could not be recorded" in said(capsys)
    helpers.exercises.progress()
    assert (
        said(capsys).splitlines()[0].split() == "lesson exercises attempted solved points".split()
    )


def test_hints_come_one_step_further_each_time(capsys):
    expected = ["1 of 3: Think of a sum.", "2 of 3: Test it with zeros.", "3 of 3: return x + x"]
    last = 'That was the last one. solution("03.3") shows an answer.'
    for number in (1, 2):
        helpers.exercises.hint("03.3")
        assert said(capsys).splitlines() == expected[:number]
    for _ in range(2):
        helpers.exercises.hint("03.3")
        assert said(capsys).splitlines() == [*expected, last]
    assert Progress().read()["03.3"]["state"] == ""


def test_the_solution_is_shown_on_the_second_call(capsys):
    helpers.exercises.solution("03.3")
    assert said(capsys) == (
        "This shows a whole answer to 03.3 Twice the tensor. "
        "Call it once more if you want to see it.\n"
    )
    for _ in range(2):
        helpers.exercises.solution("03.3")
        assert said(capsys) == tiny.RIGHT


def test_missing_solutions_are_said(capsys):
    helpers.exercises.solution("03.4")
    said(capsys)
    helpers.exercises.solution("03.4")
    assert said(capsys).startswith("The answers are missing here: they belong in ")


def test_the_table_shows_what_was_done(capsys):
    Progress().checked("03.4", PASSED)
    helpers.exercises.progress()
    assert said(capsys).splitlines()[1:] == [
        "03              2          1       1    2 of 4",
        "all             2          1       1    2 of 4",
    ]


def test_a_damaged_record_is_said_and_the_check_goes_on(capsys, course):
    (course / "progress.json").write_text("{")
    helpers.exercises.progress()
    assert said(capsys).startswith("progress.json was damaged. It is kept as")


def test_a_report_is_laid_out_in_lines():
    exercise = tiny.exercise(points=1)
    report = Report(
        FAILED,
        (
            Line("holds", "a " * 60),
            Line("fails", "b", "the fault " * 12, "what was seen"),
            Line("not reached", "c"),
        ),
    )
    lines = notebook.as_text(exercise, report).splitlines()
    assert lines[1].startswith("  holds        a a") and lines[2].startswith(" " * 15 + "a a")
    assert lines[3] == "  fails        b" and lines[4].startswith(" " * 15 + "the fault")
    assert "not reached  c" in lines[-2] and lines[-1].startswith("  1 of 3 hold. ")
    passed = notebook.as_text(exercise, Report(PASSED, (Line("holds", "a"),)))
    assert passed.endswith("all 1 hold: 1 point")


def test_signs_of_any_script_are_printed_whatever_the_screen_can_show(monkeypatch, capsys):
    """C83."""
    source = "def twice(x):\n    raise ValueError('→ é 日本 😀 \\ud800')\n"
    function = cell(source)
    helpers.exercises.check("03.3", function)
    assert "→ é 日本 😀" in said(capsys)
    for encoding in ("ascii", "cp1252"):
        screen = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", screen)
            helpers.exercises.check("03.3", function)
            helpers.exercises.hint("03.3")
        screen.flush()
        text = screen.buffer.getvalue().decode(encoding)
        assert r"\u2192" in text and r"\U0001f600" in text and "1 of 3" in text


# -- a real kernel

BEFORE = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from helpers.exercises import catalog, check, hint, progress, solution
from tests.exercises import tiny
class Lesson:
    EXERCISES = (tiny.exercise(seconds=2), tiny.exercise(id="03.4", seconds=2))
catalog.LESSONS = (Lesson,)
"""
ANSWERS = {
    "stub": tiny.STUB,
    "wrong": "def twice(x):\n    return x * x\n",
    "right": tiny.RIGHT,
    "loop": "def twice(x):\n    while True: pass\n",
    "raises": "def twice(x):\n    raise ValueError('→ 日本 😀 \\ud800')\n",
    "magic": "%pwd\ndef twice(x):\n    return 2 * x\n",
    "timed": "%%time\ndef twice(x):\n    return 2 * x\n",
    "prints": "def twice(x):\n    print('x' * 10**6)\n    return 2 * x\n",
    "right again": tiny.RIGHT,
}


def printed(made):
    assert all(output.output_type == "stream" for output in made.outputs), made.outputs
    assert all(output.name == "stdout" for output in made.outputs), made.outputs
    return "".join(output.text for output in made.outputs)


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """A notebook with answers of all kinds, run to its end: {name: what its check printed}."""
    folder = tmp_path_factory.mktemp("a notebook")
    cells = [code(BEFORE)]
    for source in ANSWERS.values():
        cells += [code(source), code('check("03.3", twice)')]
    cells += [code('check("3.3", 5)\nhint("03.3")\nprogress()'), code("print('the end')")]
    made = nbformat.v4.new_notebook(cells=cells)
    settings = {**os.environ, "COURSE_PROGRESS": str(folder / "progress.json")}
    client = NotebookClient(
        made, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute(env=settings)
    checks = {name: printed(made.cells[2 + 2 * n]) for n, name in enumerate(ANSWERS)}
    return {**checks, "last": printed(made.cells[-2]), "end": printed(made.cells[-1])}, folder


def test_a_notebook_runs_to_its_end_whatever_its_answers_do(ran):
    texts, folder = ran
    assert texts["end"] == "the end\n"
    first = {
        name: text.splitlines()[0].split(": ", 1)[1] for name, text in list(texts.items())[:-2]
    }
    assert first == {
        "stub": "not attempted. Write twice in the cell above.",
        "wrong": "not yet",
        "right": "solved",
        "loop": "not yet",
        "raises": "not yet",
        "magic": "not yet",
        "timed": "not yet",
        "prints": "solved",
        "right again": "solved",
    }
    assert "it is the square, not twice the number" in texts["wrong"]
    assert "it took longer than 2 s" in texts["loop"]
    assert "it raised ValueError in line 2 of its cell: → 日本 😀" in texts["raises"]
    assert "line 1 of its cell is a command for the notebook" in texts["magic"]
    assert "%%time or exec" in texts["timed"]
    assert "xxx" not in texts["prints"]
    assert texts["last"].startswith("there is no exercise '3.3'")
    assert Progress(folder / "progress.json").read()["03.3"] == {
        "state": PASSED,
        "tries": len(ANSWERS) - 1,
        "hints": 1,
        "asked": False,
    }
    assert {path.name for path in folder.iterdir()} <= {"progress.json", "progress.json.lock"}


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal")
def test_an_interrupt_ends_the_check_and_the_next_one_works(capsys, monkeypatch):
    loop = cell("def twice(x):\n    while True: pass\n")
    right = cell(tiny.RIGHT)
    process = notebook.PROCESS
    call = process.call

    def interrupted(arguments):
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        return call(arguments)

    with monkeypatch.context() as patch:
        patch.setattr(process, "call", interrupted)
        with pytest.raises(KeyboardInterrupt):
            helpers.exercises.check("03.3", loop)
    assert said(capsys) == ""
    assert Progress().read() == {}
    helpers.exercises.check("03.3", right)
    assert "solved" in said(capsys)
