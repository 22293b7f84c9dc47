"""The notebook check has no silent holes: what must fail does, and what must pass does (C71)."""

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import nbformat
import pytest

from helpers.lesson_names import lessons_in
from tests.notebooks import code, display, error, stderr, stream, value, write

ROOT = Path(__file__).resolve().parent.parent
LESSONS = list(lessons_in(ROOT / "lessons").values())
RED_DOT = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
)
BLUE_DOT = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGNgYPgPAAEDAQAIicLsAAAAAElFTkSuQmCC"
)
SHOW_DOT = f"from IPython.display import Image, display\nimport base64\n\
display(Image(data=base64.b64decode('{RED_DOT}')))"
DOT_TEXT = "<IPython.core.display.Image object>"


def check(folder, *options, seconds=60, **environment):
    """Run the strict check on a folder's notebooks; return {file: {cell: failure or ""}}."""
    report = folder / "report.xml"
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / ".pytest.ini"), "--nbval"]
    command += [f"--rootdir={folder}", f"--nbval-cell-timeout={seconds}", f"--junitxml={report}"]
    done = subprocess.run(
        [*command, *options, str(folder)],
        env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
        capture_output=True,
        text=True,
    )
    assert report.exists(), done.stdout + done.stderr
    results = {}
    for case in ElementTree.parse(report).iter("testcase"):
        failure = case.find("failure") if case.find("failure") is not None else case.find("error")
        said = "" if failure is None else f"{failure.get('message')}\n{failure.text}"
        said += "skipped" if case.find("skipped") is not None else ""
        file = Path((case.get("classname") or case.get("name")).replace(".ipynb", "")).name
        results.setdefault(file, {})[case.get("name")] = said
    return results


def failing(results):
    """Return the numbers of the cells that failed."""
    return [int(name.split()[-1]) for name, said in results.items() if said]


def test_a_notebook_that_lacks_something_is_skipped_with_the_reason(tmp_path):
    path = write(tmp_path / "a.ipynb", code("1 / 0"), code("x = 1"))
    notebook = nbformat.read(path, as_version=4)
    notebook.metadata["needs"] = "real-model"
    nbformat.write(notebook, path)
    results = check(tmp_path, "-rs", COURSE_CACHE=str(tmp_path / "empty"))
    assert [said.endswith("skipped") for said in results["a"].values()] == [True, True]
    report = (tmp_path / "report.xml").read_text()
    assert "is missing; get it" in report and "make real-model" in report


