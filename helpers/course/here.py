"""Set-up into an environment that is there already: conda, uv, a hosted notebook, a classroom.

It installs only what is missing, and replaces nothing.
"""

import os
import re
import shutil
import site
import subprocess
import sys
import sysconfig
import tempfile

from helpers.course import disk
from helpers.course.installing import pip_install
from helpers.course.linking import LINK, check_ours, write_link
from helpers.course.python_version import SetupError, check_python
from helpers.course.requirements import pinned, pins, same
from helpers.course.torch_build import choose

OLDEST_TORCH = (2, 5)  # attention with grouped heads came with it
OWN = "For exactly the course's versions take an environment of its own: `make learn`."


def setup_here(root, files, torch=None):
    """Bring the environment of this Python to what the course needs.

    Args:
        root: the course's folder, which need not be writable.
        files: the requirement files.
        torch: "cpu" or "default" where PyTorch is missing; None for what suits this machine.
    Returns: True where something was installed or linked, False where all was there.
    Raises: SetupError with the remedy.
    """
    check_python(sys.version_info)
    check_environment()
    check_ours(sys.executable, root)
    wanted = {name: line for path in files for name, line in pins(path).items()}
    there = {name: version_of(name) for name in wanted}
    if there.get("torch"):
        check_torch(there["torch"])
    missing = [name for name in wanted if not there[name]]
    packages = place_for_packages()
    if missing:
        install(missing, wanted, there, packages, torch)
    new = not os.path.exists(os.path.join(packages, LINK))
    write_link(packages, root)
    for line in differences(wanted, there):
        print(line)
    print("Ready: `import helpers` works in this environment, from every folder.")
    return bool(missing) or new


def check_environment():
    """Raise SetupError where pip is missing, or must not install."""
    if not version_of("pip"):
        raise SetupError(
            f"This environment has no pip: run `{sys.executable} -m ensurepip`, or "
            "`uv pip install pip` if uv made it, and run this again."
        )
    marker = os.path.join(sysconfig.get_paths()["stdlib"], "EXTERNALLY-MANAGED")
    if sys.prefix == sys.base_prefix and os.path.exists(marker):
        raise SetupError(
            "This Python belongs to the system, which lets pip install nothing into it: run "
            "`make learn`, or `python3 -m helpers setup`, which make an environment of their own."
        )


def place_for_packages():
    """Return the folder that pip installs into here: the environment's, or else the user's own."""
    packages = sysconfig.get_paths()["purelib"]
    if os.access(packages, os.W_OK):
        return packages
    if not site.ENABLE_USER_SITE:
        raise SetupError(
            f"Packages cannot be written to {packages}: make an environment of your own by "
            "`python3 -m venv FOLDER`, and run this again with its Python."
        )
    packages = site.getusersitepackages()
    os.makedirs(packages, exist_ok=True)
    return packages


def version_of(name):
    """Return the version of a package in this environment, or "" where it is not there."""
    from importlib.metadata import PackageNotFoundError, version  # an old Python has none

    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def check_torch(version):
    """Raise SetupError where the PyTorch that is here does not work, or is too old."""
    tried = subprocess.run(
        [sys.executable, "-c", "import torch; torch.zeros(2).sum().item()"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    if tried.returncode:
        said = tried.stderr.decode(errors="replace").strip().splitlines()
        raise SetupError(
            "PyTorch {} is here and does not work ({}): mend or uninstall it, and run this "
            "again.".format(version, said[-1] if said else "it ends without a word")
        )
    if tuple(map(int, re.findall(r"\d+", version)[:2])) < OLDEST_TORCH:
        raise SetupError(
            "PyTorch {} is here, and the course needs {} or later: uninstall it, or take another "
            "environment, and run this again.".format(version, ".".join(map(str, OLDEST_TORCH)))
        )


def install(missing, wanted, there, packages, asked):
    """Install what is missing; what the course names and is there keeps its version."""
    torch, why = choose(asked) if "torch" in missing else (None, "")
    fetched, on_disk = disk.cost(torch, missing != ["torch"], False)
    folder = tempfile.mkdtemp(prefix="course-")
    try:
        free = disk.check_room([(packages, on_disk), (folder, fetched)])
        print("\n".join(filter(None, [why, "missing here: " + ", ".join(missing)])))
        print(disk.announcement(fetched, on_disk, free), flush=True)
        kept = os.path.join(folder, "kept.txt")
        with open(kept, "w", encoding="utf-8") as file:
            file.writelines(f"{name}=={there[name]}\n" for name in there if there[name])
        words = ["--constraint", kept] + [wanted[name] for name in missing]
        if packages != sysconfig.get_paths()["purelib"]:
            words.insert(0, "--user")
        pip_install(sys.executable, words, torch, os.path.join(folder, "pip"), packages)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def differences(wanted, there):
    """Return what to say about packages that are here in other versions than the course's."""
    other = {
        name: version
        for name, version in there.items()
        if version and not same(version, wanted[name])
    }
    lines = []
    if "torch" in other:
        lines.append(
            f"PyTorch is {other.pop('torch')} here, and the course's is {pinned(wanted['torch'])}: "
            "lessons run, and saved outputs may differ in the last digit."
        )
    if other:
        named = [f"{n} {version} ({pinned(wanted[n])})" for n, version in other.items()]
        lines.append("Kept in another version than the course's: " + ", ".join(named) + ".")
    return [*lines, OWN] if lines else []
