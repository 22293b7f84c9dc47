"""The planted answers of an exercise: right ones, wrong ones, and the untouched stub.

tests/solutions/03_3_causal_head.py is the reference, 03_3_causal_head__how.py another right answer.
tests/wrong_answers/03_3_causal_head.py holds one function for each fault. Its docstring is the
words that the feedback on this fault, and on no other, contains. Functions with a leading
underscore help them. EQUAL lists mutations of the reference that are equal programs, with the
reason.

tests/strangers/03_3_causal_head.py holds answers by people who saw the statement only, neither the
check nor the planted answers: functions wrong_... and right_... . The docstring of a wrong one says
the fault; its last line, `Feedback: WORDS`, is what its feedback contains. Others may share these
words.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

import nbformat

from helpers.exercises import catalog
from helpers.exercises.answers import Answer
from helpers.exercises.exercise import Exercise
from helpers.lesson_names import lessons_in

TESTS = Path(__file__).resolve().parent.parent
WRONG = TESTS / "wrong_answers"
STRANGERS = TESTS / "strangers"
FEEDBACK = "Feedback:"
LESSONS = TESTS.parent / "lessons"


@dataclass(frozen=True)
class Wrong:
    """A wrong answer: its name, its source, and the words that its feedback must contain."""

    name: str
    answer: Answer
    words: str


def reference(exercise: Exercise) -> Answer:
    """Return the reference answer."""
    return Answer(catalog.solution_text(exercise), exercise.function)


def others(exercise: Exercise) -> dict[str, Answer]:
    """Return the right answers that were written differently, by their name."""
    return {
        path.stem.partition("__")[2]: Answer(path.read_text(encoding="utf-8"), exercise.function)
        for path in sorted(catalog.SOLUTIONS.glob(f"{exercise.stem}__*.py"))
    }


def stub(exercise: Exercise) -> Answer:
    """Return the stub cell of the lesson."""
    path = lessons_in(LESSONS)[exercise.lesson]
    cells = nbformat.read(path, as_version=4).cells
    (cell,) = [cell for cell in cells if cell.metadata.get("exercise") == exercise.id]
    return Answer(cell.source, exercise.function)


def written(exercise: Exercise) -> list[Wrong]:
    """Return the wrong answers that were written by hand."""
    path = WRONG / f"{exercise.stem}.py"
    return [Wrong(name, answer, told) for name, answer, told in _answers(path, exercise)]


def strangers(exercise: Exercise) -> tuple[list[Wrong], dict[str, Answer]]:
    """Return the strangers' wrong answers, and their right ones by name; none where no file is.

    Raises: ValueError for a function that is named neither wrong_... nor right_..., and for a wrong
    one without words.
    """
    wrong, right = [], {}
    for path in sorted(STRANGERS.glob(f"{exercise.stem}*.py")):
        which = path.stem.partition("__")[2]  # of a second stranger
        for name, answer, told in _answers(path, exercise):
            last = told.splitlines()[-1].strip() if told else ""
            words = last.removeprefix(FEEDBACK).strip()
            called = f"{name}__{which}" if which else name
            if name.startswith("right_"):
                right[called] = answer
            elif name.startswith("wrong_") and words not in ("", last):
                wrong.append(Wrong(called, answer, words))
            else:
                raise ValueError(
                    f"{path.name}: {name} is neither right_... nor wrong_... with a docstring that "
                    f"ends with a line `{FEEDBACK} WORDS`"
                )
    return wrong, right


def _answers(path: Path, exercise: Exercise) -> list[tuple[str, Answer, str]]:
    """Return name, answer and docstring for each function of a file without a leading underscore;
    what else stands in the file, but EQUAL, goes with each.
    """
    source = path.read_text(encoding="utf-8")
    shared, functions = [], []
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            functions.append(node)
        elif not _is_equal(node):
            shared.append(ast.get_source_segment(source, node))
    found = []
    for node in functions:
        text = ast.get_source_segment(source, node)
        for decorator in reversed(node.decorator_list):
            text = f"@{ast.get_source_segment(source, decorator)}\n{text}"
        text = text.replace(f"def {node.name}(", f"def {exercise.function}(", 1)
        answer = Answer("\n\n\n".join([*shared, text]) + "\n", exercise.function)
        found.append((node.name, answer, ast.get_docstring(node) or ""))
    return found


def equal_mutations(exercise: Exercise) -> dict[str, str]:
    """Return the mutations of the reference that are equal programs, each with the reason."""
    source = (WRONG / f"{exercise.stem}.py").read_text(encoding="utf-8")
    for node in ast.parse(source).body:
        if _is_equal(node):
            return ast.literal_eval(node.value)
    return {}


def _is_equal(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "EQUAL"


# -- faults that every exercise must catch: the reference, and something done to it

COMMON = {
    "gives_nan": (
        "NaN stands in",
        "float",
        """
    def spoil(value):
        if isinstance(value, torch.Tensor):
            return torch.full_like(value, float("nan")) if value.is_floating_point() else value
        if isinstance(value, (list, tuple)):
            return [spoil(item) for item in value]
        if isinstance(value, dict):
            return {key: spoil(item) for key, item in value.items()}
        return float("nan") if type(value) is float else value
    return spoil(right(*arguments))
