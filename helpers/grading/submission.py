"""Reading what was handed in, whoever wrote it and whatever is in it. Nothing in it is run here.

A submission is a file or a folder: the JSON document of `make submit`, a saved notebook, or several
of them. It is read as data, within bounds of size and depth, and never followed elsewhere: a link
counts as nothing. Whose it is comes from its name or from a roster (folder.py), never from what is
in it.
"""

import hashlib
import stat
from dataclasses import dataclass, field
from pathlib import Path

from helpers.exercises.answers import Answer
from helpers.exercises.handed import saved
from helpers.exercises.handed.gathering import LONGEST, Pile, too_long
from helpers.exercises.handed.names import printable, readable
from helpers.exercises.handed.saved import LARGEST, Unreadable, left_behind

__all__ = ["ENDINGS", "LONGEST", "Submission", "read", "too_long"]

ALTOGETHER = 10 * LARGEST  # bytes of one submission: reading them takes seconds, for all the others
MOST = 100  # files in one folder
ENDINGS = (".json", saved.NOTEBOOK)
RECORD = "progress.json"  # what work/ holds beside the answers


@dataclass(frozen=True)
class Submission:
    """What one learner handed in: answers by exercise, remarks by exercise, and a digest.

    problems: a sentence for each file that could not be read.
    """

    learner: str
    name: str
    digest: str
    answers: dict[str, Answer] = field(default_factory=dict)
    remarks: dict[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    @property
    def problem(self) -> str:
        """What could not be read, in one line, or ""."""
        more = len(self.problems) - 3
        return "; ".join(self.problems[:3]) + (f"; {more} more" if more > 0 else "")


def read(path: Path, learner: str, functions: dict[str, str]) -> Submission:
    """Read one submission; what cannot be read becomes its problem, and nothing is raised.

    functions: {exercise: name of its function}.
    """
    digest = hashlib.sha256()
    pile, problems, size = Pile(functions), [], 0
    try:
        files = files_of(path)
    except OSError as error:
        files, problems = [], [f"it cannot be read: {error.strerror}"]
    for number, file in enumerate(files, start=1):
        # a number and not the name, which its author chose
        which = f"file {number} of {len(files)}" if path.is_dir() else ""
        try:
            content = saved.content(file)
            digest.update(b"%d bytes: " % len(content) + content)  # so no two folders share one
            size += len(content)
            if size > ALTOGETHER:
                raise Unreadable(f"up to here, the folder is larger than {ALTOGETHER // 2**20} MB")
            pile.add(which, saved.read(content).cells)
        except (OSError, Unreadable) as error:
            text = str(error)
            if isinstance(error, OSError):
                text = f"it cannot be read: {error.strerror}"
            digest.update(f"unread: {text}\n".encode())
            problems.append(f"{which}: {text}" if which else text)
    found = pile.gathered()
    if not found.answers and not problems:
        problems = ["there is no answer in it"]
    name = printable(readable(path.name))
    return Submission(
        learner, name, digest.hexdigest(), found.answers, found.remarks, tuple(problems)
    )


def files_of(path: Path, deep: int = 3) -> list[Path]:
    """Return the files of a submission, .json first, then in order of names.

    Links and other kinds are left out, and what systems put beside files. In a folder that holds
    nothing but a folder, as unpacking leaves it, the inner one counts.
    """
    kind = path.lstat().st_mode
    if stat.S_ISREG(kind):
        return [path]
    if not stat.S_ISDIR(kind):
        return []
    found, folders = [], []
    named = [file for file in path.iterdir() if not left_behind(file.name) and file.name != RECORD]
    for file in sorted(named, key=lambda file: file.name)[: 10 * MOST]:
        if file.suffix.lower() in ENDINGS and stat.S_ISREG(file.lstat().st_mode):
            found.append(file)
        elif stat.S_ISDIR(file.lstat().st_mode) and not file.name.startswith("__"):
            folders.append(file)
    if not found and len(folders) == 1 and deep:
        return files_of(folders[0], deep - 1)
    return sorted(found, key=lambda file: file.suffix.lower() != ".json")[:MOST]
