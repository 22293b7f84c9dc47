"""One verdict over forty seeds: python -m tests.exercises.verdicts [NN.n ...].

A grade must not hang on what a check happens to draw. So every answer that is kept, right or wrong,
is tried with forty seeds. That is two hours of work for all of them. What held is therefore written
down, by digest of the check and of the answer, in tests/verdicts/NN.json, and only what has changed
is tried again. The command goes on where it was interrupted.
"""

import ast
import hashlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from helpers.exercises import catalog
from helpers.exercises.answers import Answer
from helpers.exercises.exercise import FAILED, PASSED, Exercise
from helpers.exercises.process import Process
from helpers.files import write_whole
from tests.exercises import planted

SEEDS = range(40)
RECORDS = planted.TESTS / "verdicts"
CHECKS = Path(catalog.__file__).parent / "checks"


def digest(*texts: str) -> str:
    """Return the first 16 hex digits of the SHA-256 of texts."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]


def check_digest(exercise: Exercise) -> str:
    """Return the digest of the exercise's check, with what it takes from its lesson's folder and
    from the rules of comparing.

    What it takes from the rooms below is held by tests of their own.
    """
    folder = CHECKS / f"lesson_{exercise.lesson}"
    own = folder / f"{exercise.function}.py"
    files, waiting = {own, CHECKS.parent / "expect.py"}, [own]
    while waiting:
        for node in ast.walk(ast.parse(waiting.pop().read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                words = node.module.split(".")
                near = CHECKS.joinpath(*words[3:]).with_suffix(".py")
                if words[:3] == ["helpers", "exercises", "checks"] and near not in files:
                    files.add(near)
                    waiting.append(near)
    return digest(*(path.read_text(encoding="utf-8") for path in sorted(files)))


def answers(exercise: Exercise) -> Iterator[tuple[str, Answer, str]]:
    """Yield (name, answer, state that it must have) of every answer that is kept."""
    wrong, right = planted.strangers(exercise)
    yield "reference", planted.reference(exercise), PASSED
    for name, answer in planted.others(exercise).items():
        yield f"other {name}", answer, PASSED
    for name, answer in right.items():
        yield f"stranger {name}", answer, PASSED
    for one in planted.written(exercise):
        yield f"planted {one.name}", one.answer, FAILED
    for one in wrong:
        yield f"stranger {one.name}", one.answer, FAILED


def differing(exercise: Exercise, answer: Answer, state: str, process: Process) -> list[int]:
    """Return the seeds on which an answer has another state."""
    return [
        seed
        for seed in SEEDS
        if exercise.check(answer, process, seed, first_fault_ends=True).state != state
    ]


class Record:
    """What held for the exercises of a lesson: {exercise: {"check": digest, name: digest}}."""

    def __init__(self, lesson: str, folder: Path = RECORDS):
        self.path = folder / f"{lesson}.json"
        self.held = json.loads(self.path.read_text()) if self.path.exists() else {}

    def changed(self, exercise: Exercise) -> list[tuple[str, Answer, str]]:
        """Return what of the exercise was not tried as it is now: (name, answer, state)."""
        held = self.held.get(exercise.id, {})
        if held.get("check") != check_digest(exercise):
            held = {}
        return [one for one in answers(exercise) if held.get(one[0]) != digest(one[1].source)]

    def keep(self, exercise: Exercise, held: list[str]) -> None:
        """Write down that answers of these names held as they are, and forget what is gone."""
        check, before = check_digest(exercise), self.held.get(exercise.id, {})
        if before.get("check") != check:
            before = {}
        now = {name: digest(answer.source) for name, answer, _ in answers(exercise)}
        kept = {n: d for n, d in now.items() if n in held or before.get(n) == d}
        self.held[exercise.id] = {"check": check, **kept}
        self.held = dict(sorted(self.held.items()))
        self.path.parent.mkdir(exist_ok=True)
        write_whole(self.path, json.dumps(self.held, indent=1) + "\n")


def sweep(
    exercise: Exercise, process: Process, record: Record, say: Callable[[str], None]
) -> list[str]:
    """Try what has changed of an exercise; return a sentence for each answer of two verdicts."""
    found, held = [], []
    for name, answer, state in record.changed(exercise):
        seeds = differing(exercise, answer, state, process)
        if seeds:
            found.append(f"{exercise.id} {name}: not {state} with seeds {seeds}")
            say(found[-1])
        else:
            held.append(name)
    record.keep(exercise, held)
    return found


def main(arguments: list[str]) -> int:
    """Try all that has changed, or that of the given exercises or lessons; return the status."""
    try:
        chosen = catalog.select(arguments)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    process, found = Process(), []
    try:
        for exercise in chosen.values():
            record = Record(exercise.lesson)  # read anew: another run may have gone on with it
            tried = len(record.changed(exercise))
            some = sweep(exercise, process, record, lambda text: print(text, flush=True))
            found += some
            print(f"{exercise.id}: {tried} answers tried, {len(some)} differ", flush=True)
    finally:
        process.stop()
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