""",
    ),
    "always_says_yes": (
        "a value of type Yes",
        "any",
        """
    class Yes:
        def __eq__(self, other):
            return True
        def __getattr__(self, name):
            return self
        def __call__(self, *arguments, **settings):
            return self
        __hash__ = None
    return Yes()
""",
    ),
    "returns_nothing": ("nothing (None)", "any", "    right(*arguments)\n"),
    "extra_axis": (
        "it returned a tensor of shape [1{end}",
        "tensor",
        "    return right(*arguments)[None]\n",
    ),
    "another_dtype": (
        "ones are asked for",
        "tensor",
        "    result = right(*arguments)\n"
        "    return result.to(torch.int32 if result.is_floating_point() else torch.float32)\n",
    ),
    "changes_its_input": (
        "work on a copy",
        "changeable",
        """
    result = right(*arguments)
    result = result.clone() if isinstance(result, torch.Tensor) else copy.deepcopy(result)
    for argument in arguments:
        if isinstance(argument, torch.Tensor) and argument.numel():
            argument.copy_(~argument if argument.dtype == torch.bool else argument + 1)
        elif isinstance(argument, list):
            argument.append(argument[0] if argument else 0)
        elif isinstance(argument, dict):
            argument.clear()
    return result
""",
    ),
}


def common(exercise: Exercise, result, arguments) -> list[Wrong]:
    """Return the common faults that can be planted, for a result and arguments of the reference."""
    kinds = {"any"}
    end = ","
    if hasattr(result, "shape"):
        kinds.add("tensor")
        end = "," if result.dim() else "]"
    if _has_floats(result):
        kinds.add("float")
    if any(
        isinstance(argument, list | dict) or hasattr(argument, "shape") for argument in arguments
    ):
        kinds.add("changeable")
    wrong = [
        Wrong(name, _wrapped(exercise, body), words.replace("{end}", end))
        for name, (words, kind, body) in COMMON.items()
        if kind in kinds
    ]
    wrong.append(
        Wrong(
            "imports_the_checks",
            Answer(
                f"from helpers.exercises.checks import lesson_{exercise.lesson}\n\n\n"
                + reference(exercise).source,
                exercise.function,
            ),
            f"import of helpers.exercises.checks.lesson_{exercise.lesson} is not allowed",
        )
    )
    return wrong


def _wrapped(exercise: Exercise, body: str) -> Answer:
    """Return the reference with another function around it."""
    source = reference(exercise).source
    before = "import copy\n\n" + ("import torch\n\n" if "torch" in exercise.imports else "")
    if "torch" not in exercise.imports:
        before += "class torch:\n    class Tensor:\n        pass\n\n\n"
    after = f"\n\nright = {exercise.function}\n\n\ndef {exercise.function}(*arguments):\n"
    return Answer(before + source + after + body.strip("\n") + "\n", exercise.function)


def _has_floats(value) -> bool:
    if isinstance(value, list | tuple):
        return any(_has_floats(item) for item in value)
    if isinstance(value, dict):
        return any(_has_floats(item) for item in value.values())
    if hasattr(value, "is_floating_point"):
        return value.is_floating_point()
    return type(value) is float
