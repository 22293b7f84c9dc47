"""Set-up: a virtual environment in .venv, the requirements in it, and `import helpers` everywhere.

Only the standard library is used, and no syntax newer than Python 3.6, so that an old Python gets
a sentence and not a traceback. Doing it twice costs nothing: what is done is read from a stamp.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import sysconfig

SUPPORTED = ((3, 11), (3, 12), (3, 13), (3, 14))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CPU_INDEX = "https://download.pytorch.org/whl/cpu"


class SetupError(Exception):
    """A set-up that cannot go on; its text is one sentence that names the remedy."""


# -- which Python


def version_text(version):
    """Return "3.12" for (3, 12, 1)."""
    return "{}.{}".format(version[0], version[1])


def supported_text():
    """Return the supported versions as words: 3.11, 3.12, 3.13 or 3.14."""
    names = [version_text(version) for version in SUPPORTED]
    return ", ".join(names[:-1]) + " or " + names[-1]


def check_python(version):
    """Raise SetupError when this version of Python is not supported."""
    if tuple(version[:2]) in SUPPORTED:
        return
    for newer in reversed(SUPPORTED):
        name = "python" + version_text(newer)
        if runs(name):
            remedy = "You have {0}: run `make learn PYTHON={0}` or `{0} -m helpers setup`."
            remedy = remedy.format(name)
            break
    else:
        remedy = "Install one from python.org, then run `make learn PYTHON=python3.12`."
    found = ".".join(str(part) for part in version[:3])
    raise SetupError(
        "This course needs Python {}, and this is Python {}. {}".format(
            supported_text(), found, remedy
        )
    )


def runs(name):
    """Return whether a Python of that name can be started; a wrapper on the path may fail."""
    try:
        return subprocess.run([name, "-c", ""], stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False


def check_venv_module(version):
    """Raise SetupError when Python came without what makes environments (Debian, Ubuntu)."""
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        raise SetupError(
            "This Python came without its venv module: run "
            "`sudo apt install python{}-venv`, then the same command again.".format(
                version_text(version)
            )
        ) from None


# -- the environment


def venv_python(folder):
    """Return the path of the interpreter inside an environment's folder."""
    if os.name == "nt":
        return os.path.join(folder, "Scripts", "python.exe")
    return os.path.join(folder, "bin", "python")


