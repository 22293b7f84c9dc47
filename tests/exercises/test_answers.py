"""Answers as text: what is a stub, what is none, and finding answers in saved notebooks."""

import functools

import nbformat
import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell

from helpers.exercises import answers
from helpers.exercises.answers import Answer, NotAnAnswer
from tests.notebooks import code, write

DOC = '"""Return twice the tensor."""\n'


def answer(body, before="import torch\n\n\n"):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return Answer(f"{before}def twice(x):\n{lines}", "twice")


@pytest.mark.parametrize(
    "body",
    [
        "...",
        "pass",
        "return",
        "return None",
        "return ...",
        "raise NotImplementedError",
        "raise NotImplementedError()",
        "raise NotImplementedError('write it')",
        DOC,
        DOC + "...",
        DOC + "# your answer\npass",
        DOC + "...\n# TODO\n",
        DOC + "pass\n...\nreturn None",
        "'a text'\n5\n...",
    ],
)
def test_every_form_of_an_untouched_function_is_a_stub(body):
    assert answer(body).is_stub()


@pytest.mark.parametrize(
    "body",
    [
        "return x",
        "return 0",
        "return False",
        "return ''",
        "y = 2\n...",
        DOC + "x + x\n...",
        "raise ValueError",
        "raise",
        "raise NotImplementedError[0]",
        "print(x)",
        "return (None,)",
        "return x and None",
        "del x",
        "yield",
        "for y in x:\n    pass",
        "if x:\n    pass",
        "import math",
        "def helper():\n    ...",
    ],
)
def test_a_function_that_does_anything_is_no_stub(body):
    assert not answer(body).is_stub()


def test_the_last_definition_counts_and_other_functions_do_not():
    assert not Answer("def twice(x): ...\n\n\ndef twice(x): return x\n", "twice").is_stub()
    assert Answer("def twice(x): return x\n\n\ndef twice(x): ...\n", "twice").is_stub()
    assert Answer("def help(x): return x\n\n\ndef twice(x): ...\n", "twice").is_stub()


@pytest.mark.parametrize(
    "source, words",
    [
        ("%matplotlib inline\ndef twice(x): return x\n", "line 1 of its cell is a command for the"),
        ("x = 1\n  !ls\ndef twice(x): return x\n", "'!ls': move it to a cell of its own"),
        (
            "get_ipython().run_line_magic('time', '')\ndef twice(x): return x\n",
            "line 1 of its cell is a command for the notebook",
        ),
        ("def twice(x): return x\nget_ipython().system('ls')\n", "line 2 of its cell is a command"),
        ("x = 1\ndef twice(x) return x\n", "line 2 of its cell is no Python: expected ':'"),
        ("def twice(x):\nreturn x\n", "line 2 of its cell is no Python"),
        ("def twice(x): return 'a\0b'\n", "its cell is no Python"),
        ("def twice(x): return '\ud800'\n", "its cell is no Python"),
        ("x = " + "(" * 5000 + ")" * 5000 + "\n", "of its cell is no Python"),
        ("x = " + "-" * 100_000 + "1\n", "its cell is no Python"),
        ("twice = lambda x: x\n", "its cell defines no function twice: write it there with def"),
        ("async def twice(x): ...\n", "its cell defines no function twice"),
        ("class twice: ...\n", "its cell defines no function twice"),
        ("if True:\n    def twice(x): ...\n", "its cell defines no function twice"),
        ("def thrice(x): ...\n", "its cell defines no function twice"),
        ("", "its cell defines no function twice"),
    ],
)
def test_a_cell_that_holds_no_answer_says_why(source, words):
    with pytest.raises(NotAnAnswer) as caught:
        made = Answer(source, "twice")
        made.is_stub()
        made.forbidden(())
    assert words in str(caught.value)
    assert "\n" not in str(caught.value) and "None" not in str(caught.value)


@pytest.mark.parametrize(
    "line, found",
    [
        ("import torch, math", []),
        ("import torch.nn.functional as F", []),
        ("from torch import nn", []),
        ("from helpers.decoder import masks", []),
        ("from helpers.decoder.masks import causal", []),
        ("from helpers.decoder import Decoder", ["helpers.decoder.Decoder"]),
        ("import helpers.decoder.masks", []),
        ("from __future__ import annotations", []),
        ("import os", ["os"]),
        ("import os.path", ["os.path"]),
        ("from os import path, sep", ["os.path", "os.sep"]),
        ("import helpers", ["helpers"]),
        ("from helpers.decoder import masks, attention", ["helpers.decoder.attention"]),
        ("from helpers.exercises.checks import lesson_03", ["helpers.exercises.checks.lesson_03"]),
        ("from helpers import *", ["helpers.*"]),
        ("from . import masks", [".masks"]),
        ("from .masks import causal", [".masks.causal"]),
        ("import torchvision", ["torchvision"]),
        ("import mathematics", ["mathematics"]),
        ("def f():\n    import os", ["os"]),
        ("import sys\nimport os\nimport sys", ["sys", "os"]),
    ],
)
def test_imports_that_are_not_allowed_are_found_in_their_order(line, found):
    made = answer("return x", before=line + "\n\n\n")
    assert made.forbidden(("torch", "helpers.decoder.masks")) == found


