"""Every public name of helpers/ has a docstring, and what lessons call has annotations."""

import ast
from pathlib import Path

import pytest

HELPERS = Path(__file__).resolve().parent.parent / "helpers"
# these must be readable for an old Python, or belong to the command line: words, no annotations
WITHOUT_SHAPES = {"__main__.py", "course", "hiding.py"}


def gaps(source, shapes=True):
    """Return what a source's public names lack, as a list of sentences."""
    found = []

    def walk(nodes, before=""):
        for node in nodes:
            if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith("_"):
                continue
            name = before + node.name
            if not ast.get_docstring(node):
                found.append(f"{name} has no docstring")
            if isinstance(node, ast.ClassDef):
                walk(node.body, f"{name}.")
            elif shapes:
                named = [a for a in node.args.args + node.args.kwonlyargs if a.arg != "self"]
                found.extend(
                    f"{name}: {a.arg} has no annotation"
                    for a in named
                    if a.annotation is None and a.arg != "device"
                )
                if node.returns is None:
                    found.append(f"{name}: what it returns has no annotation")

    walk(ast.parse(source).body)
    return found


# a property of an exercise takes the answer and the dice, as helpers/exercises/exercise.py says
PATHS = [path for path in sorted(HELPERS.rglob("*.py")) if "checks" not in path.parts]


@pytest.mark.parametrize(
    "path", PATHS, ids=lambda path: path.relative_to(HELPERS).with_suffix("").as_posix()
)
def test_public_names_say_what_they_do_and_take(path):
    assert gaps(path.read_text(encoding="utf-8"), not WITHOUT_SHAPES & set(path.parts)) == []


def test_planted_gaps_are_found():
    source = "class A:\n    def f(self, x) -> int:\n        return 1\n\n    def _g(self): ..."
    assert gaps(source) == [
        "A has no docstring",
        "A.f has no docstring",
        "A.f: x has no annotation",
    ]
