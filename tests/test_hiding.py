"""D19: what hides the course from notebooks is named, and started programs find it all the same."""

import ast
import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_notebook

from helpers import __main__ as command_line
from helpers import hiding
from helpers.exercises import copies
from helpers.files import ROOT
from tests.notebooks import code

ASKS = "import helpers.files; print(helpers.files.ROOT)"


@pytest.fixture
def course(tmp_path):
    """A folder of a course with the two folders in which notebooks are opened."""
    for name in hiding.FOLDERS:
        (tmp_path / "course" / name).mkdir(parents=True)
    return tmp_path / "course"


def test_d19_nothing_that_hides_nothing_is_named(course):
    (course / "work" / "helpers").mkdir()  # no package: it hides nothing
    (course / "work" / "my_helpers.py").write_text("")
    (course / "helpers").mkdir()
    (course / "helpers" / "__init__.py").write_text("")
    path = os.pathsep.join([str(course), "", str(course / "nowhere")])
    assert hiding.sentences(str(course), {"PYTHONPATH": path}) == []
    assert hiding.sentences(environment={}) == []


@pytest.mark.parametrize("name", ["helpers.py", "helpers/__init__.py"])
def test_d19_a_file_of_ones_own_in_work_is_named_with_the_remedy(course, name):
    file = course / "work" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("")
    assert hiding.sentences(str(course), {}) == [
        f"Notebooks that another program than `make learn` opens take {Path('work', name)} for the "
        "course's package helpers: give it another name."
    ]


def test_d19_a_package_on_the_path_and_one_that_was_installed_are_named(course, monkeypatch):
    for place in ("a\x1b[31m", "site"):
        (course / place / "helpers").mkdir(parents=True)
        (course / place / "helpers" / "__init__.py").write_text("")
    places = dict.fromkeys(("purelib", "platlib"), str(course / "site"))
    monkeypatch.setattr(sysconfig, "get_paths", lambda: places)
    monkeypatch.setattr(sys, "prefix", "an environment")
    found = hiding.sentences(str(course), {"PYTHONPATH": f"{course / 'a'}\x1b[31m"})
    assert len(found) == 2 and "\x1b" not in "".join(found)
    assert "take a\ufffd[31m/helpers/__init__.py for" in found[0].replace("\\", "/")
    assert found[0].endswith("a\ufffd[31m off PYTHONPATH.")
    assert found[1].endswith(
        "/helpers/__init__.py for the course's package helpers: remove that package from .venv."
    )


def test_d19_every_command_says_it_and_goes_on(monkeypatch, capsys):
    monkeypatch.setattr(hiding, "sentences", lambda: ["work/helpers.py hides it"])
    monkeypatch.setitem(command_line.COMMANDS, "check", lambda arguments: print("checked") or 0)
    assert command_line.main(["check"]) == 0
    said = capsys.readouterr()
    assert (said.out, said.err) == ("checked\n", "work/helpers.py hides it\n")


def test_d19_kernels_that_the_course_starts_find_it_all_the_same(tmp_path):
    """In a folder with a helpers.py, and with another package of the name on PYTHONPATH."""
    (tmp_path / "helpers.py").write_text("raise SystemExit('the wrong one')")
    (tmp_path / "other" / "helpers").mkdir(parents=True)
    (tmp_path / "other" / "helpers" / "__init__.py").write_text("")
    hides = {**os.environ, "PYTHONPATH": str(tmp_path / "other")}
    printed = []
    for settings in (hiding.variables(hides), hiding.variables({**os.environ, "PYTHONPATH": ""})):
        made = new_notebook(cells=[code(ASKS)])
        client = NotebookClient(
            made, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
        )
        client.execute(env=settings)
        printed.append(made.cells[0].outputs[0].text.strip())
    assert printed == [str(ROOT)] * 2
    command = [sys.executable, "-c", ASKS]
    bare = subprocess.run(
        command, cwd=tmp_path / "other", env=hides, capture_output=True, text=True
    )
    assert "No module named 'helpers.files'" in bare.stderr


def test_learn_gives_jupyterlab_these_settings(monkeypatch, tmp_path, capsys):
    opened = []
    monkeypatch.setattr(subprocess, "call", lambda command, **more: opened.append(more) or 0)
    monkeypatch.setattr(copies, "bring", lambda: [])
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    assert command_line.main(["learn"]) == 0
    assert opened[0]["env"]["PYTHONPATH"] == os.pathsep.join([str(ROOT), "/elsewhere"])


def test_an_old_python_can_read_it():
    source = (ROOT / "helpers" / "hiding.py").read_text(encoding="utf-8")
    for node in ast.parse(source, feature_version=(3, 6)).body:
        assert not isinstance(node, ast.ImportFrom)
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= sys.stdlib_module_names