# name: (the cells, the cells that must fail, words that the failure must hold)
NOTEBOOKS = {
    "good": (
        [
            code("print('12 words')", "12 words\n"),
            code("x = 3\nx;"),
            code("x", outputs=[value("3")]),
            code(
                "1 / 0",
                outputs=[error("ZeroDivisionError", "division by zero")],
                tags=["raises-exception"],
            ),
            code("import time\nprint(time.time())", "0.5\n", tags=["nbval-ignore-output"]),
            code(
                SHOW_DOT,
                outputs=[display(DOT_TEXT, image_png=RED_DOT + "\n")],
                tags=["compare-image"],
            ),
            code(SHOW_DOT, outputs=[display(DOT_TEXT, image_png=BLUE_DOT)]),
            code(
                "import sys\nprint('a note', file=sys.stderr)",
                outputs=[stderr("a note\n")],
                tags=["allow-stderr"],
            ),
        ],
        [],
        "",
    ),
    "never_run": ([code("x = 1", count=None), code("x;", count=None)], [1, 2], "count is None"),
    "wrong_order": ([code("x = 1", count=2), code("x;", count=1)], [1, 2], "execution count is"),
    "changed": (
        [
            code("print(2.0)", "2.1\n"),
            code("print('3 of 4')", "3 of 5\n"),
            code("print('it leaks')", "it holds\n"),
            code("7", outputs=[value("8")]),
            code("print('one more')"),
            code("pass", "one less\n"),
        ],
        [1, 2, 3, 4, 5, 6],
        "",
    ),
    "semicolon_shown": ([code("3;", outputs=[value("3")])], [1], "execute_result"),
    "order": (
        [
            code("print(1)\n3", outputs=[value("3"), stream("1\n")]),
            code("3", outputs=[display("3")]),
        ],
        [1, 2],
        "saved [",
    ),
    "never_compared": (
        [
            code(
                "pass",
                outputs=[error("ValueError", "old")],
                tags=["raises-exception", "nbval-ignore-output"],
            )
        ],
        [1],
        "give one",
    ),
    "skipped": (
        [
            code("print(1)", "1\n", tags=["nbval-skip"]),
            code("# NBVAL_SKIP\nprint(1)", "1\n"),
            code("# NBVAL_IGNORE_OUTPUT\nprint(1)", "2\n"),
            code("pass", tags=["skip-execution"]),
        ],
        [1, 2, 3, 4],
        "not allowed",
    ),
    "pictures": (
        [
            code(SHOW_DOT, outputs=[display(DOT_TEXT, image_png=BLUE_DOT)], tags=["compare-image"]),
            code(SHOW_DOT, outputs=[display(DOT_TEXT)]),
        ],
        [1, 2],
        "image/png",
    ),
    "errors": (
        [
            code("1 / 0", outputs=[error("ZeroDivisionError", "division by zero")]),
            code("pass", outputs=[error("ValueError", "old")], tags=["nbval-ignore-output"]),
            code("pass", tags=["raises-exception"]),
            code(
                "raise ValueError('new')",
                outputs=[error("ValueError", "old")],
                tags=["raises-exception"],
            ),
        ],
        [1, 2, 3, 4],
        "",
    ),
    "warnings": (
        [
            code("import sys\nprint('a note', file=sys.stderr)", outputs=[stderr("a note\n")]),
            code("import warnings\nwarnings.warn('old way')"),
        ],
        [1, 2],
        "stderr",
    ),
    "paths": (
        [
            code("print('/ho' + 'me/ann/x')", "/home/ann/x\n"),
            code("pass", "C:\\Users\\ann\n", tags=["nbval-ignore-output"]),
            code("print('and/or, and a/tmpfile')", "and/or, and a/tmpfile\n"),
        ],
        [1, 2],
        "path of one machine",
    ),
    "no_code": ([], None, "no code cell"),
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """All small notebooks in one run."""
    folder = tmp_path_factory.mktemp("strict")
    for name, (cells, _, _) in NOTEBOOKS.items():
        write(folder / f"{name}.ipynb", *cells)
    return check(folder, "--continue-on-collection-errors")


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_hole_is_closed(results, name):
    cells, expected, words = NOTEBOOKS[name]
    found = results[name]
    if expected is None:
        assert words in "".join(found.values())
        return
    assert len(found) == len(cells)
    assert failing(found) == expected, found
    assert all(words in said for said in found.values() if said)


@pytest.fixture(scope="module")
def stopped(tmp_path_factory):
    """Notebooks that do not come to an end, in one run with a short limit."""
    folder = tmp_path_factory.mktemp("stopped")
    endless = "while True:\n    pass"
    write(folder / "endless.ipynb", code("x = 1"), code(endless), code("x;"))
    caught = f"try:\n    {endless.replace('    ', '        ')}\nexcept KeyboardInterrupt:\n    pass"
    write(folder / "catches.ipynb", code(caught), code("pass"))
    raised = [error("KeyboardInterrupt", "")]
    write(folder / "tagged.ipynb", code(endless, outputs=raised, tags=["raises-exception"]))
    write(folder / "dead.ipynb", code("import os"), code("os._exit(1)"), code("pass"))
    write(folder / "after.ipynb", code("print(1)", "1\n"))
    return check(folder, seconds=4)


@pytest.mark.parametrize("name, cells", [("endless", [2, 3]), ("catches", [1, 2]), ("tagged", [1])])
def test_endless_cell_ends_its_notebook_and_is_named(stopped, name, cells):
    found = stopped[name]
    assert failing(found) == cells
    assert "Timeout of 4 seconds exceeded" in found[f"Cell {cells[0]}"]
    for later in cells[1:]:
        assert f"not run, because cell {cells[0]} ran longer than 4 s" in found[f"Cell {later}"]


def test_dead_kernel_is_a_failure_and_named(stopped):
    assert failing(stopped["dead"]) == [2, 3]
    assert "the kernel died in this cell" in stopped["dead"]["Cell 2"]
    assert "the kernel died in cell 2" in stopped["dead"]["Cell 3"]
    assert failing(stopped["after"]) == []


def test_cells_of_a_notebook_are_not_spread_over_workers(tmp_path):
    write(tmp_path / "a.ipynb", code("x = 1"))
    command = [sys.executable, "-m", "pytest", "-c", str(ROOT / ".pytest.ini"), "--nbval"]
    done = subprocess.run([*command, "-n", "2", str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 4
    assert "--dist loadfile" in done.stderr


STABLE = [
    code("print(sorted({'plus', 'circle'}))", "['circle', 'plus']\n"),
    code("for step in range(3):\n    print(step, flush=True)", "0\n1\n2\n"),
    code("{'a': 1}", outputs=[value("{'a': 1}")]),
]
# what may differ between two runs: the order of sets, the width of the terminal
FIRST = {"PYTHONHASHSEED": "0", "COLUMNS": "80", "PYTHONWARNINGS": "default"}
SECOND = {"PYTHONHASHSEED": "1", "COLUMNS": "200", "PYTHONWARNINGS": "default"}


@pytest.mark.parametrize("environment", [FIRST, SECOND], ids=["first", "second"])
def test_c71_same_result_in_another_environment(tmp_path, environment):
    write(tmp_path / "stable.ipynb", *STABLE)
    for lesson in LESSONS[:1]:
        (tmp_path / lesson.name).write_bytes(lesson.read_bytes())
    results = check(tmp_path, "-W", "default", **environment)
    assert len(results) == 1 + len(LESSONS[:1])
    assert [name for name, found in results.items() if failing(found)] == []


@pytest.mark.slow
@pytest.mark.parametrize("environment", [FIRST, SECOND], ids=["first", "second"])
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_c71_every_lesson_in_another_environment(tmp_path, lesson, environment):
    (tmp_path / lesson.name).write_bytes(lesson.read_bytes())
    results = check(tmp_path, "-W", "default", **environment)
    assert failing(results[lesson.stem]) == []


def change(text, kind):
    """Return a saved text with one digit, one whole number or one word changed, or None."""
    pattern = {"digit": r"(?<=\.\d)\d", "count": r"(?<![\d.])\d+(?![\d.])", "word": r"[A-Za-z]{4,}"}
    found = re.search(pattern[kind], text)
    if not found:
        return None
    old = found[0]
    new = {"digit": lambda: str((int(old) + 1) % 10), "count": lambda: str(int(old) + 1)}
    changed = new[kind]() if kind in new else old[::-1] if old != old[::-1] else old + "x"
    return text[: found.start()] + changed + text[found.end() :]


@pytest.mark.skipif(not LESSONS, reason="there is no lesson yet")
def test_c71_changed_digit_count_or_word_in_a_lesson_fails(tmp_path):
    """In a copy of a real lesson, exactly the cells that were changed fail."""
    for lesson in LESSONS:
        notebook = nbformat.read(lesson, as_version=4)
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        wanted, changed = ["digit", "count", "word"], []
        for number, cell in enumerate(cells, start=1):
            if "nbval-ignore-output" in cell.metadata.get("tags", []):
                continue
            for output in cell.outputs:
                new = change(output.get("text", ""), wanted[0]) if wanted else None
                if new and number not in changed:
                    output.text = new
                    wanted.pop(0)
                    changed.append(number)
        if not wanted:
            break
    assert not wanted, "no lesson prints a digit, a count and a word in three cells"
    nbformat.write(notebook, tmp_path / lesson.name)
    results = check(tmp_path)
    assert failing(results[lesson.stem]) == changed
