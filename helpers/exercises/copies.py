"""A learner's own copies of the lessons, in work/: made once, and renewed without losing an answer.

A copy remembers which version of its lesson it was made from. When the lesson has a newer one, the
copy is made anew, the learner's exercise cells are put in by their id, and the old copy is kept.
"""

import hashlib
import json
import os
import re
from pathlib import Path

import nbformat

from helpers import lesson_names
from helpers.exercises import answers
from helpers.exercises.handed import gathering, saved
from helpers.files import ROOT, WORK, write_whole

LESSONS = ROOT / "lessons"


def bring(lessons: Path = LESSONS, work: Path = WORK) -> list[str]:
    """Make or renew the copies of all lessons; return one line for each that was there and changed.

    A copy that belongs to the lesson's present version is left alone, whatever was done in it. What
    is no lesson among them is not copied, and has a line too.
    """
    work.mkdir(parents=True, exist_ok=True)
    found, said = lesson_names.sort_out(lessons)
    for lesson in found.values():
        fresh = nbformat.read(lesson, as_version=4)
        version = version_of(fresh)
        fresh.metadata["course"] = {"version": version}
        _lead_pages_back(fresh, lessons, work)
        copy = work / lesson.name
        if not copy.exists():
            write_whole(copy, nbformat.writes(fresh) + "\n")
            continue
        if not copy.is_file():  # it may wait for ever, or lead to a device
            said.append(f"{copy.name} in work/ is no file: move it away, then run this again.")
            continue
        try:
            found = saved.read(saved.content(copy, own=True))
        except saved.Unreadable:
            found = None
        except OSError as error:
            said.append(f"{copy.name} in work/ is left as it is: {error.strerror}.")
            continue
        if found is not None and found.version == version:
            continue
        said.append(_renew(copy, fresh, found))
    return said


def version_of(notebook: nbformat.NotebookNode) -> str:
    """Return what tells one version of a lesson from another: a hash of its cells' text."""
    cells = [[cell.get("id"), cell.cell_type, cell.source] for cell in notebook.cells]
    return hashlib.sha256(json.dumps(cells).encode()).hexdigest()[:16]


def _renew(copy: Path, fresh: nbformat.NotebookNode, old: saved.Saved | None) -> str:
    """Keep the old copy, put its answers into the fresh one, write that; return what was done."""
    kept = _keep(copy)
    if old is None:
        write_whole(copy, nbformat.writes(fresh) + "\n")
        return f"{copy.name} could not be read as a notebook: it is kept as {kept}, a new one made."
    wanted = saved.functions(saved.read(nbformat.writes(fresh).encode()).cells)
    pile = gathering.Pile(saved.functions(old.cells) | wanted)
    pile.add("", old.cells)
    found = pile.gathered()
    mine = {
        exercise: answer.source
        for exercise, answer in found.answers.items()
        if exercise not in found.borrowed and not untouched(answer)
    }
    for cell, following in zip(fresh.cells, [*fresh.cells[1:], None], strict=True):
        source = mine.get(cell.metadata.get("exercise"))
        if source is None:
            continue
        cell.source = source
        for changed in (cell, following):
            if changed is not None and changed.cell_type == "code":
                changed.outputs, changed.execution_count = [], None
    write_whole(copy, nbformat.writes(fresh) + "\n")
    put = len(mine.keys() & wanted.keys())
    line = (
        f"{copy.name}: the lesson has a newer version. {put} "
        f"answer{'' if put == 1 else 's'} of yours {'is' if put == 1 else 'are'} in the new copy, "
        f"and the old copy is kept as {kept}."
    )
    gone = sorted(mine.keys() - wanted.keys())
    if gone:
        line += f" No longer in the lesson, so only there: {', '.join(gone)}."
    return line


def untouched(answer: answers.Answer) -> bool:
    """Return whether an answer is still the stub."""
    try:
        return answer.is_stub()
    except answers.NotAnAnswer:  # half written, or no function any more: still the learner's
        return False


def _keep(copy: Path) -> str:
    """Copy a file beside itself under a name that is free, and return that name."""
    content = copy.read_bytes()
    kept, number = copy.with_name(copy.name + ".old"), 1
    while kept.exists() and kept.read_bytes() != content:
        number += 1
        kept = copy.with_name(f"{copy.name}.old{number}")
    write_whole(kept, content)
    return kept.name


def _lead_pages_back(notebook: nbformat.NotebookNode, lessons: Path, work: Path) -> None:
    """Make links to what is not copied lead to the folder of the lessons."""
    back = Path(os.path.relpath(lessons, work)).as_posix()
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = re.sub(
                r"\]\((?![a-z]+:|#|\.\./)([^)\s]+\.(?!ipynb)\w+)", rf"]({back}/\1", cell.source
            )
