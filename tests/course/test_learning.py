"""Opening a lesson, also where the course itself cannot be written."""

import subprocess
import sys

from helpers.course import learning
from helpers.exercises import copies
from helpers.files import ROOT


def test_nothing_that_opens_a_lesson_needs_pytorch():
    question = "import sys; from helpers.course import learning; print('torch' in sys.modules)"
    said = subprocess.check_output([sys.executable, "-c", question], cwd=ROOT, text=True)
    assert said == "False\n"


def test_learn_where_the_course_cannot_be_written_names_the_remedy(monkeypatch, capsys):
    def fails():
        raise OSError(30, "Read-only file system", "/course/work")

    monkeypatch.setattr(copies, "bring", fails)
    assert learning.learn(["--no-open"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "(/course/work: Read-only file system): set the variable COURSE_WORK" in line


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
        learning.learn(["00"])
    (words, more), (others, elsewhere) = opened
    assert "work/00_one_token.ipynb" in words and more["cwd"] == ROOT
    assert "00_one_token.ipynb" in others and elsewhere["cwd"] == tmp_path
