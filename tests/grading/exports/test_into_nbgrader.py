"""Grades given to nbgrader's own gradebook, and asked back from its API.

It has an environment of its own: NBGRADER_PYTHON=/path/to/its/bin/python names it.
"""

import json
import os
import subprocess
import sys

import pytest

from helpers.exercises import catalog

PROGRAM = catalog.ROOT / "helpers" / "grading" / "exports" / "into_nbgrader.py"
ASK = """
import json, sys
from nbgrader.api import Gradebook
with Gradebook(sys.argv[1]) as book:
    print(json.dumps({
        "assignments": {a.name: a.max_score for a in book.assignments},
        "scores": {
            student.id: {
                one.name: [one.score, one.needs_manual_grade,
                    {g.name: g.score for notebook in one.notebooks for g in notebook.grades}]
                for one in student.submissions
            }
            for student in book.students
        },
    }))
"""


def run(python, *arguments, env=None):
    return subprocess.run(
        [python, *map(str, arguments)],
        capture_output=True,
        text=True,
        cwd=catalog.ROOT,
        env=env,
        timeout=300,
    )


def write(path, cells, scores):
    path.write_text(json.dumps({"format": 1, "assignments": {"00": cells}, "scores": scores}))


@pytest.mark.skipif("NBGRADER_PYTHON" not in os.environ, reason="NBGRADER_PYTHON names none")
def test_nbgraders_own_gradebook_holds_the_grades_also_after_a_second_time(tmp_path):
    python, file = os.environ["NBGRADER_PYTHON"], tmp_path / "nbgrader.json"
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"

    def give_and_ask():
        done = run(python, PROGRAM, file, url)
        assert (done.returncode, done.stdout[:2]) == (0, "3 "), done.stdout + done.stderr
        asked = {**os.environ, "PATH": f"{os.path.dirname(python)}{os.pathsep}{os.environ['PATH']}"}
        return json.loads(run(python, "-c", ASK, url, env=asked).stdout)

    write(
        file,
        {"00.1": 1, "00.2": 2},
        {"花子": {"00": {"00.1": 1, "00.2": 0}}, "b": {"00": {"00.1": 1}}},
    )
    first = {
        "assignments": {"lesson_00": 3},
        "scores": {
            "花子": {"lesson_00": [1, False, {"00.1": 1, "00.2": 0}]},
            "b": {"lesson_00": [1, True, {"00.1": 1, "00.2": 0}]},
        },
    }
    assert give_and_ask() == first
    assert give_and_ask() == first
    # a new version of the course with one exercise more, and a better answer
    write(
        file,
        {"00.1": 1, "00.2": 2, "00.3": 4},
        {"花子": {"00": {"00.1": 1, "00.2": 2, "00.3": 4}}},
    )
    second = give_and_ask()
    assert second["assignments"] == {"lesson_00": 7}
    assert second["scores"]["花子"] == {"lesson_00": [7, False, {"00.1": 1, "00.2": 2, "00.3": 4}]}
    assert second["scores"]["b"] == first["scores"]["b"]


def test_without_nbgrader_and_with_wrong_words_it_says_what_to_do(tmp_path):
    done = run(sys.executable, PROGRAM, tmp_path / "x.json")
    assert (done.returncode, done.stdout[:6], done.stderr) == (2, "usage:", "")
    done = run(sys.executable, PROGRAM, tmp_path / "x.json", "sqlite:///x.db")
    assert (done.returncode, done.stderr) == (2, "")
    assert "this Python has no nbgrader: run the file with the one that has it" in done.stdout
