"""Set-up: sentences in place of tracebacks, nothing done twice, safe to rename and to interrupt."""

import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import namedtuple

import pytest

from helpers import __main__ as command_line
from helpers.course import disk, environment, installing
from helpers.course.python_version import SetupError, supported_text
from tests.course.conftest import Course
from tests.course.small_index import Index, wheel
from tests.making import make

STAMP = "course-installed.json"


def version(course, name):
    """Return the version of a package in a course's environment, as the package says it."""
    question = f"import {name}; print({name}.VERSION, end='')"
    return subprocess.run([course.python, "-c", question], capture_output=True, text=True).stdout


def test_import_works_from_anywhere(course, tmp_path):
    for elsewhere in (course.folder, course.folder / "tests", tmp_path):
        assert course.finds(elsewhere) == course.own


def test_the_second_time_does_nothing(course):
    stamp = course.folder / ".venv" / STAMP
    before = stamp.stat().st_mtime_ns
    done = course.run("setup")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert stamp.stat().st_mtime_ns == before


def test_what_the_tests_need_is_added_once(course):
    assert "installing" in course.run("setup", "--tests").stdout
    assert course.run("setup", "--tests").stdout == ""
    assert course.run("setup").stdout == ""


def test_renaming_the_folder_changes_nothing(course, tmp_path):
    old, renamed = course.folder, course.folder.with_name("our course")
    old.rename(renamed)
    course.folder = renamed
    try:
        assert course.finds(tmp_path) == course.own
        assert course.run("setup").stdout == ""
    finally:
        renamed.rename(old)
        course.folder = old


def test_an_interrupted_installation_goes_on(course):
    (course.folder / ".venv" / STAMP).unlink()  # it is written last
    done = course.run("setup")
    assert "installing" in done.stdout and "making" not in done.stdout
    assert course.run("setup").stdout == ""


def test_the_real_models_file_is_tried_once_and_its_absence_stops_nothing(course):
    (course.folder / ".venv" / STAMP).unlink()
    done = course.run("setup")
    assert done.returncode == 0
    assert "`make real-model` tries again" in done.stdout
    assert course.run("setup").stdout == ""


def test_changed_requirements_are_installed_and_a_failure_ends_with_a_sentence(course):
    requirements = course.folder / "requirements.txt"
    old = requirements.read_text()
    requirements.write_text("no-such-package-of-the-course==1\n")
    try:
        for _ in range(2):  # a failure is not taken for done
            done = course.run("setup")
            assert done.returncode == 2
            assert "No matching distribution found for no-such-package" in done.stderr
            assert done.stderr.splitlines()[-1].startswith("There is no build of that package")
    finally:
        requirements.write_text(old)
    assert course.run("setup").returncode == 0


@pytest.mark.parametrize("broken", ["no interpreter", "half deleted", "a file", "half made"])
def test_a_broken_environment_is_made_anew_and_never_installed_into(course, tmp_path, broken):
    folder = course.folder / ".venv"
    if broken == "no interpreter":
        course.python.unlink()
        course.python.symlink_to(tmp_path / "gone")
    elif broken == "half deleted":
        # without this file the interpreter takes itself for the system's: pip would install there
        (folder / "pyvenv.cfg").unlink()
    elif broken == "half made":
        (folder / "course-unfinished").touch()
    else:
        shutil.rmtree(folder)
        folder.write_text("a file of that name")
    done = course.run("setup")
    assert done.returncode == 0 and "making .venv" in done.stdout
    assert course.finds(tmp_path) == course.own


def test_an_environment_of_uvs_without_pip_is_kept_and_gets_pip(tmp_path):
    course = Course(tmp_path / "course")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", course.folder / ".venv"])
    mine = course.folder / ".venv" / "mine.txt"
    mine.touch()
    done = course.run("setup")
    assert done.returncode == 0, done.stderr
    assert "making" not in done.stdout and mine.exists()


def test_another_python_makes_the_environment_anew_and_says_so(course, monkeypatch, capsys):
    monkeypatch.setattr(environment, "venv_version", lambda folder: (3, 10))
    made = []

    def stopped(folder):
        made.append(folder)
        raise KeyboardInterrupt

    monkeypatch.setattr(environment, "make_venv", stopped)
    with pytest.raises(KeyboardInterrupt):
        environment.setup(str(course.folder))
    here = "{}.{}".format(*sys.version_info)
    assert made == [str(course.folder / ".venv")]
    assert capsys.readouterr().out.splitlines()[-1] == (
        f"making .venv with Python {here}, in place of Python 3.10 (`make` without PYTHON= keeps "
        "what is there)"
    )


# -- with an index


