"""An environment that is there already: only what is missing is added, and nothing replaced."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.course import here
from helpers.course.python_version import SetupError
from helpers.course.venv_folder import venv_python
from tests.course.conftest import Course
from tests.course.small_index import TORCH, Index, wheel

LEARNER = "torch==2.13.0\nnumpy==2.4.6\njaxtyping==1\n"


class Place:
    """A place like conda's or a classroom's: packages, another working folder, no .venv."""

    def __init__(self, make, folder, wheels, learner=LEARNER):
        self.course = Course(folder / "course", learner)
        self.elsewhere = folder / "elsewhere"
        self.elsewhere.mkdir()
        make(folder / "conda")
        self.python = venv_python(str(folder / "conda"))
        files = folder / "files"
        files.mkdir()
        for name, content in wheels:
            (files / name).write_bytes(content)
        if wheels:
            command = [self.python, "-m", "pip", "install", "-q", "--no-index", "--no-deps"]
            subprocess.run(
                [*command, *files.iterdir()],
                env=self.course.settings(PIP_NO_INDEX=None),
                check=True,
            )

    def setup(self, **named):
        return self.course.run("setup", "--here", python=self.python, **named)

    def version(self, name):
        question = f"import {name}; print({name}.VERSION, end='')"
        return subprocess.run(
            [self.python, "-c", question], capture_output=True, text=True, cwd=self.elsewhere
        ).stdout


@pytest.fixture
def place_with(tmp_path, empty_environment):
    """place_with(wheels, ...): such a place, with these packages in its environment."""
    return lambda *given: Place(empty_environment, tmp_path, *given)


def tree(folder):
    """Return every file of a folder with when it was written."""
    return {str(path): path.stat().st_mtime_ns for path in sorted(folder.rglob("*"))}


def test_only_what_is_missing_is_installed_and_the_clone_is_left_alone(place_with, read_only):
    place = place_with([wheel("torch", "2.9.0+cu128", code=TORCH), wheel("numpy", "2.4.6")])
    course = place.course
    prefix, before = read_only(course.folder), tree(course.folder)
    wheels = [wheel("jaxtyping", "1", ["torch>=2.0", "wadler"]), wheel("wadler", "7")]
    wheels += [wheel("torch", "2.13.0", code=TORCH), wheel("numpy", "2.5")]
    with Index(wheels) as index:
        course.uses(index)
        done = place.setup(before=prefix, PIP_NO_CACHE_DIR="1")
    assert done.returncode == 0, done.stderr
    assert "missing here: jaxtyping\n" in done.stdout
    assert (
        "PyTorch is 2.9.0+cu128 here, and the course's is 2.13.0: lessons run, and saved outputs "
        "may differ in the last digit.\n" in done.stdout
    )
    versions = {"torch": "2.9.0+cu128", "numpy": "2.4.6", "jaxtyping": "1"}
    assert {name: place.version(name) for name in versions} == versions
    assert not any(path.startswith("/files/torch") for path in index.asked)
    assert tree(course.folder) == before  # and so there is no .venv
    assert course.finds(place.elsewhere, place.python) == course.own

    # the second time, from another folder, without an index
    done = place.setup(cwd=place.elsewhere, before=prefix)
    assert done.returncode == 0, done.stderr
    assert "missing" not in done.stdout and "real model" not in done.stdout
    assert "Ready: `import helpers` works" in done.stdout


def test_everything_there_in_the_courses_versions_says_only_that_it_is_ready(place_with):
    wheels = [wheel("torch", "2.13.0+cpu", code=TORCH), wheel("numpy", "2.4.6")]
    place = place_with([*wheels, wheel("jaxtyping", "1")])
    done = place.setup()
    assert done.returncode == 0 and done.stdout.startswith("Ready")
    assert "tries again" in done.stdout  # the real model's file, once
    assert place.setup().stdout.splitlines() == [
        "Ready: `import helpers` works in this environment, from every folder."
    ]


def test_a_missing_package_that_needs_another_torch_replaces_nothing(place_with):
    place = place_with([wheel("torch", "2.9.0", code=TORCH), wheel("numpy", "2.4.6")])
    wheels = [wheel("jaxtyping", "1", ["torch==2.13.0"]), wheel("torch", "2.13.0", code=TORCH)]
    with Index(wheels) as index:
        place.course.uses(index)
        done = place.setup()
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("What is installed here does not go with")
    assert place.version("torch") == "2.9.0" and place.version("jaxtyping") == ""


def test_a_torch_that_is_missing_comes_as_the_cpu_build(place_with):
    place = place_with([], "torch==2.13.0\n")
    wheels = [wheel("torch", version, code=TORCH) for version in ("2.13.0", "2.13.0+cpu")]
    with Index(wheels) as index:
        place.course.uses(index)
        done = place.setup(PATH=os.defpath)
    assert done.returncode == 0, done.stderr
    expected = "2.13.0+cpu" if sys.platform == "linux" else "2.13.0"
    assert place.version("torch") == expected


@pytest.mark.parametrize(
    "version, code, words",
    [
        ("2.9.0", "raise ImportError('libcudart.so.12 is not there')", "libcudart.so.12"),
        ("2.4.1", TORCH, "the course needs 2.5 or later"),
    ],
)
def test_a_torch_that_does_not_work_is_named_and_left(place_with, version, code, words):
    place = place_with([wheel("torch", version, code=code)])
    done = place.setup()
    assert (done.returncode, done.stdout) == (2, "")
    assert f"PyTorch {version} is here" in done.stderr and words in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_environment_without_pip_gets_one_sentence(tmp_path):
    course = Course(tmp_path / "course")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "uv"], check=True)
    done = course.run("setup", "--here", python=venv_python(str(tmp_path / "uv")))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("This environment has no pip: run `")
    assert "`uv pip install pip`" in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_python_of_the_systems_is_left_alone(tmp_path, monkeypatch):
    (tmp_path / "EXTERNALLY-MANAGED").touch()
    monkeypatch.setattr(here.sysconfig, "get_paths", lambda: {"stdlib": str(tmp_path)})
    here.check_environment()  # in an environment of its own that counts for nothing
    monkeypatch.setattr(here.sys, "prefix", here.sys.base_prefix)
    with pytest.raises(SetupError, match=r"belongs to the system.*`make learn`"):
        here.check_environment()


def test_where_the_environment_cannot_be_written_the_users_own_folder_is_taken(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(here.os, "access", lambda path, mode: False)
    monkeypatch.setattr(here.site, "getusersitepackages", lambda: str(tmp_path / "mine"))
    monkeypatch.setattr(here.site, "ENABLE_USER_SITE", True)
    assert here.place_for_packages() == str(tmp_path / "mine") and Path(tmp_path / "mine").is_dir()
    monkeypatch.setattr(here.site, "ENABLE_USER_SITE", False)
    with pytest.raises(SetupError, match=r"cannot be written to .*make an environment of your own"):
        here.place_for_packages()
