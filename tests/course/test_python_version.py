"""C76: a Python that is too old, or too new, gets one sentence from every file of set-up."""

import ast
import sys
from pathlib import Path

import pytest

from helpers.course import environment, python_version
from helpers.course.notes import ROOT
from helpers.course.python_version import SetupError

HELPERS = Path(ROOT) / "helpers"
# what an old Python reads before it refuses: the command line, and what that imports at once
FIRST = [HELPERS / "__init__.py", HELPERS / "__main__.py"]
FIRST += [path for path in (HELPERS / "course").glob("*.py") if path.stem != "lesson_runner"]


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 13), (3, 15, 0), (4, 0, 0)])
def test_c76_unsupported_python_gets_one_sentence(version, monkeypatch, capsys):
    # were the version taken after all, this folder's own environment would be made anew
    monkeypatch.setattr(environment, "make_venv", lambda folder: pytest.fail(f"makes {folder}"))
    monkeypatch.setattr(environment.sys, "version_info", version)
    monkeypatch.setattr(python_version, "runs", lambda name: False)
    assert environment.main_setup([]) == 2
    said = capsys.readouterr()
    found = ".".join(map(str, version))
    assert f"needs Python 3.11, 3.12, 3.13 or 3.14, and this is Python {found}." in said.err
    assert "make learn PYTHON=python3.12" in said.err
    assert len(said.err.splitlines()) == 1 and said.out == ""


def test_c76_a_better_python_on_this_machine_is_named(monkeypatch):
    monkeypatch.setattr(python_version, "runs", lambda name: name == "python3.12")
    with pytest.raises(SetupError, match=r"You have python3\.12: run"):
        python_version.check_python((3, 9, 6))


@pytest.mark.parametrize("version", python_version.SUPPORTED)
def test_c76_supported_python_passes(version):
    python_version.check_python((*version, 0))


@pytest.mark.parametrize("path", FIRST, ids=lambda path: path.stem)
def test_an_old_python_can_read_what_refuses_it(path):
    """Python 3.6 must reach the sentence: no newer syntax, no imports but the standard library."""
    tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 6))
    old = sys.stdlib_module_names - {"tomllib", "zoneinfo", "graphlib"}
    for node in tree.body:
        if isinstance(node, ast.Import):
            assert {alias.name.split(".")[0] for alias in node.names} <= old
        elif isinstance(node, ast.ImportFrom):
            first, room = (node.module + ".").split(".")[:2]
            assert (first, room) == ("helpers", "course") or first in old
            assert node.names[0].name != "lesson_runner"