SHELL = InteractiveShell()


def cell(source):
    """Run a cell as a notebook does; return its names."""
    names = {}
    SHELL.user_ns.update(torch=torch, functools=functools)
    SHELL.run_cell(source, store_history=False)
    names.update(SHELL.user_ns)
    return names


def test_the_source_is_the_whole_cell():
    source = "import torch\n\nSCALE = 2\n\n\ndef twice(x):\n    return SCALE * x\n"
    assert answers.of_function(cell(source)["twice"], "twice") == Answer(source, "twice")


def test_a_decorated_function_is_found_with_its_decorator():
    source = "import torch\n@torch.no_grad()\ndef twice(x):\n    return 2 * x\n"
    assert answers.of_function(cell(source)["twice"], "twice").source == source
    source = "import functools\n@functools.lru_cache\ndef twice(x):\n    return 2 * x\n"
    assert answers.of_function(cell(source)["twice"], "twice").source == source


def test_the_cell_that_was_run_last_counts():
    cell("def twice(x):\n    return x\n")
    source = "def twice(x):\n    return 2 * x\n"
    assert answers.of_function(cell(source)["twice"], "twice").source == source


class Yes:
    """It has every attribute, can be called, and agrees."""

    def __getattr__(self, name):
        return self

    def __call__(self, *given):
        return self


class Raises:
    """It can be called, and whoever looks at it fails."""

    def __call__(self):
        raise OSError

    @property
    def __wrapped__(self):
        raise OSError


def circle():
    def twice(x): ...

    twice.__wrapped__ = twice
    return twice


def from_exec(name="twice"):
    names = {}
    exec(f"def {name}(x): return x", names)
    return names[name]


NAMELESS = lambda x: x  # noqa: E731


@pytest.mark.parametrize(
    "given, words",
    [
        (None, "what was given is a NoneType, not a function: give twice itself, without calling"),
        (5, "what was given is an int, not a function"),
        (torch.ones(2), "what was given is a Tensor, not a function"),
        ("twice", "what was given is a str, not a function"),
        (NAMELESS, "a lambda: write it with def twice(...)"),
        (len, "what was given is a builtin_function_or_method: write a function twice with def"),
        (torch.relu, "what was given is a builtin_function_or_method: write a function twice"),
        (int, "what was given is a type: write a function twice with def"),
        (functools.partial(print), "what was given is a partial: write a function twice"),
        ([].append, "what was given is a builtin_function_or_method"),
        (Answer("", "").is_stub, "what was given is a method: write a function twice"),
        (torch.nn.Linear(1, 1), "what was given is a Linear: write a function twice"),
        (Yes(), "what was given is a Yes: write a function twice"),
        (Raises(), "what was given is a Raises: write a function twice"),
        (circle(), "its cell defines no function twice"),
        (answers.of_function, "this is the course's own of_function from helpers/"),
        (torch.no_grad()(answers.of_function), "this is the course's own of_function"),
        (cell, "this exercise asks for twice, and cell was given"),
        (from_exec(), "the source of twice cannot be read"),
        (from_exec("other"), "this exercise asks for twice, and other was given"),
    ],
    ids=lambda value: value[-30:] if isinstance(value, str) else "",
)
def test_what_is_no_answer_is_told_what_it_is_and_what_to_do(given, words):
    with pytest.raises(NotAnAnswer) as caught:
        answers.of_function(given, "twice").is_stub()
    assert words in str(caught.value)


def test_a_timed_cell_keeps_no_source():
    found = cell("%%time\ndef twice(x):\n    return 2 * x\n")["twice"]
    with pytest.raises(NotAnAnswer, match="without %%time or exec"):
        answers.of_function(found, "twice")


def test_a_command_in_a_live_cell_is_named():
    found = cell("%pwd\ndef twice(x):\n    return 2 * x\n")["twice"]
    with pytest.raises(NotAnAnswer, match="line 1 of its cell is a command for the notebook"):
        answers.of_function(found, "twice").is_stub()


def test_another_name_for_a_function_is_no_answer():
    found = cell("def other(x):\n    return 2 * x\ntwice = other\n")["twice"]
    with pytest.raises(NotAnAnswer, match="asks for twice, and other was given"):
        answers.of_function(found, "twice")


def test_a_function_renamed_has_no_definition():
    found = cell("def other(x):\n    return 2 * x\nother.__name__ = 'twice'\n")["other"]
    with pytest.raises(NotAnAnswer, match="defines no function twice"):
        answers.of_function(found, "twice").is_stub()


