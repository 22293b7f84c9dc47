"""Which Pythons .ci/run takes: only those that start, and for the second one another version."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HERE = ".".join(map(str, sys.version_info[:2]))
OTHER = "3.12" if HERE != "3.12" else "3.13"
FAILS = "#!/bin/sh\necho 'pyenv: python3.13: command not found' >&2\nexit 127\n"

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def python_that_says(version, venv=True):
    """A Python that takes itself for another version, with or without its venv module."""
    told = f"import sys; sys.version_info = ({version.replace('.', ', ')}, 0)\n"
    lacks = "" if venv else "sys.modules['ensurepip'] = None\n"
    code = f"{told}{lacks}exec(sys.argv.pop(1))"
    return f'#!/bin/sh\nshift\nexec "{sys.executable}" -c "{code}" "$@"\n'


@pytest.fixture
def machine(tmp_path):
    """A folder of commands, and a function that asks .ci/pythons what it finds there."""
    commands = tmp_path / "bin"
    for name in ("find", "sort"):
        script(commands / name, f'#!/bin/sh\nexec {shutil.which(name)} "$@"\n')

    def ask(words):
        done = subprocess.run(
            [shutil.which("bash"), "-c", f"set -euo pipefail; source .ci/pythons; {words}"],
            cwd=ROOT,
            env={**os.environ, "PATH": str(commands)},
            capture_output=True,
            text=True,
        )
        assert done.stderr == ""
        return done.stdout.strip()

    return commands, ask


SECOND = f'second_python {HERE} || echo "there is none"'


def test_the_first_is_one_that_the_course_runs_on(machine):
    commands, ask = machine
    script(commands / "python3", python_that_says("3.10"))
    script(commands / "python3.11", python_that_says("3.11"))
    assert ask("find_python") == "python3.11"
    assert ask('version "$(find_python)"') == "3.11"


def test_a_wrapper_that_fails_is_no_python(machine):
    commands, ask = machine
    script(commands / "python3", python_that_says(HERE))
    script(commands / f"python{OTHER}", FAILS)
    assert ask("find_python") == "python3"
    assert ask(SECOND) == "there is none"


def test_the_second_is_of_another_version_and_can_make_an_environment(machine):
    commands, ask = machine
    script(commands / "python3", python_that_says(HERE))
    script(commands / f"python{OTHER}", python_that_says(OTHER, venv=False))
    assert ask(SECOND) == "there is none"
    script(commands / f"python{OTHER}", python_that_says(OTHER))
    assert ask(SECOND) == f"python{OTHER}"


def test_what_pyenv_keeps_is_found_behind_wrappers_that_fail(machine, tmp_path):
    commands, ask = machine
    script(commands / "python3", python_that_says(HERE))
    script(commands / f"python{OTHER}", FAILS)
    script(commands / "pyenv", f"#!/bin/sh\necho '{tmp_path}/pyenv'\n")
    assert ask(SECOND) == "there is none"
    kept = tmp_path / "pyenv" / "versions"
    script(kept / "3.10.13" / "bin" / "python", python_that_says("3.10"))
    script(kept / f"{OTHER}.1" / "bin" / "python", python_that_says(OTHER))
    assert ask(SECOND) == f"{kept}/{OTHER}.1/bin/python"
