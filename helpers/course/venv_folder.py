"""The environment's folder: made, asked what it is, and removed, never half."""

import json
import os
import shutil
import subprocess
import sys

from helpers.course.notes import write_atomically
from helpers.course.python_version import SetupError, version_text

# while this file stands in an environment, the environment is only half made
UNFINISHED = "course-unfinished"


def check_venv_module(version):
    """Raise SetupError when Python came without what makes environments (Debian, Ubuntu)."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        raise SetupError(
            "This Python came without its venv module: run "
            f"`sudo apt install python{version_text(version)}-venv`, then the same command again."
        ) from None


def venv_python(folder):
    """Return the path of the interpreter inside an environment's folder."""
    if os.name == "nt":
        return os.path.join(folder, "Scripts", "python.exe")
    return os.path.join(folder, "bin", "python")


def venv_version(folder):
    """Return (major, minor) of an environment that works, or None.

    The interpreter is asked, because a system upgrade can put another Python behind its name. And
    it must know that it is an environment: one that was half deleted takes itself for the system's
    Python, and pip would install there.
    """
    if os.path.exists(os.path.join(folder, UNFINISHED)):
        return None
    question = "import sys; sys.prefix != sys.base_prefix and print(*sys.version_info[:2])"
    try:
        major, minor = ask(venv_python(folder), question).split()
        return int(major), int(minor)
    except (OSError, ValueError):
        return None


def ask(python, question):
    """Return what an interpreter prints for a line of Python; nothing where that fails."""
    answer = subprocess.run(
        [python, "-I", "-c", question], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    return answer.stdout.decode(errors="replace")


def inside(python):
    """Return (folder for packages, {package: version}) of an interpreter's own environment."""
    question = (
        "import importlib.metadata as m, json, sysconfig; place = sysconfig.get_path('purelib'); "
        "found = {str(d.metadata['Name']): d.version for d in m.distributions(path=[place])}; "
        "print(json.dumps([place, found]))"
    )
    try:
        return tuple(json.loads(ask(python, question)))
    except ValueError:
        raise SetupError(
            f"The environment of {python} does not answer: delete its folder and run this again."
        ) from None


def remove(folder):
    """Delete an environment; moved aside first, so that an interrupted deletion leaves no half one.

    What an earlier interruption left aside goes too.
    """
    aside = folder + ".old"
    shutil.rmtree(aside, ignore_errors=True)
    if os.path.islink(folder) or os.path.isfile(folder):
        os.unlink(folder)
    elif os.path.isdir(folder):
        os.rename(folder, aside)
        shutil.rmtree(aside, ignore_errors=True)


def make_venv(folder):
    """Make an empty environment with this Python, in place of whatever is there."""
    check_venv_module(sys.version_info)
    remove(folder)
    os.makedirs(folder)
    unfinished = os.path.join(folder, UNFINISHED)
    write_atomically(unfinished, "")
    # when this is itself an environment's Python, the one behind it makes the new one
    base = getattr(sys, "_base_executable", None) or sys.executable
    made = subprocess.run(
        [base, "-m", "venv", folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if made.returncode:
        print(last_lines(made.stdout.decode(errors="replace")), file=sys.stderr)
        raise SetupError(
            f"Python could not make the environment {folder}: see the lines above; on Debian or "
            "Ubuntu "
            f"`sudo apt install python{version_text(sys.version_info)}-venv` is the usual remedy."
        )
    os.unlink(unfinished)


def bring_pip(folder):
    """Put pip into an environment that works and has none, such as one that uv made."""
    python = venv_python(folder)
    if "pip" in ask(python, "import pip; print(pip.__name__)"):
        return
    made = subprocess.run(
        [python, "-I", "-m", "ensurepip", "--default-pip"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if made.returncode:
        raise SetupError(
            f"The environment {folder} has no pip, and this Python brings none: run `uv pip "
            "install pip` "
            "if uv made it; or delete that folder, and run this again."
        )


def last_lines(text, count=6):
    """Return the last lines of a tool's output, without the frames of a traceback."""
    lines = [line for line in text.splitlines() if line.strip()]
    frames = (" ", "\t", "Traceback")
    return "\n".join([line for line in lines if not line.startswith(frames)][-count:])