# -- saved notebooks

FUNCTIONS = {"03.1": "twice", "03.2": "thrice"}
TWICE = "def twice(x):\n    return 2 * x  # →日本😀"


def marked(source, exercise):
    made = code(source)
    made.metadata["exercise"] = exercise
    return made


def test_cells_are_found_by_their_metadata(tmp_path):
    path = write(
        tmp_path / "a.ipynb", code("x = 1"), marked(TWICE, "03.1"), marked("# nothing", "03.2")
    )
    assert answers.in_notebook(path, FUNCTIONS) == {
        "03.1": Answer(TWICE, "twice"),
        "03.2": Answer("# nothing", "thrice"),
    }


def test_a_cell_whose_metadata_is_lost_is_found_by_its_function(tmp_path):
    """C80."""
    path = write(tmp_path / "a.ipynb", code("import torch\n\n\n" + TWICE), code("x = 1"))
    found = answers.in_notebook(path, FUNCTIONS)
    assert found == {"03.1": Answer("import torch\n\n\n" + TWICE, "twice")}


def test_the_last_of_doubled_cells_counts(tmp_path):
    """C80."""
    old, new = "def twice(x): return 1", "def twice(x): return 2"
    path = write(tmp_path / "a.ipynb", marked(old, "03.1"), marked(new, "03.1"))
    assert answers.in_notebook(path, FUNCTIONS)["03.1"].source == new
    path = write(tmp_path / "a.ipynb", code(old), code(new))
    assert answers.in_notebook(path, FUNCTIONS)["03.1"].source == new
    # what is marked goes before what only has the name
    path = write(tmp_path / "a.ipynb", marked(new, "03.1"), code(old))
    assert answers.in_notebook(path, FUNCTIONS)["03.1"].source == new


def test_other_cells_are_no_answers(tmp_path):
    path = write(
        tmp_path / "a.ipynb",
        nbformat.v4.new_markdown_cell("def twice(x): pass"),
        nbformat.v4.new_raw_cell("def twice(x): pass"),
        code("    def twice(x): pass"),
        code("def twice_more(x): pass"),
        marked("def other(): pass", "99.9"),
    )
    assert answers.in_notebook(path, FUNCTIONS) == {}


@pytest.mark.parametrize("metadata", [["03.1"], {"a": 1}, 3.1, None, True])
def test_odd_metadata_counts_as_lost(tmp_path, metadata):
    path = write(tmp_path / "a.ipynb", marked(TWICE, metadata))
    assert answers.in_notebook(path, FUNCTIONS)["03.1"].source == TWICE


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
    ],
    ids=["BOM", "CRLF", "both"],
)
def test_marks_of_other_systems_are_read(tmp_path, change):
    """C83."""
    path = write(tmp_path / "a.ipynb", marked(TWICE, "03.1"))
    path.write_bytes(change(path.read_bytes()))
    assert answers.in_notebook(path, FUNCTIONS) == {"03.1": Answer(TWICE, "twice")}


def test_lines_that_end_in_crlf_are_python(tmp_path):
    """C83."""
    path = write(tmp_path / "a.ipynb", code(TWICE.replace("\n", "\r\n")))
    found = answers.in_notebook(path, FUNCTIONS)["03.1"]
    assert not found.is_stub() and found.forbidden(()) == []


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no notebook",
        b"{}",
        b"[1, 2]",
        b"null",
        b'{"cells": 5, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}',
        b'{"cells": [5], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}',
        b"\xff\xfe\x00",
        b"PK\x03\x04",
        b"[" * 100_000,
    ],
)
def test_a_file_that_is_no_notebook_is_one_sentence(tmp_path, data):
    path = tmp_path / "answers.ipynb"
    path.write_bytes(data)
    with pytest.raises(ValueError, match=r"^answers\.ipynb cannot be read as a notebook: .+$"):
        answers.in_notebook(path, FUNCTIONS)


def test_a_file_that_is_missing_or_a_folder_is_one_sentence(tmp_path):
    for path in (tmp_path / "gone.ipynb", tmp_path):
        with pytest.raises(ValueError, match="cannot be read as a notebook"):
            answers.in_notebook(path, FUNCTIONS)


def test_a_notebook_of_an_older_format_is_read(tmp_path):
    old = {
        "nbformat": 3,
        "nbformat_minor": 0,
        "metadata": {},
        "worksheets": [
            {
                "cells": [
                    {
                        "cell_type": "code",
                        "input": TWICE,
                        "language": "python",
                        "metadata": {},
                        "outputs": [],
                    }
                ]
            }
        ],
    }
    path = tmp_path / "a.ipynb"
    nbformat.write(nbformat.from_dict(old), path, version=nbformat.NO_CONVERT)
    assert answers.in_notebook(path, FUNCTIONS) == {"03.1": Answer(TWICE, "twice")}
