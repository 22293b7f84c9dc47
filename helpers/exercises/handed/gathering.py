"""Which cell is the answer: one rule for the notebooks in work/ and for all that is handed in.

A cell is looked at for an exercise if it bears the exercise's number, or if it defines the
exercise's function. Of these counts, in this order:

- a cell in which the function is written, before one that is no Python, before an untouched stub,
  before one that defines no such function;
- among equals one that bears the number, before one that bears none, before one that bears another;
- among these the last: files in the order in which they are given, cells from top to bottom.

So an untouched stub is no answer while there is one, nor is the empty half of a split cell. Where
two written answers differ, a remark says which of them counts, and why; so it does where the last
cell is no Python, and an older answer counts.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from helpers.exercises.answers import Answer, NotAnAnswer
from helpers.exercises.handed import saved
from helpers.exercises.handed.names import shown
from helpers.lesson_names import lesson_of

LONGEST = 20_000  # characters of one answer; what is longer is neither parsed nor run
# reading takes seconds, whatever is handed in: so many different cells are parsed for an exercise,
# the last ones, and none that is longer than any untouched stub
MOST = 8
STUBS = 4_000
OTHER, STUB, BROKEN, WRITTEN = range(4)  # what stands in a cell
ANOTHERS, NO, ITS = range(3)  # whose number it bears
DIFFERENT, NO_PYTHON = "different answers were found", "is later, and no Python"
REMARKS = DIFFERENT, NO_PYTHON  # words by which a remark is known


@dataclass(frozen=True)
class Candidate:
    """A cell that may be an answer; greater ones count before others."""

    answer: Answer
    bears: int
    order: int  # in which it was met
    file: str
    place: int

    @property
    def what(self) -> int:
        """What stands in the cell: WRITTEN, BROKEN, STUB or OTHER."""
        if not _defines(self.answer):
            return OTHER
        if len(self.answer.source) > STUBS:
            return WRITTEN
        try:
            return STUB if self.answer.is_stub() else WRITTEN
        except NotAnAnswer:
            return BROKEN

    @property
    def where(self) -> str:
        """Its place in words."""
        cell = f"cell {self.place}" if self.place else ""
        return " of ".join(word for word in (cell, self.file) if word) or "the document"


def too_long(answer: Answer) -> str:
    """Return why an answer is not run at all, or ""."""
    if len(answer.source) <= LONGEST:
        return ""
    return f"the answer is longer than {LONGEST:,} characters"


class Pile:
    """All cells of one learner, from any number of files; its answers by the rule above.

    functions: the exercises that are looked for, each with its function's name.
    """

    def __init__(self, functions: dict[str, str]):
        self.functions = functions
        self._by_name: dict[str, list[str]] = {}
        for exercise, name in functions.items():
            self._by_name.setdefault(name, []).append(exercise)
        self._met: dict[tuple[str, int, bool], dict[str, Candidate]] = {}
        self._count = 0

    def add(self, file: str, cells: Iterable[saved.Cell]) -> set[str]:
        """Add the cells of a file; return the lessons whose exercises' numbers it bears.

        file: what it is called in a remark, "" where it is the only one.
        """
        cells = list(cells)
        lessons = self._lessons(cells)
        for cell in cells:
            own = cell.exercise if cell.exercise in self.functions else None
            names = dict.fromkeys(re.findall(r"^def\s+(\w+)", cell.source, re.MULTILINE))
            wanted = [exercise for name in names for exercise in self._by_name.get(name, ())]
            for exercise in dict.fromkeys([own, *wanted] if own else wanted):
                # a lesson has functions of its own, named as another lesson's exercises are
                if exercise == own or not lessons or lesson_of(exercise) in lessons:
                    bears = ITS if exercise == own else ANOTHERS if own else NO
                    self._add(exercise, bears, file, cell)
        return lessons

    def _lessons(self, cells: list[saved.Cell]) -> set[str]:
        """Return the lessons of a file: by its cells' numbers, else by its calls of check."""
        numbers = {cell.exercise for cell in cells}
        if not numbers & self.functions.keys():
            asked = r"""\bcheck\(\s*["']([\w.]+)["']"""
            numbers = {number for cell in cells for number in re.findall(asked, cell.source)}
        return {lesson_of(number) for number in numbers if number in self.functions}

    def _add(self, exercise: str, bears: int, file: str, cell: saved.Cell) -> None:
        # no more of it is kept than shows its length
        answer = Answer(cell.source[: LONGEST + 1], self.functions[exercise])
        self._count += 1
        met = self._met.setdefault((exercise, bears, _defines(answer)), {})
        met.pop(answer.source, None)  # the same cell once more: the last one stands for both
        met[answer.source] = Candidate(answer, bears, self._count, file, cell.place)
        if len(met) > MOST:
            del met[next(iter(met))]

    def gathered(self) -> "Gathered":
        """Return the answers, in the exercises' order, with remarks."""
        found = {}
        for (exercise, *_), candidates in self._met.items():
            found.setdefault(exercise, []).extend(candidates.values())
        gathered = Gathered()
        for exercise in self.functions:
            if exercise in found:
                best, remark = _best(found[exercise])
                gathered.answers[exercise] = best.answer
                gathered.files[exercise] = best.file
                if best.bears == ANOTHERS:
                    gathered.borrowed.add(exercise)
                if remark:
                    gathered.remarks[exercise] = remark
        return gathered


