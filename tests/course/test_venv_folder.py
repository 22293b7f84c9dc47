"""The environment's folder: broken ones are known, and nothing is ever half there."""

import builtins
import os
import subprocess
import sys

import pytest

from helpers.course import venv_folder
from helpers.course.python_version import SetupError
from helpers.course.venv_folder import last_lines, remove, venv_python, venv_version


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """An environment without pip, as uv makes them."""
    folder = tmp_path_factory.mktemp("bare") / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    return folder


def test_an_environment_tells_its_version_unless_it_is_broken(bare, tmp_path):
    assert venv_version(str(bare)) == sys.version_info[:2]
    assert venv_version(str(tmp_path / "nowhere")) is None
    unfinished = bare / venv_folder.UNFINISHED
    unfinished.touch()
    assert venv_version(str(bare)) is None
    unfinished.unlink()
    # without this file the interpreter takes itself for the system's, and pip would install there
    settings = bare / "pyvenv.cfg"
    content = settings.read_bytes()
    settings.unlink()
    assert venv_version(str(bare)) is None
    settings.write_bytes(content)


def test_making_one_leaves_a_mark_until_it_is_done(tmp_path, monkeypatch):
    marks = []

    def stopped(command, **_):
        marks.extend(os.listdir(command[-1]))
        raise KeyboardInterrupt

    monkeypatch.setattr(venv_folder.subprocess, "run", stopped)
    with pytest.raises(KeyboardInterrupt):
        venv_folder.make_venv(str(tmp_path / ".venv"))
    assert marks == [venv_folder.UNFINISHED] == os.listdir(tmp_path / ".venv")


def test_an_environment_without_pip_gets_it_and_keeps_what_it_has(bare):
    mine = bare / "mine.txt"
    mine.touch()
    venv_folder.bring_pip(str(bare))
    done = subprocess.run([venv_python(str(bare)), "-m", "pip", "--version"], capture_output=True)
    assert done.returncode == 0 and mine.exists()


def test_where_no_pip_can_be_brought_one_sentence_says_so(tmp_path, monkeypatch):
    failed = subprocess.CompletedProcess([], 1, b"")
    monkeypatch.setattr(venv_folder.subprocess, "run", lambda *_, **__: failed)
    with pytest.raises(SetupError, match=r"has no pip.*`uv pip install pip`"):
        venv_folder.bring_pip(str(tmp_path))
    with pytest.raises(SetupError, match="does not answer: delete its folder"):
        venv_folder.inside("python")


def test_deleting_moves_aside_first_and_clears_what_was_left_aside(tmp_path, monkeypatch):
    folder, left = tmp_path / ".venv", tmp_path / ".venv.old"
    folder.mkdir()
    (left / "bin").mkdir(parents=True)
    with monkeypatch.context() as patch:
        patch.setattr(venv_folder.shutil, "rmtree", interrupted(venv_folder.shutil.rmtree, left))
        with pytest.raises(KeyboardInterrupt):
            remove(str(folder))
    assert not folder.exists() and left.exists()  # the interrupted one is out of the way
    remove(str(folder))
    assert not left.exists()
    folder.write_text("a file of that name")
    remove(str(folder))
    assert not folder.exists()


def interrupted(rmtree, left):
    """A deletion that is stopped once the environment itself stands aside."""

    def delete(path, ignore_errors=False):
        if left.exists() and not (left / "bin").exists():
            raise KeyboardInterrupt
        rmtree(path, ignore_errors)

    return delete


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_without_its_venv_module_gets_one_sentence(missing, monkeypatch):
    real = builtins.__import__

    def without(name, *arguments, **named):
        if name == missing:
            raise ImportError(name)
        return real(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(SetupError, match=r"`sudo apt install python3\.12-venv`"):
        venv_folder.check_venv_module((3, 12, 3))


def test_the_last_lines_of_pip_hold_no_traceback():
    said = (
        "one\nERROR: two\nTraceback (most recent call last):\n  File x\n    y\nOSError: three\n\n"
    )
    assert last_lines(said, 2) == "ERROR: two\nOSError: three"
