"""An answer as text: the source of its cell. How it is found in saved files: gathering.py.

What is checked is always the cell's text, run by itself in a process of its own. So the very same
answer counts in the notebook, on the command line and wherever it is handed in.
"""

import ast
import inspect
import linecache
import re
import threading
import types
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from helpers.front_door import file_of

HELPERS = Path(__file__).resolve().parent.parent
# the parts of the standard library that every answer may import; lesson 00 lists them
STANDARD = (
    "__future__ abc bisect collections copy dataclasses decimal enum fractions functools heapq "
    "itertools math operator random re statistics string struct typing"
).split()
_QUIET = threading.Lock()  # what Python warns of is one list for all threads


COMMAND = "a line of its cell is a command for the notebook: move it to a cell of its own"


class NotAnAnswer(Exception):
    """What was given is no answer; its text is one sentence that says what to do.

    public: the sentence without anything that the answer's author wrote, for a page.
    """

    def __init__(self, text: str, public: str | None = None):
        super().__init__(text)
        self.public = text if public is None else public


@dataclass(frozen=True)
class Answer:
    """The source of an exercise cell, and the name of the function in it."""

    source: str
    function: str

    def is_stub(self) -> bool:
        """Return whether the function is still untouched: a docstring and nothing done."""
        function = self._definition()
        return all(_does_nothing(statement) for statement in function.body)

    def parameters(self) -> list[str]:
        """Return the names of the function's parameters, or [] if it takes any number."""
        arguments = self._definition().args
        if arguments.vararg or arguments.kwonlyargs:
            return []
        return [argument.arg for argument in arguments.posonlyargs + arguments.args]

    def forbidden(self, allowed: Iterable[str]) -> list[str]:
        """Return the modules that the source imports and may not, in order of appearance."""
        known = [*STANDARD, *allowed]
        found = []
        for node in ast.walk(self._tree()):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                module = "." * node.level + (node.module or "")
                names = [module]
                if not _covered(module, known):  # from helpers.decoder import masks, Decoder
                    names = [
                        f"{module}.{alias.name}".replace("..", ".")
                        for alias in node.names
                        if not _covered(file_of(module, alias.name) or "", known)
                    ]
            else:
                continue
            found += [name for name in names if not _covered(name, known)]
        return list(dict.fromkeys(found))

    def _tree(self) -> ast.Module:
        tree = self._parsed()
        for node in ast.walk(tree):  # what a notebook makes of such a command
            if isinstance(node, ast.Name) and node.id == "get_ipython":
                raise NotAnAnswer(
                    f"line {node.lineno} of its cell is a command for the notebook: "
                    "move it to a cell of its own",
                    COMMAND,
                )
        return tree

    def _parsed(self) -> ast.Module:
        try:
            with _QUIET, warnings.catch_warnings():  # of an odd escape: the notebook says it itself
                warnings.simplefilter("ignore")
                return ast.parse(self.source)
        except SyntaxError as error:
            if not error.lineno:
                text = f"its cell is no Python: {error.msg}"
                raise NotAnAnswer(text, "its cell is no Python") from None
            line = self.source.splitlines()[error.lineno - 1 :][:1]
            if line and re.match(r"\s*[%!]", line[0]):
                what = f"line {error.lineno} of its cell is a command for the notebook"
                then = "move it to a cell of its own"
                raise NotAnAnswer(f"{what}, {line[0].strip()!r}: {then}", COMMAND) from None
            shown = f" (in {line[0].strip()[:60]!r})" if line else ""
            what = f"line {error.lineno} of its cell is no Python"
            raise NotAnAnswer(f"{what}: {error.msg}{shown}", "its cell is no Python") from None
        except (ValueError, RecursionError, MemoryError):  # zero bytes, or nested without end
            raise NotAnAnswer("its cell is no Python") from None

    def _definition(self) -> ast.FunctionDef:
        found = [
            node
            for node in self._tree().body
            if isinstance(node, ast.FunctionDef) and node.name == self.function
        ]
        if not found:
            raise NotAnAnswer(
                f"its cell defines no function {self.function}: write it there with def",
                "its cell does not define the function that is asked for",
            )
        return found[-1]


def _covered(name: str, known: Iterable[str]) -> bool:
    return any(name == module or name.startswith(module + ".") for module in known)


def _does_nothing(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.Pass):
        return True
    if isinstance(statement, ast.Raise):
        raised = statement.exc.func if isinstance(statement.exc, ast.Call) else statement.exc
        return isinstance(raised, ast.Name) and raised.id == "NotImplementedError"
    value = getattr(statement, "value", 0)
    if isinstance(statement, ast.Return):
        return value is None or (isinstance(value, ast.Constant) and value.value in (None, ...))
    return isinstance(statement, ast.Expr) and isinstance(value, ast.Constant)


def of_function(function: Callable, name: str) -> Answer:
    """Return the answer that a function of a notebook or a file stands in.

    Raises: NotAnAnswer if it is no function of this name whose cell can be read.
    """
    if not callable(function):
        raise NotAnAnswer(
            f"what was given is {a_or_an(type(function).__name__)}, not a function: "
            f"give {name} itself, without calling it"
        )
    try:
        function = inspect.unwrap(function)  # what a decorator stands around
    except Exception:  # an object may do anything when it is looked at
        pass
    if type(function) is not types.FunctionType:  # not isinstance, which asks the object
        raise NotAnAnswer(
            f"what was given is {a_or_an(type(function).__name__)}: "
            f"write a function {name} with def in the exercise's cell, and give that"
        )
    file = function.__code__.co_filename
    if Path(file).is_absolute() and HELPERS in Path(file).resolve().parents:
        raise NotAnAnswer(
            f"this is the course's own {function.__name__} from helpers/: give the one that you "
            "have written"
        )
    if function.__name__ == "<lambda>":
        raise NotAnAnswer(f"what was given is a lambda: write it with def {name}(...)")
    if function.__name__ != name:
        raise NotAnAnswer(f"this exercise asks for {name}, and {function.__name__} was given")
    source = "".join(linecache.getlines(file))
    if not source.strip():
        raise NotAnAnswer(
            f"the source of {name} cannot be read: define it in the exercise's cell with def, "
            "without %%time or exec"
        )
    return Answer(source, name)


def a_or_an(noun: str) -> str:
    """Return a noun with its article: a list, an int."""
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"
