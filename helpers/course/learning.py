"""Opening a lesson: a learner's own copies brought up to date, and JupyterLab.

Nothing here needs PyTorch, which takes seconds to import.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from helpers import hiding
from helpers.counting import processors
from helpers.exercises import copies
from helpers.files import ROOT


def learn(arguments: list[str]) -> int:
    """python -m helpers learn [NN]: bring the copies in work/ up to date and open one.

    Returns: the exit status.
    """
    parser = argparse.ArgumentParser(prog="python -m helpers learn")
    parser.add_argument("number", nargs="?", default="00", metavar="NN", help="lesson to open")
    parser.add_argument("--no-open", action="store_true", help="only make or renew the copies")
    options = parser.parse_args(arguments)
    try:
        lesson = copies.lesson(options.number)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        brought = copies.bring()
    except OSError as error:
        print(
            f"Your copies cannot be written ({error.filename}: {error.strerror}): set the variable "
            "COURSE_WORK to a folder of your own, and run this again.",
            file=sys.stderr,
        )
        return 2
    for line in brought:
        print(line)
    if options.no_open:
        print(f"{len(copies.lessons())} lessons are ready in {_shown(copies.WORK)}")
        return 0
    # JupyterLab shows the whole course, or, where the copies lie elsewhere, these alone
    root = ROOT if copies.WORK.is_relative_to(ROOT) else copies.WORK
    copy = (copies.WORK / lesson.name).relative_to(root).as_posix()
    command = [sys.executable, "-m", "jupyterlab", "--ServerApp.root_dir=.", copy]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # in a container one is often root
    # its kernels find the course whatever else is called helpers, and no more threads than cores
    settings = hiding.variables(processors.variables())
    return subprocess.call(command, cwd=root, env=settings)


def _shown(folder: Path) -> str:
    """Return a folder as it is named to a person: work/ for the one in the course."""
    inside = folder.is_relative_to(ROOT)
    return f"{folder.relative_to(ROOT)}/" if inside else str(folder)