def _defines(answer: Answer) -> bool:
    """Return whether the source seems to define the function; it may be no Python."""
    return bool(re.search(rf"^def\s+{answer.function}\b", answer.source, re.MULTILINE))


def _best(candidates: list[Candidate]) -> tuple[Candidate, str]:
    """Return the one that counts, and a remark on others that were meant as answers, else ""."""
    looked_at = sorted(candidates, key=lambda one: (_defines(one.answer), one.bears, one.order))
    ranked = sorted((one.what, one.bears, one.order, one) for one in looked_at[-MOST:])
    what, _, order, best = ranked[-1]
    if what != WRITTEN:
        return best, ""
    # a cell that bears another number holds this function only because that answer needs it
    meant = [(kind, one) for kind, bears, _, one in ranked if bears != ANOTHERS]
    later = [one for kind, one in meant if kind == BROKEN and one.order > order]
    different = {_text(one): one for kind, one in meant if kind == WRITTEN}
    different.pop(_text(best), None)
    remarks = []
    if different:
        remarks.append(_on_different(best, sorted(different.values(), key=lambda one: one.order)))
    if later:
        last = max(later, key=lambda one: one.order)
        remarks.append(f"{last.where} {NO_PYTHON}: {best.where} counts")
    return best, "; ".join(remarks)


def _on_different(best: Candidate, others: list[Candidate]) -> str:
    """Return a remark on written answers beside the one that counts."""
    why = "since it bears the exercise's number" if others[-1].order > best.order else "as the last"
    many = "two" if len(others) == 1 else str(len(others) + 1)
    places = " and ".join(one.where for one in others[:3])
    more = f" and {len(others) - 3} more" if len(others) > 3 else ""
    stand = "the other stands" if len(others) == 1 else "others stand"
    return f"{many} {DIFFERENT}: {best.where} counts, {why}; {stand} in {places}{more}"


def _text(candidate: Candidate) -> str:
    return "\n".join(line.rstrip() for line in candidate.answer.source.strip().splitlines())


@dataclass
class Gathered:
    """The answers of one learner by exercise, and remarks on those found more than once.

    files: what each answer's file is called. borrowed: the exercises whose answer stands in a cell
    that bears another one's number. problems: a sentence for each file that could not be
    read. lessons: of each file that could. versions: by lesson, which version a copy was made from.
    """

    answers: dict[str, Answer] = field(default_factory=dict)
    remarks: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    borrowed: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    lessons: dict[Path, set[str]] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)


def from_files(paths: Iterable[Path], functions: dict[str, str]) -> Gathered:
    """Return the answers in a learner's own notebooks; a damaged one costs only itself."""
    pile, problems, lessons, versions = Pile(functions), [], {}, {}
    for path in paths:
        name = shown(path.name)
        try:
            found = saved.read(saved.content(path, own=True))
        except saved.Unreadable as error:
            problems.append(f"{name} is left out: {error}")
        except OSError as error:
            problems.append(f"{name} is left out: it cannot be read: {error.strerror}")
        else:
            lessons[path] = pile.add(name, found.cells)
            for lesson in sorted(lessons[path]):
                versions[lesson] = found.version or versions.get(lesson, "")
    gathered = pile.gathered()
    gathered.problems, gathered.lessons, gathered.versions = problems, lessons, versions
    return gathered
