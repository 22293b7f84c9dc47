"""What a learner has done, in one file that survives restarts and is whole at any moment.

This is no module of the name "progress": it would take the place of the function of that name in
the package, as soon as it is loaded.
"""

import contextlib
import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from helpers.exercises.exercise import PASSED, Exercise
from helpers.files import WORK, write_whole


class Progress:
    """The record of one learner: {exercise: {"state", "tries", "hints", "asked"}}.

    path: by default work/progress.json, or what the variable COURSE_PROGRESS names. A damaged file
    is set aside beside it, with a printed line, and a new record begins.
    """

    def __init__(self, path: Path | None = None):
        given = os.environ.get("COURSE_PROGRESS")
        self.path = path or (Path(given) if given else WORK / "progress.json")

    def read(self) -> dict[str, dict]:
        """Return the record; empty if there is none yet."""
        if not self.path.exists():
            return {}
        with self._locked():
            return self._read()

    def _read(self) -> dict[str, dict]:
        try:
            record = json.loads(self.path.read_bytes())
        except FileNotFoundError:
            return {}
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict) or not all(_good(entry) for entry in record.values()):
            self._set_aside()
            return {}
        return record

    def checked(self, exercise: str, state: str) -> None:
        """Record that a check ended with this state; what was solved once stays solved."""
        with self._entry(exercise) as entry:
            entry["tries"] += 1
            if entry["state"] != PASSED:
                entry["state"] = state

    def next_hint(self, exercise: str, last: int) -> int:
        """Record one more hint, at most last; return its number from 1."""
        with self._entry(exercise) as entry:
            entry["hints"] = min(entry["hints"] + 1, last)
        return entry["hints"]

    def asked_before(self, exercise: str) -> bool:
        """Record that the solution was asked for; return whether it was asked for before."""
        with self._entry(exercise) as entry:
            before, entry["asked"] = entry["asked"], True
        return before

    @contextlib.contextmanager
    def _entry(self, exercise: str) -> Iterator[dict]:
        """Give the entry of an exercise to be changed, then write the record whole."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self._locked():
            record = self._read()
            entry = record.setdefault(exercise, {})
            for name, value in {"state": "", "tries": 0, "hints": 0, "asked": False}.items():
                entry.setdefault(name, value)
            yield entry
            text = json.dumps(dict(sorted(record.items())), indent=1)
            write_whole(self.path, text + "\n")

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Keep other notebooks out while the file is read and written.

        The system gives the lock back when a process ends, however it ends.
        """
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(OSError):  # some network drives know no locks
                lock = stack.enter_context(open(self.path.with_name(self.path.name + ".lock"), "a"))
                _lock(lock.fileno())
            yield

    def _set_aside(self) -> None:
        number = 1
        while (aside := self.path.with_name(f"{self.path.name}.damaged{number}")).exists():
            number += 1
        os.replace(self.path, aside)
        print(
            f"{self.path.name} was damaged. It is kept as {aside.name}, and a new one begins: "
            "run your checks again."
        )


def _lock(file: int) -> None:
    """Wait for the lock on an open file; closing the file gives it back."""
    if os.name == "nt":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


def _good(entry) -> bool:
    kinds = {"state": str, "tries": int, "hints": int, "asked": bool}
    return isinstance(entry, dict) and all(
        isinstance(entry.get(name, kind()), kind) for name, kind in kinds.items()
    )


def table(exercises: Iterable[Exercise], record: dict[str, dict]) -> str:
    """Return the table by lesson: exercises, tried, solved, points, and a line of totals."""
    lessons: dict[str, list[int]] = {}
    total = [0] * 5
    for exercise in exercises:
        state = record.get(exercise.id, {}).get("state", "")
        solved = state == PASSED
        numbers = [1, state != "", solved, exercise.points * solved, exercise.points]
        row = lessons.setdefault(exercise.lesson, [0] * 5)
        for sums in (row, total):
            sums[:] = [a + b for a, b in zip(sums, numbers, strict=True)]
    lines = ["lesson  exercises  attempted  solved    points"]
    for name, row in [*lessons.items(), ("all", total)]:
        points = f"{row[3]} of {row[4]}"
        lines.append(f"{name:<6}  {row[0]:>9}  {row[1]:>9}  {row[2]:>6}  {points:>8}")
    return "\n".join(lines)
