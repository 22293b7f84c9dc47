"""What an exercise is: its facts, its hints, and the properties that a right answer has.

The checks of a lesson make an Exercise and give it properties, one function each:

    causal_head = Exercise("03.3", "causal_head", title="A head from scratch", ...)

    @causal_head.property("no output depends on a later token")
    def no_leak(call, draw):
        ...

`call` is the answer: it takes plain data and returns plain data, or raises Broken. `draw` is a
torch.Generator for inputs; another seed gives other inputs of the same kind. A property that does
not hold raises Broken with a sentence that says what idea is broken, and for which small input.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import torch

from helpers.exercises import moved, plain
from helpers.exercises.answers import STANDARD, Answer, NotAnAnswer
from helpers.exercises.process import Process, Stopped
from helpers.lesson_names import is_exercise, lesson_of

LEVELS = ("warm-up", "medium", "hard", "challenge")
HOLDS, FAILS, NOT_REACHED = "holds", "fails", "not reached"
NOT_ATTEMPTED, FAILED, PASSED = "not attempted", "failed", "passed"
ALONE = "while its cell ran by itself, "
# what a page says: an answer chooses shapes, types and names, and could tell its input by them
FORM = "it returned a value of another form than is asked for"
RAISED = "it raised an exception"


class Broken(Exception):
    """A property does not hold.

    fault: a sentence that says what is wrong. seen: for which small input, and what came out. Only
    the person who wrote the answer sees both. public: the fault in fixed words, for a page; where
    the fault names nothing that the answer or its input chose, it is the fault itself.
    """

    def __init__(self, fault: str, seen: str = "", public: str | None = None):
        super().__init__(f"{fault} ({seen.rstrip(':')})" if seen else fault)
        self.fault = fault
        self.seen = seen.rstrip(":")  # it may have been meant to go on
        self.public = fault if public is None else public


class WrongForm(Broken):
    """The answer is not of the kind that is asked for, so no further property can be tried."""


@dataclass(frozen=True)
class Line:
    """What is said of one property: HOLDS, FAILS or NOT_REACHED, and why; public: see Broken."""

    state: str
    text: str
    fault: str = ""
    seen: str = ""
    public: str = ""


@dataclass(frozen=True)
class Report:
    """What a check found: NOT_ATTEMPTED, FAILED or PASSED, and a line for each property."""

    state: str
    lines: tuple[Line, ...] = ()
    problem: str = ""  # why no property could be tried at all
    public: str = ""  # the problem in fixed words, for a page

    @property
    def holding(self) -> int:
        """The number of properties that hold."""
        return sum(line.state == HOLDS for line in self.lines)

    @property
    def faults(self) -> list[str]:
        """What is wrong, in fixed words: the problem and the faults of all lines."""
        return [text for text in (self.problem, *(line.fault for line in self.lines)) if text]


@dataclass(eq=False)
class Exercise:
    """One exercise. Its text and its stub stand in the lesson, its answer in tests/solutions."""

    id: str
    function: str
    title: str
    minutes: int
    level: str
    points: int
    hints: tuple[str, str, str]
    imports: tuple[str, ...] = ("torch",)
    seconds: float = 20
    properties: list[tuple[str, Callable]] = field(default_factory=list)

    def __post_init__(self):
        if not is_exercise(self.id):
            raise ValueError(f"an exercise's id is {self.id!r}; allowed are such as 03.2 and 03a.2")
        if self.level not in LEVELS:
            raise ValueError(f"level of {self.id} is {self.level!r}; allowed: {', '.join(LEVELS)}")
        if len(self.hints) != 3:
            raise ValueError(f"{self.id} has {len(self.hints)} hints; a ladder has 3")

    @property
    def lesson(self) -> str:
        """The lesson's number."""
        return lesson_of(self.id)

    @property
    def stem(self) -> str:
        """How the names of its files in tests/ begin, such as 03_3_causal_head."""
        return f"{self.id.replace('.', '_')}_{self.function}"

    @property
    def worth(self) -> str:
        """Its points in words, such as "2 points"."""
        return f"{self.points} point{'s' if self.points > 1 else ''}"

    def property(self, text: str) -> Callable:
        """Add a property: its text, as it is printed behind "holds", and the function below."""

        def add(function: Callable) -> Callable:
            self.properties.append((text, function))
            return function

        return add

    def facts(self) -> str:
        """Return the line that stands under the exercise's title."""
        own = ", ".join(self._own_imports())
        may = f"may import {own}" if own else "standard library only"
        return f"{self.minutes} minutes · {self.level} · {self.worth} · {may}"

    def check(
        self,
        answer: Answer,
        process: Process,
        seed: int = 0,
        seconds: float = math.inf,
        first_fault_ends: bool = False,
    ) -> Report:
        """Try all properties on an answer in a worker process.

        seed: the inputs that are drawn depend on it. Any other one gives inputs of the same kind.
        seconds: a time limit, where it is shorter than the exercise's own.
        first_fault_ends: whether the first property that fails ends the check, which saves time
        where only the state matters.
        """
        try:
            if answer.is_stub():
                return Report(NOT_ATTEMPTED)
            forbidden = answer.forbidden(self.imports)
            if forbidden:
                raise NotAnAnswer(
                    self._not_allowed(forbidden[0]),
                    moved.sentence(forbidden[0])
                    or "its cell imports what is not allowed: `make check` tells the module",
                )
            call = Call(process, answer)
            try:
                call.open([*STANDARD, *self.imports], min(seconds, self.seconds))
                lines = self._lines(call, seed, first_fault_ends)
            finally:
                process.close()
        except NotAnAnswer as error:
            shown = str(error) if process.own else error.public
            return Report(FAILED, problem=shown, public=error.public)
        except WrongForm as error:
            return Report(FAILED, problem=str(error), public=error.public)
        passed = all(line.state == HOLDS for line in lines)
        return Report(PASSED if passed else FAILED, tuple(lines))

    def _lines(self, call: "Call", seed: int, first_fault_ends: bool = False) -> list[Line]:
        lines = []
        end = False
        for text, function in self.properties:
            if end:
                lines.append(Line(NOT_REACHED, text))
                continue
            try:
                function(call, torch.Generator().manual_seed(seed))
                lines.append(Line(HOLDS, text))
            except Broken as error:
                lines.append(Line(FAILS, text, error.fault, error.seen, error.public))
                end = first_fault_ends or isinstance(error, WrongForm)
            except Exception as error:  # a value that the check did not reckon with
                fault = "what it returned could not be examined"
                lines.append(Line(FAILS, text, fault, type(error).__name__, fault))
        text = "what it is given stays as it was"
        if call.changed:
            fault = "it changed what it was given: work on a copy"
            lines.append(Line(FAILS, text, fault, call.changed, fault))
        else:
            lines.append(Line(HOLDS if call.results and not end else NOT_REACHED, text))
        return lines

    def _not_allowed(self, module: str) -> str:
        now = moved.sentence(module)
        if now and self._allows(moved.MOVED[moved.moved_from(module)]):
            return f"{now}: import it from there"
        own = self._own_imports()
        first = f" {', '.join(own)} and" if own else ""
        aside = "to try your answer on it, use another cell" if "helpers" in module else ""
        aside = "; ".join(words for words in (now, aside) if words)
        return (
            f"the import of {module} is not allowed{f' ({aside})' if aside else ''}: "
            f"allowed are{first}, of the standard library, {', '.join(STANDARD)}"
        )

    def _allows(self, module: str) -> bool:
        return any(module == name or module.startswith(name + ".") for name in self.imports)

    def _own_imports(self) -> list[str]:
        """Return what the exercise allows beyond what every exercise does."""
        return [name for name in self.imports if name not in STANDARD]


