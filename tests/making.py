"""Make, called as a person calls it: also where a make runs these tests."""

import os
import subprocess

from helpers.course.notes import ROOT

# what an outer make tells an inner one: its own flags and variables, and that it says its folder
FROM_OUTSIDE = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")


def make(*words):
    """Run `make` in the course's folder and return what it did.

    words: strings, targets and settings as they stand after `make`.
    """
    own = {name: value for name, value in os.environ.items() if name not in FROM_OUTSIDE}
    return subprocess.run(["make", *words], cwd=ROOT, env=own, capture_output=True, text=True)
