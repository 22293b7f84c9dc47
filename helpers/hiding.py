"""What hides the course from notebooks, and how programs that it starts find it all the same.

A notebook imports `helpers` from the first place that has one: PYTHONPATH, its own folder, packages
that were installed, and last the course. A file helpers.py of one's own beside the notebook is
enough. `python -m helpers` itself, started in the course's folder, is found first.

An old Python must be able to read this file: see helpers/__main__.py.
"""

import os
import sys
import sysconfig

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = ("work", "lessons")  # where notebooks are opened


def sentences(root=ROOT, environment=os.environ):
    """Return one sentence for each file that hides the course; it names the file and the remedy."""
    places = [(os.path.join(root, name), "give it another name") for name in FOLDERS]
    for folder in environment.get("PYTHONPATH", "").split(os.pathsep):
        if folder:
            places.append((folder, f"take {shown(folder)} off PYTHONPATH"))
    if sys.prefix != sys.base_prefix:
        for kind in ("purelib", "platlib"):
            places.append((sysconfig.get_paths()[kind], "remove that package from .venv"))
    found = {}
    for folder, remedy in places:
        file = None if same(folder, root) else helpers_in(folder)
        if file:
            found.setdefault(file, remedy)
    words = (
        "Notebooks that another program than `make learn` opens take {} for the course's package "
        "helpers: {}."
    )
    return [words.format(shown(near(file, root)), remedy) for file, remedy in found.items()]


def variables(environment):
    """Return variables with which programs that are started find the course before all others."""
    before = environment.get("PYTHONPATH")
    path = ROOT if not before else os.pathsep.join([ROOT, before])
    return dict(environment, PYTHONPATH=path)


def helpers_in(folder):
    """Return the file that `import helpers` would take from a folder, or None."""
    for name in (os.path.join("helpers", "__init__.py"), "helpers.py"):
        if os.path.isfile(os.path.join(folder, name)):
            return os.path.join(folder, name)
    return None


def same(one, other):
    """Return whether two paths are one folder."""
    return os.path.realpath(one) == os.path.realpath(other)


def near(file, folder):
    """Return a file's path, from a folder on if it lies in it."""
    inside = os.path.abspath(file).startswith(os.path.join(os.path.abspath(folder), ""))
    return os.path.relpath(file, folder) if inside else file


def shown(path):
    """Return a path as it may be printed: nothing in it steers a terminal."""
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in path)
