"""`import helpers` in an environment: one line in a file, and a look at what it finds."""

import os
import re
import subprocess

from helpers.course.notes import write_atomically
from helpers.course.python_version import SetupError

LINK = "course_helpers.pth"


def write_link(site_packages, root):
    """Write the .pth file that makes `import helpers` work; return its path.

    Inside the course's folder the line is relative, so it stays right when that is renamed.
    """
    line = root
    if os.path.abspath(site_packages).startswith(os.path.join(os.path.abspath(root), "")):
        line = os.path.relpath(root, site_packages)
    if not re.match(r"[ -~]+$", line):  # signs that such a file may not hold on every system
        line = f"import sys; sys.path.append({root!a})"
    path = os.path.join(site_packages, LINK)
    write_atomically(path, line + "\n")
    return path


def check_ours(python, root):
    """Raise SetupError where `import helpers` would find somebody else's package."""
    folder = os.path.join(root, "helpers")
    question = (
        "from importlib.util import find_spec; found = find_spec('helpers'); "
        "print(*(found.submodule_search_locations or [found.origin]) if found else '', end='')"
    )
    found = subprocess.run(  # in a folder in which no helpers stand
        [python, "-c", question], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    place = found.stdout.decode(errors="replace")
    if place and os.path.realpath(place) != os.path.realpath(folder):
        raise SetupError(
            f"Another package named helpers hides the course's: {place}. Uninstall or rename it, "
            "or take it off PYTHONPATH, and run this again."
        )