def venv_version(folder):
    """Return (major, minor) of an environment that works and has pip, or None.

    The interpreter is asked, because a system upgrade can put another Python behind its name. And
    it must know that it is an environment: one that was half deleted takes itself for the system's
    Python, and pip would install there.
    """
    question = "import pip, sys; sys.prefix != sys.base_prefix and print(*sys.version_info[:2])"
    try:
        answer = subprocess.run(
            [venv_python(folder), "-I", "-c", question],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        major, minor = answer.stdout.split()
        return int(major), int(minor)
    except (OSError, ValueError):
        return None


def remove(folder):
    """Delete an environment; moved aside first, so that an interrupted deletion leaves no half one.

    What an earlier interruption left aside goes too.
    """
    aside = folder + ".old"
    shutil.rmtree(aside, ignore_errors=True)
    if os.path.islink(folder):
        os.unlink(folder)
    elif os.path.isdir(folder):
        os.rename(folder, aside)
        shutil.rmtree(aside, ignore_errors=True)


def make_venv(folder):
    """Make an empty environment with this Python, in place of whatever is there."""
    check_venv_module(sys.version_info)
    remove(folder)
    # when this is itself an environment's Python, the one behind it makes the new one
    base = getattr(sys, "_base_executable", None) or sys.executable
    made = subprocess.run(
        [base, "-m", "venv", folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if made.returncode:
        print(last_lines(made.stdout.decode(errors="replace")), file=sys.stderr)
        raise SetupError(
            "Python could not make the environment {}: see the lines above; on Debian or Ubuntu "
            "`sudo apt install python{}-venv` is the usual remedy.".format(
                folder, version_text(sys.version_info)
            )
        )


# -- installing


def last_lines(text, count=6):
    """Return the last lines of a tool's output, without the frames of a traceback."""
    lines = [line for line in text.splitlines() if line.strip()]
    frames = (" ", "\t", "Traceback")
    return "\n".join([line for line in lines if not line.startswith(frames)][-count:])


def remedy_for(text):
    """Return one sentence that says what to do about a failed pip, from what pip wrote."""
    network = ("Retrying (", "NewConnectionError", "name resolution", "Timeout", "timed out")
    if "No space left" in text or "Errno 28" in text:
        return "The disk is full: free about 6 GB (2 GB with TORCH=cpu) and run it again."
    if any(sign in text for sign in network):
        return "The package index could not be reached: check the network and run it again."
    if "No matching distribution" in text:
        return (
            "There is no build of that package for this system: Linux (x86-64, ARM64), macOS 14 or "
            "later on Apple silicon, and 64-bit Windows have them, with Python {}.".format(
                supported_text()
            )
        )
    return "pip failed: mend what it says above and run it again; what is installed stays."


def pip_install(python, files, torch):
    """Install requirement files into an environment; raise SetupError when pip fails."""
    command = [python, "-m", "pip", "--require-virtualenv", "install"]
    command.append("--disable-pip-version-check")
    if not sys.stdout.isatty():
        command.append("--quiet")
    if torch == "cpu":
        command += ["--extra-index-url", CPU_INDEX]
    for name in files:
        command += ["-r", name]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    errors = process.communicate()[1].decode(errors="replace")
    if process.returncode:
        print(last_lines(errors), file=sys.stderr)
        raise SetupError(remedy_for(errors))


def write_link(site_packages, root):
    """Write the .pth file that makes `import helpers` work; return its path.

    The line is relative, so it stays right when the repository's folder is renamed.
    """
    try:
        line = os.path.relpath(root, site_packages)
    except ValueError:  # another drive, on Windows
        line = root
    path = os.path.join(site_packages, "course_helpers.pth")
    write_atomically(path, line + "\n")
    return path


def write_atomically(path, text):
    """Write a file so that it is there whole or not at all."""
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(path + ".new", path)


def read_json(path):
    """Return a JSON file's content, or {} when it is missing or broken."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def fingerprint(path):
    """Return the hash of a file."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def setup(root, tests=False, torch=None):
    """Bring root/.venv to the state that the requirement files ask for.

    Args:
        root: the repository's folder.
        tests: also install tests/requirements.txt.
        torch: "cpu" for PyTorch's CPU index, "default" for the usual one, None for what was
            chosen before (the usual one at first).
    Returns: True when something was installed, False when all was there already.
    Raises: SetupError with one sentence that names the remedy.
    """
    check_python(sys.version_info)
    folder = os.path.join(root, ".venv")
    choice_path = os.path.join(root, ".build", "torch-choice.json")  # written first
    made_path = os.path.join(folder, "course-made.json")  # what this environment was made for
    stamp_path = os.path.join(folder, "course-installed.json")  # written last
    here = list(sys.version_info[:2])
    torch = torch or read_json(choice_path).get("torch", "default")
    os.makedirs(os.path.dirname(choice_path), exist_ok=True)
    write_atomically(choice_path, json.dumps({"torch": torch}))  # outlives an interruption

    purpose = {"python": here, "torch": torch}
    made_for = read_json(made_path) or purpose  # one that was made by hand is taken as it is
    there = venv_version(folder)
    if there != tuple(here) or made_for != purpose:
        words = "making .venv with Python {}".format(version_text(here))
        if there and there != tuple(here):
            words += ", in place of Python {} (`make` without PYTHON= keeps what is there)"
            words = words.format(version_text(there))
        print(words, flush=True)
        make_venv(folder)
    write_atomically(made_path, json.dumps(purpose))

    wanted = {name: fingerprint(os.path.join(root, name)) for name in requirement_files(tests)}

    installed = read_json(stamp_path)
    if all(installed.get(name) == value for name, value in wanted.items()):
        return False
    print("installing {} (the first time takes minutes)".format(" and ".join(wanted)), flush=True)
    pip_install(venv_python(folder), [os.path.join(root, name) for name in wanted], torch)
    linked = subprocess.run([venv_python(folder), "-m", "helpers", "link"], cwd=root)
    if linked.returncode:
        raise SetupError("`import helpers` could not be set up: see the lines above.")
    installed.update(wanted)
    write_atomically(stamp_path, json.dumps(installed))
    return True


def requirement_files(tests):
    """Return the names of the requirement files to install, relative to the root."""
    return ["requirements.txt"] + (["tests/requirements.txt"] if tests else [])


def try_real_model(root):
    """Fetch the real model's file for the later lessons; a failure is said and stops nothing."""
    command = [venv_python(os.path.join(root, ".venv")), "-m", "helpers", "real-model"]
    print("fetching the real model's file (93 MB)", flush=True)
    done = subprocess.run(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        print(
            "It could not be fetched now. Lesson 18 and the ones after it that need it say so; "
            "everything else works. `make real-model` tries again."
        )


# -- the two commands


def main_setup(arguments):
    """python -m helpers setup [--tests] [--torch cpu]; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m helpers setup")
    parser.add_argument("--tests", action="store_true", help="also what the tests need")
    parser.add_argument("--torch", choices=["cpu", "default"], help="which build of PyTorch")
    options = parser.parse_args(arguments)
    try:
        if setup(ROOT, options.tests, options.torch):
            try_real_model(ROOT)
    except SetupError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print("Set-up stopped: {}. Mend that and run it again.".format(error), file=sys.stderr)
        return 2
    return 0


def main_link(arguments):
    """python -m helpers link; return the exit status."""
    argparse.ArgumentParser(prog="python -m helpers link").parse_args(arguments)
    if sys.prefix == sys.base_prefix:
        print(
            "This Python is not a virtual environment: run `python3 -m venv .venv`, then "
            "`.venv/bin/python -m helpers link` "
            "(Windows: `.venv\\Scripts\\python -m helpers link`).",
            file=sys.stderr,
        )
        return 2
    write_link(sysconfig.get_paths()["purelib"], ROOT)
    return 0
