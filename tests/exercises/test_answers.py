"""Answers as text: what is a stub, what is no answer, and what it imports."""

import functools

import pytest
import torch
from IPython.core.interactiveshell import InteractiveShell

from helpers.exercises import answers
from helpers.exercises.answers import Answer, NotAnAnswer

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
