"""Set-up: a virtual environment in .venv, the requirements in it, and `import helpers` everywhere.

Doing it twice costs nothing: what is done is read from a stamp. Doing it after an interruption, at
whatever moment, goes on.
"""

import argparse
import errno
import json
import os
import subprocess
import sys
import sysconfig

from helpers.course import disk
from helpers.course.here import setup_here
from helpers.course.installing import clear_half_installed, pip_install
from helpers.course.linking import write_link
from helpers.course.notes import ROOT, fingerprint, read_json, write_atomically
from helpers.course.python_version import SetupError, check_python, version_text
from helpers.course.requirements import normal, pins, requirement_files, same
from helpers.course.torch_build import CPU, DEFAULT, choose, meant
from helpers.course.venv_folder import bring_pip, inside, make_venv, venv_python, venv_version


def setup(root, tests=False, torch=None):
    """Bring root/.venv to the state that the requirement files ask for.

    Args:
        root: the repository's folder.
        tests: also install tests/requirements.txt.
        torch: "cpu" for PyTorch's CPU index, "default" for the usual one, None for what was
            chosen before, or what suits this machine.
    Returns: True when something was installed, False when all was there already.
    Raises: SetupError with one sentence that names the remedy.
    """
    check_python(sys.version_info)
    folder = os.path.join(root, ".venv")
    choice_path = os.path.join(root, ".build", "torch-choice.json")  # what was asked for
    made_path = os.path.join(folder, "course-made.json")  # the build that is in there
    stamp_path = os.path.join(folder, "course-installed.json")  # written last
    asked = meant(torch or read_json(choice_path).get("torch"))
    made_for = read_json(made_path).get("torch")  # None: made by hand, and taken as it is
    before = venv_version(folder)
    works = before == tuple(sys.version_info[:2])
    keep = works and (asked == made_for or not asked or not made_for)

    wanted = {name: fingerprint(os.path.join(root, name)) for name in requirement_files(tests)}
    installed = read_json(stamp_path) if keep else {}
    if keep and all(installed.get(name) == value for name, value in wanted.items()):
        return False

    # decide, and look whether it can be done, before anything is changed
    there = versions(folder) if keep else {}
    missing = {
        name: [
            package
            for package, line in pins(os.path.join(root, name)).items()
            if not same(there.get(package, ""), line)
        ]
        for name in wanted
    }
    build = asked or made_for or DEFAULT
    if "torch" in missing["requirements.txt"]:
        build, why = choose(asked or (made_for if "torch" in there else None))
        print(why, end="\n" if why else "")
    check_disk(root, build, missing)

    os.makedirs(os.path.dirname(choice_path), exist_ok=True)
    if torch:
        write_atomically(choice_path, json.dumps({"torch": torch}))  # outlives an interruption
    if not keep:
        words = f"making .venv with Python {version_text(sys.version_info)}"
        if before and not works:
            words += f", in place of Python {version_text(before)}"
            words += " (`make` without PYTHON= keeps what is there)"
        print(words, flush=True)
        make_venv(folder)
    write_atomically(made_path, json.dumps({"torch": build}))
    print("installing {} (the first time takes minutes)".format(" and ".join(wanted)), flush=True)
    bring_pip(folder)
    python = venv_python(folder)
    packages = inside(python)[0]
    words = ["--require-virtualenv"]
    for name in wanted:
        words += ["-r", os.path.join(root, name)]
    extra = build if "torch" in missing["requirements.txt"] else None
    pip_install(python, words, extra, os.path.join(root, ".build", "pip"), packages)
    write_link(packages, root)
    installed.update(wanted)
    write_atomically(stamp_path, json.dumps(installed))
    return True


def versions(folder):
    """Return {package: version} of an environment, once what is half installed is gone."""
    packages, found = inside(venv_python(folder))
    if clear_half_installed(packages):
        packages, found = inside(venv_python(folder))
    return {normal(name): version for name, version in found.items()}


def check_disk(root, build, missing):
    """Say how much will be fetched, and how much disk that takes; SetupError if it is too much."""
    learners = missing["requirements.txt"]
    fetched, on_disk = disk.cost(
        build if "torch" in learners else None,
        any(package != "torch" for package in learners),
        bool(missing.get("tests/requirements.txt")),
    )
    # what is fetched lies in pip's cache as well, and where it is unpacked
    advice = "" if build == CPU else ", or take PyTorch's CPU build with TORCH=cpu"
    free = disk.check_room([(root, on_disk + 2 * fetched)], advice)
    if fetched:
        print(disk.announcement(fetched, on_disk, free), flush=True)


def try_real_model(python, root, again):
    """Fetch the real model's file for the later lessons; a failure is said and stops nothing."""
    print("fetching the real model's file (93 MB)", flush=True)
    done = subprocess.run(
        [python, "-m", "helpers", "real-model"],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    if done.returncode:
        print(
            "It could not be fetched now. Lesson 18 and the ones after it that need it say so; "
            f"everything else works. {again} tries again."
        )


# -- the two commands


def main_setup(arguments):
    """python -m helpers setup [--here] [--tests] [--torch cpu]; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m helpers setup")
    parser.add_argument("--here", action="store_true", help="into this Python's environment")
    parser.add_argument("--tests", action="store_true", help="also what the tests need")
    parser.add_argument("--torch", choices=[CPU, DEFAULT], help="which build of PyTorch")
    options = parser.parse_args(arguments)
    python = sys.executable if options.here else venv_python(os.path.join(ROOT, ".venv"))
    try:
        if options.here:
            files = [os.path.join(ROOT, name) for name in requirement_files(options.tests)]
            new = setup_here(ROOT, files, options.torch)
        else:
            new = setup(ROOT, options.tests, options.torch)
        if new:
            again = "`make real-model`"
            if options.here:
                again = "`python -m helpers real-model` (with COURSE_CACHE=FOLDER in that folder)"
            try_real_model(python, ROOT, again)
    except SetupError as error:
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(sentence(error), file=sys.stderr)
        return 2
    return 0


def sentence(error):
    """Return what to do about a file or folder that could not be read or written."""
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return (
            f"{error.filename} cannot be written: put the course into a folder of your own, or set "
            "up an environment that is there by `python -m helpers setup --here`."
        )
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", None)):
        return "The disk is full: free some room and run it again; what is installed stays."
    return f"Set-up stopped: {error}. Mend that and run it again."


def main_link(arguments):
    """python -m helpers link; return the exit status."""
    argparse.ArgumentParser(prog="python -m helpers link").parse_args(arguments)
    if sys.prefix == sys.base_prefix:
        print(
            "This Python is not a virtual environment: run `python3 -m venv .venv`, then "
            "`.venv/bin/python -m helpers link` "
            "(Windows: `.venv\\Scripts\\python -m helpers link`); "
            "in conda or a hosted notebook `python -m helpers setup --here`.",
            file=sys.stderr,
        )
        return 2
    write_link(sysconfig.get_paths()["purelib"], ROOT)
    return 0