def test_a_fresh_set_up_says_what_it_takes_and_installs_the_cpu_build(fresh, index):
    fresh.uses(index)
    done = fresh.run("setup", PATH=os.defpath)  # in which there is no driver's command
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    if sys.platform == "linux":
        assert lines.pop(0).startswith("No NVIDIA driver answers: taking PyTorch's CPU build, 0.2")
    assert lines[0].startswith("At most 0.5 GB will be fetched, and 1.7 GB of disk taken; ")
    assert lines[1:3] == [
        f"making .venv with Python {sys.version_info[0]}.{sys.version_info[1]}",
        "installing requirements.txt (the first time takes minutes)",
    ]
    assert version(fresh, "torch") == ("2.0+cpu" if sys.platform == "linux" else "2.0")
    # later neither the index of CPU builds nor PyTorch is asked for again
    asked = len(index.asked)
    done = fresh.run("setup", "--tests", PATH=os.defpath)
    assert done.returncode == 0, done.stderr
    assert "At most 0.1 GB will be fetched" in done.stdout and "PyTorch" not in done.stdout
    assert not any("torch" in path or "/cpu/" in path for path in index.asked[asked:])
    assert not (fresh.folder / ".build" / "pip").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is one build")
def test_the_other_build_is_one_word_away_and_the_choice_is_kept(fresh, index):
    fresh.uses(index)
    assert fresh.run("setup", "--torch", "default").returncode == 0
    assert version(fresh, "torch") == "2.0"
    assert fresh.run("setup", PATH=os.defpath).stdout == ""
    done = fresh.run("setup", "--torch", "cpu")
    assert "making .venv" in done.stdout and version(fresh, "torch") == "2.0+cpu"
    assert fresh.run("setup").stdout == ""
    shutil.rmtree(fresh.folder / ".venv")
    fresh.run("setup")
    assert version(fresh, "torch") == "2.0+cpu"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is one build")
def test_where_the_cpu_index_is_closed_it_goes_on_or_refuses_at_once(fresh, index):
    fresh.uses(index)
    fresh.variables["TORCH_CPU_INDEX"] = "http://127.0.0.1:9/closed"
    start = time.monotonic()
    done = fresh.run("setup", "--torch", "cpu")
    assert time.monotonic() - start < 15
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("PyTorch's index of CPU builds does not answer (http://127.0")
    assert len(done.stderr.splitlines()) == 1
    assert {path.name for path in fresh.folder.iterdir()} == {
        "helpers",
        "tests",
        "requirements.txt",
    }
    done = fresh.run("setup", PATH=os.defpath)
    assert done.returncode == 0 and "taking the usual build" in done.stdout
    assert version(fresh, "torch") == "2.0"
    # an environment that works is not lost to an index that does not answer
    assert fresh.run("setup", "--torch", "cpu").returncode == 2
    assert version(fresh, "torch") == "2.0" and fresh.run("setup").stdout == ""


def test_no_network_half_way_ends_with_a_sentence_and_goes_on(begun, index):
    begun.uses(index)
    index.breaks_at = "filelock"
    done = begun.run("setup")
    assert done.returncode == 2
    assert "could not be reached, or broke off" in done.stderr.splitlines()[-1]
    assert begun.run("setup").returncode == 2  # and is not taken for done
    index.breaks_at = None
    asked = len(index.asked)
    done = begun.run("setup")
    assert done.returncode == 0 and "making" not in done.stdout
    assert not any(path.startswith("/files/torch") for path in index.asked[asked:])


def test_a_proxy_that_lets_nothing_through_is_named(begun):
    closed = "http://127.0.0.1:9"
    begun.variables = {"PIP_INDEX_URL": "https://index.invalid/simple", "PIP_RETRIES": "1"}
    done = begun.run("setup", http_proxy=closed, https_proxy=closed, no_proxy="")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("The proxy lets nothing through")


def test_no_network_at_all_ends_with_a_sentence(begun):
    begun.variables = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "1"}
    done = begun.run("setup", "--torch", "default")
    assert done.returncode == 2
    assert "could not be reached" in done.stderr.splitlines()[-1]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_a_folder_with_spaces_umlauts_and_a_newline_in_its_name(tmp_path, index):
    course = Course(tmp_path / "Öffne mich,\n das ist's", "numpy==1.0\n")
    course.uses(index)
    done = course.run("setup")
    assert done.returncode == 0, done.stderr
    assert course.finds(tmp_path) == course.own and version(course, "numpy") == "1.0"
    assert course.run("setup").stdout == ""


def test_a_disk_that_is_too_small_is_refused_before_anything_is_done(fresh, monkeypatch):
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(disk.shutil, "disk_usage", lambda _: usage(0, 0, 5_000_000_000))
    before = sorted(fresh.folder.rglob("*"))
    with pytest.raises(SetupError, match=r"The disk is too small.*TORCH=cpu\.$"):
        environment.setup(str(fresh.folder), torch="default")
    assert sorted(fresh.folder.rglob("*")) == before


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such folders")
def test_a_folder_that_cannot_be_written_gets_one_sentence(fresh, read_only):
    done = fresh.run("setup", "--torch", "default", before=read_only(fresh.folder))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "cannot be written" in done.stderr and "setup --here" in done.stderr


