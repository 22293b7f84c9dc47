"""`import helpers`: from everywhere, and the course's own."""

import os
import site
import subprocess
import sys

import pytest

from helpers.course import environment
from helpers.course.linking import LINK, check_ours, write_link
from helpers.course.python_version import SetupError
from helpers.course.venv_folder import venv_python
from tests.course.conftest import Course


def finds(packages):
    """Return what a folder of packages adds to the path of a Python."""
    known = set(sys.path)
    before = list(sys.path)
    try:
        site.addsitedir(str(packages))
        return [path for path in sys.path if path not in known and path != str(packages)]
    finally:
        sys.path[:] = before


def test_inside_the_course_the_link_is_relative(tmp_path):
    packages = tmp_path / ".venv" / "lib" / "packages"
    packages.mkdir(parents=True)
    path = write_link(str(packages), str(tmp_path))
    assert open(path).read() == os.path.join("..", "..", "..") + "\n"
    assert finds(packages) == [str(tmp_path)]


@pytest.mark.parametrize("name", ["my course", "cöurse", "a\nb", "it's", "import x"])
def test_from_elsewhere_it_works_whatever_the_folder_is_called(name, tmp_path):
    course, packages = tmp_path / name, tmp_path / "packages"
    try:
        course.mkdir()
    except OSError:
        pytest.skip("this system has no such names")
    packages.mkdir()
    path = write_link(str(packages), str(course))
    assert open(path, "rb").read().isascii()  # how such a file is read differs between Pythons
    assert finds(packages) == [str(course)]


@pytest.fixture
def others(tmp_path, monkeypatch):
    """A folder with somebody else's package helpers, on the path."""
    (tmp_path / "helpers").mkdir()
    (tmp_path / "helpers" / "__init__.py").touch()
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    return tmp_path / "helpers"


def test_d19_somebody_elses_helpers_are_named(others, course):
    with pytest.raises(SetupError) as caught:
        check_ours(str(course.python), str(course.folder))
    assert f"hides the course's: {others}. Uninstall or rename it" in str(caught.value)
    assert "\n" not in str(caught.value)
    os.environ.pop("PYTHONPATH")  # monkeypatch puts it back, and then away
    check_ours(str(course.python), str(course.folder))


@pytest.mark.parametrize("kind", ["a package", "a module", "a folder"])
def test_d19_set_up_into_an_environment_that_is_there_does_nothing_beside_them(
    kind, tmp_path, empty_environment
):
    course, others = Course(tmp_path / "course"), tmp_path / "others"
    others.mkdir()
    if kind == "a module":
        (others / "helpers.py").write_text("raise SystemExit('it ran')")
    else:
        (others / "helpers").mkdir()
        (others / "helpers" / ("__init__.py" if kind == "a package" else "words.txt")).touch()
    empty_environment(tmp_path / "environment")
    python = venv_python(str(tmp_path / "environment"))
    done = course.run("setup", "--here", python=python, PYTHONPATH=str(others))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith("Another package named helpers hides")
    assert "it ran" not in done.stderr
    assert course.finds(tmp_path, python) == ""  # nothing was linked


def test_the_link_is_refused_outside_an_environment(monkeypatch, capsys):
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    assert environment.main_link([]) == 2
    said = capsys.readouterr().err
    assert "python3 -m venv .venv" in said and "setup --here" in said


def test_the_link_of_a_set_up_course_is_one_short_line(course):
    question = "import sysconfig; print(sysconfig.get_paths()['purelib'], end='')"
    packages = subprocess.check_output([course.python, "-c", question], text=True)
    line = open(os.path.join(packages, LINK)).read()
    assert line == os.path.relpath(course.folder, packages) + "\n" and not os.path.isabs(line)
