"""What is drawn, printed or saved depends on nothing that differs between Pythons.

Their Unicode tables, the methods of random but one, the sum of floats (exact to the last bit from
3.12 on), the texts of tracebacks and the library's own lists all differ. Who needs one of them all
the same stands in a table here, with the reason.
"""

import ast
import hashlib
import re
import sys
from pathlib import Path

import nbformat
import pytest

from helpers.exercises import words
from helpers.grading import names, reports

ROOT = Path(__file__).resolve().parent.parent
MODULES = {"dis", "keyword", "opcode", "pydoc", "random", "symtable", "tokenize", "traceback"}
MODULES |= {"unicodedata"}
METHODS = {"isalnum", "isalpha", "isdecimal", "isidentifier", "isnumeric", "isprintable", "isspace"}
METHODS |= {"istitle", "stdlib_module_names", "unidata_version"}
DRAWS = {"choice", "choices", "getrandbits", "randint", "randrange", "sample", "shuffle", "uniform"}
ALLOWED = {
    "helpers/front_door.py": {"isidentifier"},  # of names in our own files, all in ASCII
    "helpers/hiding.py": {"isprintable"},  # of a person's own path; an old Python reads this file
    "helpers/exercises/words.py": {"stdlib_module_names"},  # made the same by what it adds to them
    "helpers/grading/names.py": {"unicodedata"},  # composes what every Python composes alike
    "helpers/tokenizers/drawn_text.py": {
        "random",  # and of it random() alone
        "unicodedata",  # makes the table that is kept
        "isspace",  # 29 characters in every Python, which a test counts
    },
    "helpers/benchmark/tokenizer_agreement.py": {"random"},
}


def differing(source):
    """Return the names in a source whose meaning differs between Pythons."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names} & MODULES
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found |= {node.module.split(".")[0]} & MODULES
        elif isinstance(node, ast.Attribute):
            found |= {node.attr} & METHODS
    if "random" in found:
        attributes = [
            node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)
        ]
        found |= {node.attr for node in attributes} & DRAWS
    return found


def sources():
    """Yield (path, source) of helpers and of the lessons' cells."""
    for path in sorted((ROOT / "helpers").rglob("*.py")):
        yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "lessons").glob("*.ipynb")):
        cells = nbformat.read(path, as_version=4).cells
        code = [re.sub(r"(?m)^[%!].*", "", c.source) for c in cells if c.cell_type == "code"]
        yield path.relative_to(ROOT).as_posix(), "\n".join(code)


def test_nothing_is_used_that_differs_between_pythons():
    found = {path: differing(source) for path, source in sources()}
    assert {path: names for path, names in found.items() if names} == ALLOWED


@pytest.mark.parametrize(
    "source, name",
    [
        ("import unicodedata as u", "unicodedata"),
        ("from random import Random\nRandom(1).randint(1, 6)", "randint"),
        ("print(text[0].isalpha())", "isalpha"),
        ("import sys\nsys.stdlib_module_names", "stdlib_module_names"),
    ],
)
def test_the_test_sees_what_differs(source, name):
    assert name in differing(source)


def test_pages_know_the_same_modules_on_every_python():
    joined = " ".join(sorted(words.STANDARD)).encode()
    assert hashlib.sha256(joined).hexdigest()[:16] == "444b4863650a1f86", sorted(words.STANDARD)
    assert {"__future__", "math", "tomllib"} <= words.STANDARD
    assert sys.stdlib_module_names - words.STANDARD == {
        name for name in sys.stdlib_module_names if re.match("_[^_]", name)
    }


def test_names_are_shown_and_measured_by_one_table_on_every_python():
    newer = "\U0001fae9"  # a face of Unicode 16, of 2024: no character to Python 3.11
    assert names.printable(newer) == newer
    assert len(reports.WIDE.findall(f"a{newer}花é")) == 2