@pytest.mark.parametrize(
    "error, words",
    [
        (OSError(28, "No space left on device"), "The disk is full"),
        (PermissionError(13, "Permission denied", "/x/.build"), "/x/.build cannot be written"),
        (OSError(5, "Input/output error", "/x"), "Set-up stopped: .*Mend that"),
    ],
)
def test_a_file_that_fails_gets_one_sentence(error, words, monkeypatch, capsys):
    def fails(*_):
        raise error

    monkeypatch.setattr(environment, "setup", fails)
    assert environment.main_setup([]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert re.search(words, line)


@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_interrupted_once_it_goes_on(begun, index):
    index.bytes_a_second = 10
    begun.uses(index)
    process = started(begun)
    while not any(path.startswith("/files/") for path in index.asked):
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    process.wait()
    assert process.returncode == 130
    index.bytes_a_second = None
    assert begun.run("setup").returncode == 0
    assert version(begun, "numpy") == "1.0"


def started(course):
    """Start set-up in a group of processes of its own, as a terminal does."""
    return subprocess.Popen(
        [sys.executable, "-m", "helpers", "setup"],
        cwd=course.folder,
        env=course.settings(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="no such signal")
def test_killed_at_ten_random_moments_it_goes_on_each_time(tmp_path):
    names = ["torch", *(f"package{n}" for n in range(6))]
    wheels = [wheel(name, "1", files=300, size=2000) for name in names]
    chance = random.Random(0)
    with Index(wheels, bytes_a_second=2_000_000) as index:
        learner = "".join(f"{name}==1\n" for name in names)
        whole = Course(tmp_path / "whole", learner)
        whole.uses(index)
        start = time.monotonic()
        assert whole.run("setup").returncode == 0
        seconds = time.monotonic() - start
        for n in range(10):
            course = Course(tmp_path / str(n), learner)
            course.uses(index)
            process = started(course)
            time.sleep(chance.uniform(0, seconds))
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            done = course.run("setup")
            assert done.returncode == 0, done.stderr
            assert course.run("setup").stdout == ""
            question = (
                "import importlib.metadata as m; "
                f"print(sum(f.locate().stat().st_size == f.size for n in {names} "
                "for f in m.files(n) if f.size and f.hash))"
            )
            found = subprocess.check_output([course.python, "-c", question], text=True)
            # each module of 300 and __init__, METADATA, WHEEL and what pip adds: all as recorded
            assert int(found) >= len(names) * 303, n
            assert course.finds(tmp_path) == course.own
            shutil.rmtree(course.folder)


# -- the command line


@pytest.mark.parametrize("arguments", [[], ["teach"]])
def test_a_wrong_command_shows_the_commands(arguments, capsys):
    assert command_line.main(arguments) == 2
    said = capsys.readouterr().err
    for name in ("setup", "link", "learn", "check", "lessons", "pretrained"):
        assert f"\n  {name} " in said


def test_an_interruption_ends_quietly(monkeypatch, capsys):
    def interrupted(arguments):
        raise KeyboardInterrupt

    monkeypatch.setitem(command_line.COMMANDS, "setup", interrupted)
    assert command_line.main(["setup"]) == 130
    assert "stopped" in capsys.readouterr().err


def test_a_command_that_needs_the_environment_says_so(monkeypatch, capsys):
    def missing(arguments):
        raise ModuleNotFoundError("No module named 'torch'", name="torch")

    monkeypatch.setitem(command_line.COMMANDS, "pretrained", missing)
    monkeypatch.setattr(command_line.sys, "prefix", command_line.sys.base_prefix)
    assert command_line.main(["pretrained", "echo"]) == 2
    said = capsys.readouterr().err
    assert "This Python has no torch" in said
    assert ".venv/bin/python -m helpers pretrained echo" in said


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_names_the_remedy_and_saves_only_when_asked():
    done = make("learn", "PYTHON=python3.99")
    assert done.returncode and done.stdout == (
        "There is no python3.99 here that starts: name a Python "
        f"{supported_text()} that you have, as in: make learn PYTHON=python3.12\n"
    )
    for words, saves in (((), False), (("SAVE=0",), False), (("SAVE=1",), True)):
        assert ("--save" in make("-n", "lessons", *words).stdout) is saves


def test_lines_come_every_few_seconds_where_there_is_no_terminal(begun, index, monkeypatch):
    index.bytes_a_second = 200
    begun.uses(index)
    file = begun.folder / "helpers" / "course" / "installing.py"
    text = file.read_text()
    said = f"SECONDS_BETWEEN_LINES = {installing.SECONDS_BETWEEN_LINES}"
    assert said in text
    file.write_text(text.replace(said, "SECONDS_BETWEEN_LINES = 0.3"))
    done = begun.run("setup")
    assert done.returncode == 0, done.stderr
    lines = re.findall(r" s: \d+ packages? found", done.stdout)  # how many, hangs on the machine
    assert len(lines) >= 1, done.stdout
