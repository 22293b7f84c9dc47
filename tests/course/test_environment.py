"""Set-up: sentences in place of tracebacks, nothing done twice, safe to rename and to interrupt."""

import ast
import builtins
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from helpers import __main__ as command_line
from helpers.course import environment

ROOT = Path(environment.ROOT)


def run(folder, *arguments, python=sys.executable, module="helpers"):
    """Run python -m helpers ... in a folder without pip's settings of this machine."""
    settings = {k: v for k, v in os.environ.items() if not k.startswith(("PIP_", "PYTHON"))}
    done = subprocess.run(
        [python, "-m", module, *arguments],
        cwd=folder,
        env={**settings, "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull},
        capture_output=True,
        text=True,
    )
    assert "Traceback" not in done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A set-up copy of the course in a folder with a space, with nothing to install."""
    folder = tmp_path_factory.mktemp("set up") / "my course"
    (folder / "helpers" / "course").mkdir(parents=True)
    (folder / "tests").mkdir()
    needed = ("__init__.py", "__main__.py", "hiding.py")
    for name in (*needed, "course/__init__.py", "course/environment.py"):
        shutil.copy(ROOT / "helpers" / name, folder / "helpers" / name)
    (folder / "requirements.txt").write_text("# nothing\n")
    (folder / "tests" / "requirements.txt").write_text("# nothing\n")
    done = run(folder, "setup")
    assert done.returncode == 0, done.stderr
    return folder


def imports_helpers(folder, elsewhere):
    """Return where `import helpers` comes from in the course's environment, from elsewhere."""
    done = subprocess.run(
        [
            environment.venv_python(folder / ".venv"),
            "-c",
            "import helpers; print(helpers.__file__)",
        ],
        cwd=elsewhere,
        env={k: v for k, v in os.environ.items() if not k.startswith("PYTHON")},
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def test_import_works_from_anywhere(course, tmp_path):
    for elsewhere in (course, course / "tests", tmp_path):
        assert imports_helpers(course, elsewhere) == str(course / "helpers" / "__init__.py")


def test_the_second_time_does_nothing(course):
    stamp = course / ".venv" / "course-installed.json"
    before = stamp.stat().st_mtime_ns
    done = run(course, "setup")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert stamp.stat().st_mtime_ns == before


def test_what_the_tests_need_is_added_once(course):
    assert "installing" in run(course, "setup", "--tests").stdout
    assert run(course, "setup", "--tests").stdout == ""
    assert run(course, "setup").stdout == ""


def test_renaming_the_folder_changes_nothing(course, tmp_path):
    renamed = course.with_name("our course")
    course.rename(renamed)
    try:
        assert imports_helpers(renamed, tmp_path) == str(renamed / "helpers" / "__init__.py")
        assert run(renamed, "setup").stdout == ""
    finally:
        renamed.rename(course)


def test_an_interrupted_installation_goes_on(course):
    (course / ".venv" / "course-installed.json").unlink()  # it is written last
    done = run(course, "setup")
    assert "installing" in done.stdout and "making" not in done.stdout
    assert run(course, "setup").stdout == ""


def test_the_real_models_file_is_tried_once_and_its_absence_stops_nothing(course):
    (course / ".venv" / "course-installed.json").unlink()
    done = run(course, "setup")
    assert done.returncode == 0
    assert "`make real-model` tries again" in done.stdout
    assert run(course, "setup").stdout == ""


def test_changed_requirements_are_installed_and_a_failure_ends_with_a_sentence(course):
    requirements = course / "requirements.txt"
    old = requirements.read_text()
    requirements.write_text("no-such-package-of-the-course==1\n")
    try:
        for _ in range(2):  # a failure is not taken for done
            done = run(course, "setup")
            assert done.returncode == 2
            assert "No matching distribution found for no-such-package" in done.stderr
            assert done.stderr.splitlines()[-1].startswith("There is no build of that package")
    finally:
        requirements.write_text(old)
    assert run(course, "setup").returncode == 0


def test_an_environment_without_its_interpreter_is_made_anew(course, tmp_path):
    python = Path(environment.venv_python(course / ".venv"))
    python.unlink()
    python.symlink_to(tmp_path / "gone")
    done = run(course, "setup")
    assert done.returncode == 0
    assert "making .venv" in done.stdout
    assert imports_helpers(course, tmp_path) == str(course / "helpers" / "__init__.py")


def test_a_half_deleted_environment_is_made_anew_and_never_installed_into(course, tmp_path):
    # without this file the interpreter takes itself for the system's, and pip would install there
    (course / ".venv" / "pyvenv.cfg").unlink()
    assert environment.venv_version(str(course / ".venv")) is None
    done = run(course, "setup")
    assert done.returncode == 0 and "making .venv" in done.stdout
    assert imports_helpers(course, tmp_path) == str(course / "helpers" / "__init__.py")


def test_pip_refuses_to_install_outside_an_environment(course, capfd):
    base = getattr(sys, "_base_executable", None) or sys.executable
    with pytest.raises(environment.SetupError):
        environment.pip_install(base, [str(course / "requirements.txt")], "default")
    assert "virtualenv" in capfd.readouterr().err


def test_deleting_moves_aside_first_and_clears_what_was_left_aside(tmp_path, monkeypatch):
    folder, left = tmp_path / ".venv", tmp_path / ".venv.old"
    folder.mkdir()
    (left / "bin").mkdir(parents=True)
    with monkeypatch.context() as patch:
        patch.setattr(environment.shutil, "rmtree", interrupted(environment.shutil.rmtree, left))
        with pytest.raises(KeyboardInterrupt):
            environment.remove(str(folder))
    assert not folder.exists() and left.exists()  # the interrupted one is out of the way
    environment.remove(str(folder))
    assert not left.exists()


def interrupted(rmtree, left):
    """A deletion that is stopped once the environment itself stands aside."""

    def delete(path, ignore_errors=False):
        if left.exists() and not (left / "bin").exists():
            raise KeyboardInterrupt
        rmtree(path, ignore_errors)

    return delete


def test_the_link_is_relative_and_refused_outside_an_environment(course, monkeypatch, capsys):
    packages = sysconfig.get_paths(vars={"base": str(course / ".venv")})["purelib"]
    line = (Path(packages) / "course_helpers.pth").read_text()
    assert line == os.path.relpath(course, packages) + "\n"
    assert not os.path.isabs(line)
    monkeypatch.setattr(sys, "prefix", sys.base_prefix)
    assert environment.main_link([]) == 2
    assert "python3 -m venv .venv" in capsys.readouterr().err


# -- decisions, with the slow steps replaced


@pytest.fixture
def steps(tmp_path, monkeypatch):
    """A course in which making and installing are only noted: (folder, notes)."""
    notes = []
    (tmp_path / ".venv").mkdir()
    (tmp_path / "requirements.txt").write_text("")
    here = sys.version_info[:2]
    monkeypatch.setattr(environment, "venv_version", lambda folder: here)
    monkeypatch.setattr(environment, "make_venv", lambda folder: notes.append("make"))
    monkeypatch.setattr(environment, "pip_install", lambda py, files, torch: notes.append(torch))
    done = subprocess.CompletedProcess([], 0)
    monkeypatch.setattr(environment.subprocess, "run", lambda *_, **__: done)
    return tmp_path, notes


def test_another_python_makes_the_environment_anew(steps, monkeypatch, capsys):
    folder, notes = steps
    environment.setup(str(folder))
    assert notes == ["default"]
    monkeypatch.setattr(environment, "venv_version", lambda folder: (3, 10))
    (folder / ".venv" / "course-installed.json").unlink()
    environment.setup(str(folder))
    assert notes == ["default", "make", "default"]
    said = capsys.readouterr().out
    here = environment.version_text(sys.version_info)
    line = f"making .venv with Python {here}, in place of Python 3.10 (`make` without PYTHON="
    assert [text.startswith(line) for text in said.splitlines() if "making" in text] == [True]


def test_the_choice_of_pytorch_is_kept_and_a_new_one_makes_the_environment_anew(steps):
    folder, notes = steps
    assert environment.setup(str(folder), torch="cpu") is True
    assert environment.setup(str(folder)) is False
    (folder / "requirements.txt").write_text("# changed\n")
    environment.setup(str(folder))
    assert notes == ["cpu", "cpu"]
    environment.setup(str(folder), torch="default")
    assert notes[:3] == ["cpu", "cpu", "make"]


def test_the_choice_of_pytorch_outlives_an_interrupted_rebuild(steps, monkeypatch):
    folder, notes = steps
    environment.setup(str(folder))

    def interrupted(venv):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(environment, "make_venv", interrupted)
        with pytest.raises(KeyboardInterrupt):
            environment.setup(str(folder), torch="cpu")
    environment.setup(str(folder))
    assert notes == ["default", "make"]  # made anew for the choice that was interrupted
    monkeypatch.setattr(environment, "venv_version", lambda venv: None)
    (folder / ".venv" / "course-installed.json").unlink()
    environment.setup(str(folder))
    assert notes[-1] == "cpu"


def test_c76_cpu_build_comes_from_pytorchs_index(monkeypatch):
    commands = []

    class Pip:
        returncode = 0

        def __init__(self, command, **_):
            commands.append(command)

        def communicate(self):
            return None, b""

    monkeypatch.setattr(environment.subprocess, "Popen", Pip)
    environment.pip_install("python", ["requirements.txt"], "cpu")
    environment.pip_install("python", ["requirements.txt"], "default")
    address = "--extra-index-url https://download.pytorch.org/whl/cpu"
    assert [address in " ".join(command) for command in commands] == [True, False]


# -- sentences


@pytest.mark.parametrize("version", [(2, 7, 18), (3, 6, 15), (3, 10, 13), (3, 15, 0), (4, 0, 0)])
def test_c76_unsupported_python_gets_one_sentence(version, monkeypatch, capsys):
    # were the version taken after all, this folder's own environment would be made anew
    monkeypatch.setattr(environment, "make_venv", lambda folder: pytest.fail(f"makes {folder}"))
    monkeypatch.setattr(environment.sys, "version_info", version)
    monkeypatch.setattr(environment, "runs", lambda name: False)
    monkeypatch.setattr(environment, "make_venv", None)  # a version that is supported by now
    assert environment.main_setup([]) == 2
    said = capsys.readouterr()
    found = ".".join(map(str, version))
    assert f"needs Python 3.11, 3.12, 3.13 or 3.14, and this is Python {found}." in said.err
    assert "make learn PYTHON=python3.12" in said.err
    assert len(said.err.splitlines()) == 1 and said.out == ""


def test_c76_a_better_python_on_this_machine_is_named(monkeypatch):
    monkeypatch.setattr(environment, "runs", lambda name: name == "python3.12")
    with pytest.raises(environment.SetupError, match=r"You have python3\.12: run"):
        environment.check_python((3, 9, 6))


@pytest.mark.parametrize("version", environment.SUPPORTED)
def test_c76_supported_python_passes(version):
    environment.check_python((*version, 0))


@pytest.mark.parametrize("missing", ["venv", "ensurepip"])
def test_a_python_without_its_venv_module_gets_one_sentence(missing, monkeypatch):
    real = builtins.__import__

    def without(name, *arguments, **named):
        if name == missing:
            raise ImportError(name)
        return real(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(environment.SetupError, match=r"`sudo apt install python3\.12-venv`"):
        environment.check_venv_module((3, 12, 3))


@pytest.mark.parametrize(
    "pip_said, sentence",
    [
        ("OSError: [Errno 28] No space left on device", "The disk is full"),
        (
            "WARNING: Retrying (Retry(total=4))\nERROR: No matching distribution",
            "could not be reached",
        ),
        ("ERROR: No matching distribution found for torch", "no build of that package"),
        ("ERROR: something else", "pip failed"),
    ],
)
def test_a_failure_of_pip_names_its_remedy(pip_said, sentence):
    assert sentence in environment.remedy_for(pip_said)


def test_the_last_lines_of_pip_hold_no_traceback():
    said = (
        "one\nERROR: two\nTraceback (most recent call last):\n  File x\n    y\nOSError: three\n\n"
    )
    assert environment.last_lines(said, 2) == "ERROR: two\nOSError: three"


@pytest.mark.parametrize("name", ["__init__", "__main__", "course/__init__", "course/environment"])
def test_an_old_python_can_read_what_refuses_it(name):
    """Python 3.6 must reach the sentence: no newer syntax, no imports but the standard library."""
    source = (ROOT / "helpers" / f"{name}.py").read_text(encoding="utf-8")
    tree = ast.parse(source, feature_version=(3, 6))
    for node in tree.body:
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= sys.stdlib_module_names
        elif isinstance(node, ast.ImportFrom):
            assert (node.module, node.names[0].name) == ("helpers.course", "environment")


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


def test_a_broken_stamp_counts_as_none(tmp_path):
    (tmp_path / "stamp").write_text('{"half')
    assert environment.read_json(str(tmp_path / "stamp")) == {}
    environment.write_atomically(str(tmp_path / "stamp"), json.dumps({"a": 1}))
    assert environment.read_json(str(tmp_path / "stamp")) == {"a": 1}
    assert os.listdir(tmp_path) == ["stamp"]


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
    def make(*words):
        return subprocess.run(["make", *words], cwd=ROOT, capture_output=True, text=True)

    done = make("learn", "PYTHON=python3.99")
    assert done.returncode and done.stdout == (
        "There is no python3.99 here that starts: name a Python "
        f"{environment.supported_text()} that you have, as in: make learn PYTHON=python3.12\n"
    )
    for words, saves in (((), False), (("SAVE=0",), False), (("SAVE=1",), True)):
        assert ("--save" in make("-n", "lessons", *words).stdout) is saves
