"""Try every check on planted wrong answers: python -m tests.exercises.check_the_checks [NN.n ...].

A wrong answer is killed when the check fails it and the feedback contains the words that name its
fault, which no other fault's feedback for the exercise contains. The answers in tests/strangers
count too; several of these may have the same fault, so their words may stand in other feedback.
"""

import sys
from collections.abc import Callable

from helpers.exercises.catalog import exercises
from helpers.exercises.exercise import FAILED, Exercise, Report
from helpers.exercises.process import Process
from tests.exercises import planted


def feedback(report: Report) -> str:
    """Return everything that a report says is wrong, in one text."""
    parts = [
        report.problem,
        *(f"{line.fault} ({line.seen})" for line in report.lines if line.fault),
    ]
    return "\n".join(part for part in parts if part)


def public(report: Report) -> list[str]:
    """Return what a page is to say of a failed answer."""
    return [said for said in (report.public, *(line.public for line in report.lines)) if said]


class Recorder:
    """A process that keeps the first result and its arguments."""

    def __init__(self, process: Process):
        self.process = process
        self.open, self.close = process.open, process.close
        self.first = None

    def call(self, arguments: list) -> dict:
        """Pass a call on."""
        reply = self.process.call(arguments)
        if "result" in reply and self.first is None:
            self.first = reply["result"], arguments
        return reply


def sample(exercise: Exercise, process: Process) -> tuple:
    """Return the first result of the reference in its own check, and the arguments it had."""
    recorder = Recorder(process)
    exercise.check(planted.reference(exercise), recorder)
    if recorder.first is None:
        raise ValueError(f"the reference of {exercise.id} gave no result")
    return recorder.first


Page = Callable[[str, float], str]


def unchanged(sentence: str, seconds: float) -> str:
    """Say on a page what was said."""
    return sentence


def survivors(
    exercise: Exercise, process: Process, page: Page = unchanged
) -> tuple[list[str], list[str]]:
    """Return (names of all planted wrong answers, a sentence for each one that is not killed).

    page: what a page says in place of a sentence on an answer that had so many seconds.
    """
    wrong = planted.written(exercise)
    wrong += planted.common(exercise, *sample(exercise, process))
    said, found = tried(exercise, wrong, process, page)
    for answer in wrong:
        for other, text in said.items():
            if other != answer.name and answer.words and answer.words in text:
                found.append(f"{answer.name}: {answer.words!r} also stands in that of {other}")
    return [answer.name for answer in wrong], found


def tried(
    exercise: Exercise, wrong: list[planted.Wrong], process: Process, page: Page = unchanged
) -> tuple[dict[str, str], list[str]]:
    """Return (feedback on each wrong answer, a sentence for each one that passes or whose feedback
    lacks its words, or could not stand on a page).
    """
    said, found = {}, []
    for answer in wrong:
        report = exercise.check(answer.answer, process)
        text = said[answer.name] = feedback(report)
        if report.state != FAILED:
            found.append(f"{answer.name}: {report.state}")
        elif lost := [said for said in public(report) if page(said, exercise.seconds) != said]:
            found.append(f"{answer.name}: a page may not say {lost[0]!r}: it is in no fixed words")
        elif not answer.words or answer.words not in text:
            found.append(f"{answer.name}: its feedback does not say {answer.words!r}:\n{text}")
    return said, found


def main(arguments: list[str]) -> int:
    """List the wrong answers of all exercises, or of those of the given ids; return the status."""
    chosen = exercises()
    unknown = [name for name in arguments if name not in chosen]
    if unknown:
        print(f"no exercise {unknown[0]}; these exist: {' '.join(chosen)}", file=sys.stderr)
        return 2
    process = Process()
    total = alive = 0
    names = arguments or list(chosen)
    try:
        for name in names:
            planted_names, found = survivors(chosen[name], process)
            said, more = tried(chosen[name], planted.strangers(chosen[name])[0], process)
            planted_names, found = [*planted_names, *said], [*found, *more]
            print(f"{name} {chosen[name].title}: {', '.join(planted_names)}")
            for sentence in found:
                print("  SURVIVES " + sentence.replace("\n", "\n    "))
            total += len(planted_names)
            # one answer may survive for two reasons
            alive += len({sentence.split(":")[0] for sentence in found})
    finally:
        process.stop()
    print(
        f"exercises {len(names)}, wrong answers {total}, killed {total - alive}, survivors {alive}"
    )
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