class Call:
    """An answer as the checks see it: plain data in, plain data out."""

    def __init__(self, process: Process, answer: Answer):
        self._process = process
        self._answer = answer
        self._parameters = answer.parameters()
        self._seen = set()  # exceptions that were reported already
        self.results = 0
        self.changed = ""  # for which input an argument came back changed

    def open(self, imports: list[str], seconds: float) -> None:
        """Run the answer's cell; NotAnAnswer or WrongForm if it cannot be run."""
        try:
            reply = self._process.open(self._answer.source, self._answer.function, imports, seconds)
        except Stopped as error:
            raise WrongForm(f"{ALONE}{error}") from None
        if "ready" not in reply:
            raise WrongForm(_raised(reply, ALONE + "it"), public=ALONE + RAISED)

    def __call__(self, *arguments: plain.Plain) -> plain.Plain:
        """Call the answer; Broken if it raises, WrongForm if it returns no plain data."""
        reply = self._reply(arguments)
        if "raised" in reply:
            self._seen.add((reply["raised"], reply.get("line")))
            raise Broken(_raised(reply, "it"), self._given(arguments), RAISED)
        return reply["result"]

    def error(self, *arguments: plain.Plain) -> str:
        """Return the name of the exception that the answer raises, or "" if it raises none.

        Raises: Broken for a name that is not defined, and for an exception that was reported
        before: these say nothing of the input.
        """
        reply = self._reply(arguments)
        if "name" in reply or (reply.get("raised"), reply.get("line")) in self._seen:
            raise Broken(_raised(reply, "it"), self._given(arguments), RAISED)
        return reply.get("raised", "")

    def _reply(self, arguments: tuple) -> dict:
        given = plain.copy(list(arguments))
        try:
            reply = self._process.call(given)
        except Stopped as error:
            raise WrongForm(str(error), self._given(arguments)) from None
        if "not plain" in reply:
            raise WrongForm(f"it returned {reply['not plain']}", self._given(arguments), FORM)
        if "result" not in reply and "raised" not in reply:
            raise WrongForm("it ended its process")
        if "result" in reply:
            self.results += 1
            if not self.changed and not plain.same(reply.get("arguments"), given):
                self.changed = self._given(arguments)
        return reply

    def _given(self, arguments: tuple) -> str:
        """Return what a call was given, by the names of its parameters, in few words."""
        texts = [_short(argument) for argument in arguments]
        if len(self._parameters) == len(texts):
            pairs = zip(self._parameters, texts, strict=True)
            texts = [f"{name} = {text}" for name, text in pairs]
        return f"for {', '.join(texts)}"


def _short(argument: plain.Plain) -> str:
    """Return an argument in few words: what is large as its kind and size."""
    if isinstance(argument, torch.Tensor) and argument.numel() > 6:
        return f"tensor {list(argument.shape)}"
    argument = plain.copy(argument)
    text = plain.show(argument, 10**6)
    if len(text) > 36 and isinstance(argument, list | dict):
        return f"{type(argument).__name__} of {len(argument)}"
    return text if len(text) <= 60 else text[:56] + " ..."


def _raised(reply: dict, it: str) -> str:
    """Return a sentence on an exception; with its message and line where the reply tells them."""
    name = str(reply.get("raised", "an exception"))
    if "refused" in reply:
        now = moved.sentence(str(reply["refused"]))
        return f"{it} imported {reply['refused']}, which is not allowed{f': {now}' if now else ''}"
    sentence = f"{it} raised {name}"
    if reply.get("line"):
        sentence += f" in line {reply['line']} of its cell"
    if reply.get("message"):
        sentence += f": {reply['message']}"
    if "name" in reply:
        sentence += f". An answer stands alone: define or import {reply['name']} in the same cell"
    return sentence
