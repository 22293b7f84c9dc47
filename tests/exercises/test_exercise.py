"""What a check finds: a line for each property, and why it holds, fails or was not reached."""

import pytest
import torch

from helpers.exercises import expect, plain
from helpers.exercises.answers import STANDARD, Answer
from helpers.exercises.exercise import (
    FAILED,
    FAILS,
    HOLDS,
    NOT_ATTEMPTED,
    NOT_REACHED,
    PASSED,
    Broken,
    Call,
    Exercise,
    WrongForm,
)
from helpers.exercises.process import Stopped
from tests.exercises import tiny
from tests.exercises.tiny import answer

UNCHANGED = "what it is given stays as it was"


class Never:
    """A process that must not be used."""

    own = True

    def open(self, *_):
        raise AssertionError("a process was started")

    def close(self):
        pass


class Replies:
    """A process that gives these replies, one after the other."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.closed = 0

    def open(self, *_):
        return {"ready": True}

    def call(self, arguments):
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def close(self):
        self.closed += 1


def states(report):
    return [line.state for line in report.lines]


def test_a_right_answer_holds_everywhere(process):
    report = tiny.exercise().check(Answer(tiny.RIGHT, "twice"), process)
    assert report.state == PASSED and report.problem == "" and report.faults == []
    assert states(report) == [HOLDS] * 3 and report.holding == 3
    assert [line.text for line in report.lines] == [
        "it has the form of x",
        "it is twice x",
        UNCHANGED,
    ]


def test_right_answers_may_differ_in_precision_and_in_the_last_digits(process):
    """C85."""
    for body in (
        "return x + x",
        "return x.double() * 2",
        "return x * 2 * (1 + 1e-6)",
        "import math\nreturn x * math.sqrt(4)",
        "torch.rand(3)\nreturn x - -x",
    ):
        assert tiny.exercise().check(answer(body), process).state == PASSED, body


def test_a_stub_starts_no_process():
    report = tiny.exercise().check(Answer(tiny.STUB, "twice"), Never())
    assert report.state == NOT_ATTEMPTED and report.lines == () and report.faults == []


@pytest.mark.parametrize(
    "made, words",
    [
        (
            answer("return x", "import os\n"),
            "the import of os is not allowed: allowed are torch and",
        ),
        (
            answer("import os\nreturn x"),
            "allowed are torch and, of the standard library, __future__, abc, bisect, ",
        ),
        (Answer("def other(x): return x\n", "twice"), "its cell defines no function twice"),
        (Answer("%pwd\ndef twice(x): return x\n", "twice"), "a command for the notebook"),
    ],
)
def test_what_can_be_seen_in_the_text_starts_no_process(made, words):
    report = tiny.exercise().check(made, Never())
    assert report.state == FAILED and words in report.problem and report.lines == ()
    assert report.faults == [report.problem]


def test_an_exercise_without_imports_says_so():
    report = tiny.exercise(imports=()).check(answer("return x"), Never())
    assert "not allowed: allowed are, of the standard library, __future__" in report.problem


def test_the_standard_library_that_is_allowed_stands_in_the_refusal_and_works(process):
    report = tiny.exercise().check(answer("import codecs\nreturn x"), Never())
    assert report.problem.endswith(", ".join(STANDARD)) and {"re", "struct"} < set(STANDARD)
    body = "".join(f"import {name}\n" for name in STANDARD if name != "__future__")
    assert tiny.exercise().check(answer(body + "return 2 * x"), process).state == PASSED


def test_a_property_that_fails_says_its_fault_and_for_which_input(process):
    report = tiny.exercise().check(answer("return x * x"), process)
    assert report.state == FAILED
    assert states(report) == [HOLDS, FAILS, HOLDS] and report.holding == 2
    line = report.lines[1]
    assert line.fault == "it is the square, not twice the number" == report.faults[0]
    assert line.seen.startswith("for 4 numbers: it gives [") and ", right is [" in line.seen


def test_the_wrong_form_ends_the_check(process):
    report = tiny.exercise().check(answer("return [1.0]"), process)
    assert states(report) == [FAILS, NOT_REACHED, NOT_REACHED]
    assert report.lines[0].fault == "it returned a list or tuple where a tensor is asked for"
    assert report.lines[1].fault == ""


def test_a_broken_property_does_not_end_the_check(process):
    def broken(call, draw):
        call(torch.ones(1))
        raise Broken("it is broken", "for ones")

    asked = tiny.exercise(("first", broken), ("second", tiny.value), ("third", broken))
    report = asked.check(Answer(tiny.RIGHT, "twice"), process)
    assert states(report) == [FAILS, HOLDS, FAILS, HOLDS]
    assert report.faults == ["it is broken"] * 2


def test_an_in_place_change_is_seen(process):
    report = tiny.exercise().check(answer("return x.mul_(2)"), process)
    assert states(report) == [HOLDS, HOLDS, FAILS]
    last = report.lines[-1]
    assert last.text == UNCHANGED and last.fault == "it changed what it was given: work on a copy"
    assert last.seen.startswith("for x = [")
    for body in ("x.requires_grad_()\nreturn 2 * x", "y = x.view(-1)\nreturn 2 * y"):
        assert tiny.exercise().check(answer(body), process).state == PASSED


def test_an_in_place_change_of_shape_or_kind_is_seen(process):
    for change in ("x.resize_(2, 2)", "x.unsqueeze_(0)", "x.data = x.data.double()"):
        body = f"y = 2 * x\n{change}\nreturn y"
        report = tiny.exercise(("it is twice x", tiny.value)).check(answer(body), process)
        assert states(report) == [HOLDS, FAILS], change


@pytest.mark.parametrize(
    "body, words",
    [
        ("raise ValueError('no\\nmore')", "it raised ValueError in line 5 of its cell: no"),
        (
            "return other(x)",
            "it raised NameError in line 5 of its cell: name 'other' is not defined",
        ),
        ("return other(x)", ". An answer stands alone: define or import other in the same cell"),
        ("return 1 / 0", "it raised ZeroDivisionError in line 5 of its cell: division by zero"),
        ("return exit()", "it raised SystemExit in line 5 of its cell"),
        ("return __import__('os')", "it imported os, which is not allowed"),
    ],
)
def test_an_answer_that_raises_is_told_where(process, body, words):
    report = tiny.exercise().check(answer(body, "import torch\n\n\n"), process)
    assert states(report) == [FAILS, FAILS, NOT_REACHED]
    assert words in report.lines[0].fault
    assert report.lines[0].seen.startswith("for x = [")


def test_a_check_may_ask_for_an_exception(process):
    def refuses(call, draw):
        if call.error(torch.zeros(2, 2)) != "ValueError":
            raise Broken("it must refuse what has two axes")
        if call.error(torch.zeros(2)):
            raise Broken("it must take what has one axis")

    asked = tiny.exercise(("it refuses tables", refuses))
    body = "if x.dim() != 1: raise ValueError\nreturn 2 * x"
    assert asked.check(answer(body), process).state == PASSED
    assert asked.check(answer("return 2 * x"), process).faults == [
        "it must refuse what has two axes"
    ]


@pytest.mark.parametrize(
    "before, words",
    [
        (
            "import math.no\n",
            "while its cell ran by itself, it raised ModuleNotFoundError in line 1",
        ),
        ("def f(a=b):\n    ...\n", "define or import b in the same cell"),
        ("exit()\n", "while its cell ran by itself, it raised SystemExit in line 1 of its cell"),
    ],
)
def test_a_cell_whose_definitions_do_not_run_is_a_problem(process, before, words):
    report = tiny.exercise().check(answer("return x", before), process)
    assert report.state == FAILED and words in report.problem and report.lines == ()


@pytest.mark.parametrize(
    "trial",
    ["check('03.3', twice)", "y = twice(tokens)", "1 / 0", "for word in words:\n    word.a"],
)
def test_lines_that_try_an_answer_out_do_not_spoil_it(process, trial):
    right = Answer(f"{trial}\n\n\n{tiny.RIGHT}\n\n{trial}\n", "twice")
    assert tiny.exercise().check(right, process).state == PASSED
    # the next answer does not run in what is left of it
    assert tiny.exercise().check(Answer(tiny.RIGHT, "twice"), process).state == PASSED


def test_a_cell_that_never_ends_is_a_problem(process):
    report = tiny.exercise(seconds=1).check(answer("return x", "while True: pass\n"), process)
    assert report.problem == "while its cell ran by itself, it took longer than 1 s"


def test_the_time_limit_ends_the_check_and_the_next_one_works(process):
    """C81."""
    report = tiny.exercise(seconds=1).check(answer("while True: pass"), process)
    assert states(report) == [FAILS, NOT_REACHED, NOT_REACHED]
    assert report.lines[0].fault == "it took longer than 1 s"
    assert tiny.exercise().check(Answer(tiny.RIGHT, "twice"), process).state == PASSED


def test_an_answer_that_gives_nothing_was_not_seen_to_keep_its_input():
    process = Replies(Stopped("it ended its process"))
    report = tiny.exercise().check(Answer(tiny.RIGHT, "twice"), process)
    assert states(report) == [FAILS, NOT_REACHED, NOT_REACHED]
    assert report.lines[0].fault == "it ended its process"
    assert report.lines[0].seen.startswith("for x = [") and process.closed == 1


def test_objects_that_are_not_plain_are_named(process):
    body = "class Yes:\n    __eq__ = lambda self, other: True\nreturn Yes()"
    report = tiny.exercise().check(answer(body), process)
    assert report.lines[0].fault.startswith("it returned a value of type Yes; plain data are None,")
    assert states(report)[1] == NOT_REACHED


@pytest.mark.parametrize(
    "reply, fault",
    [
        ({}, "it ended its process"),
        ({"ready": True}, "it ended its process"),
        ({"result": torch.ones(1)}, ""),
        ({"raised": True, "line": True, "message": True, "name": 0, "refused": 1}, "it imported 1"),
        ({"raised": 5}, "it raised 5"),
        ({"not plain": 5}, "it returned 5"),
    ],
)
def test_odd_replies_are_no_failure_of_the_check(reply, fault):
    """An answer may have forged them."""
    report = tiny.exercise().check(Answer(tiny.RIGHT, "twice"), Replies(*[reply] * 9))
    assert report.state == FAILED
    assert report.lines[0].fault.startswith(fault)
    assert "could not be examined" not in "".join(report.faults)


def test_the_process_is_closed_whatever_a_property_does():
    for error in (
        ZeroDivisionError,
        RuntimeError,
        KeyboardInterrupt,
        Broken("no"),
        WrongForm("no"),
    ):

        def faulty(call, draw, error=error):
            raise error

        process = Replies()
        asked = tiny.exercise(("faulty", faulty))
        if error is KeyboardInterrupt:
            with pytest.raises(KeyboardInterrupt):
                asked.check(Answer(tiny.RIGHT, "twice"), process)
        else:
            assert states(asked.check(Answer(tiny.RIGHT, "twice"), process))[0] == FAILS
        assert process.closed == 1


def test_a_value_that_the_check_did_not_reckon_with_is_a_fault_and_the_check_goes_on(process):
    def careless(call, draw):
        call(torch.ones(2)).no_such_thing += 1

    asked = tiny.exercise(("careless", careless), ("it is twice x", tiny.value))
    report = asked.check(Answer(tiny.RIGHT, "twice"), process)
    assert states(report) == [FAILS, HOLDS, HOLDS]
    assert report.faults == ["what it returned could not be examined"]


def test_a_shorter_limit_and_an_end_at_the_first_fault_can_be_asked_for(process):
    loops = answer("while True: pass")
    report = tiny.exercise().check(loops, process, seconds=1)
    assert report.lines[0].fault == "it took longer than 1 s"
    asked = tiny.exercise(("first", tiny.value), ("second", tiny.form))
    report = asked.check(answer("return x * x"), process, first_fault_ends=True)
    assert states(report)[:2] == [FAILS, NOT_REACHED]
    # the exercise's own limit stands where it is shorter
    report = tiny.exercise(seconds=1).check(loops, process, seconds=60)
    assert report.lines[0].fault == "it took longer than 1 s"


def test_seeds_decide_the_inputs_and_each_property_draws_its_own():
    seen = []

    def look(call, draw):
        seen.append(torch.randn(3, generator=draw).tolist())

    asked = tiny.exercise(("first", look), ("second", look))
    before = torch.get_rng_state()
    for seed in (0, 0, 1):
        asked.check(Answer(tiny.RIGHT, "twice"), Replies(), seed)
    assert (
        seen[0]
        == seen[1]
        == seen[2]
        == seen[3]
        == torch.randn(3, generator=torch.Generator().manual_seed(0)).tolist()
    )
    assert seen[4] == seen[5] != seen[0]
    assert torch.equal(before, torch.get_rng_state())


def test_an_answer_gets_copies_and_the_check_gets_plain_tensors(process):
    x = torch.ones(2, requires_grad=True)
    call = Call(process, answer("return (x.requires_grad, x.zero_())"))
    call.open(["torch"], 20)
    try:
        result = call(x)
    finally:
        process.close()
    assert result[0] is False and torch.equal(result[1], torch.zeros(2))
    assert torch.equal(x, torch.ones(2))
    assert call.results == 1 and call.changed == "for x = [1, 1]"


def test_inputs_are_said_by_the_names_of_the_parameters():
    def seen(source, *arguments):
        reply = {"not plain": "an object"}
        with pytest.raises(WrongForm) as caught:
            Call(Replies(reply), Answer(source, "twice"))(*arguments)
        return caught.value.seen

    assert seen("def twice(x, y=1): ...", 1, "a") == "for x = 1, y = 'a'"
    assert seen("def twice(x, /, y): ...", 1, 2) == "for x = 1, y = 2"
    # where they cannot be told apart, the values alone
    for head in ("x", "x, y, z", "*x", "x, *y", "x, *, y"):
        assert seen(f"def twice({head}): ...", 1, 2) == "for 1, 2"
    large = seen(
        "def twice(a, b, c, d): ...", torch.ones(7), list(range(90)), {1: "x" * 90}, "y" * 90
    )
    assert large == f"for a = tensor [7], b = list of 90, c = dict of 1, d = '{'y' * 55} ..."


def test_an_exception_that_was_asked_for_must_come_from_the_input(process):
    """A missing name, or a fault that was reported before, refuses nothing."""

    def refuses(call, draw):
        if call.error(torch.zeros(2, 2)) == "":
            raise Broken("it must refuse what has two axes")

    asked = tiny.exercise(("it is twice x", tiny.value), ("it refuses tables", refuses))
    for body in ("return other(x)", "return 1 / 0"):
        report = asked.check(answer(body), process)
        assert states(report)[:2] == [FAILS, FAILS], body
        assert report.lines[0].fault == report.lines[1].fault
    body = "if x.dim() != 1: raise ValueError\nreturn 2 * x"
    assert asked.check(answer(body), process).state == PASSED
    body = "if x.dim() != 1: return missing\nreturn 2 * x"
    assert "define or import missing" in asked.check(answer(body), process).faults[0]


def test_what_may_be_imported_reaches_the_process(process):
    made = answer("return math.prod([2.0]) * x", "import math\nimport torch\n")
    assert tiny.exercise().check(made, process).state == PASSED
    made = answer(
        "return 2 * x if masks else 0", "import torch\nfrom helpers.decoder import masks\n"
    )
    assert (
        tiny.exercise(imports=("torch", "helpers.decoder.masks")).check(made, process).state
        == PASSED
    )
    assert (
        "the import of helpers.decoder.masks is not" in tiny.exercise().check(made, process).problem
    )


def test_an_exercise_states_its_facts():
    assert tiny.exercise().facts() == "2 minutes · warm-up · 2 points · may import torch"
    asked = tiny.exercise(points=1, imports=(), level="challenge", minutes=30)
    assert asked.facts() == "30 minutes · challenge · 1 point · standard library only"
    assert tiny.exercise(imports=("math",)).facts().endswith("standard library only")
    assert asked.lesson == "03"


def test_levels_and_hints_are_as_agreed():
    with pytest.raises(ValueError, match=r"level of 03\.3 is 'easy'; allowed: warm-up, medium,"):
        tiny.exercise(level="easy")
    with pytest.raises(ValueError, match=r"id is '3\.3'; allowed are such as 03\.2 and 03a\.2"):
        tiny.exercise(id="3.3")
    with pytest.raises(ValueError, match=r"03\.3 has 2 hints; a ladder has 3"):
        tiny.exercise(hints=("a", "b"))


def test_wrong_form_is_broken_and_says_what_was_seen():
    error = WrongForm("it is wrong", "for 1")
    assert isinstance(error, Broken) and str(error) == "it is wrong (for 1)"
    assert str(Broken("it is wrong")) == "it is wrong"
    error = Broken("it is wrong", "for 1:")  # it was meant to go on
    assert (str(error), error.seen) == ("it is wrong (for 1)", "for 1")


def test_texts_of_any_script_cross_both_ways(process):
    """C83."""

    def echo(call, draw):
        expect.equal(call("→ é 日本 😀"), "日本 → 😀")

    asked = tiny.exercise(("it answers", echo), imports=())
    source = "# → é 日本 😀\ndef twice(x):\n    return '日本 → 😀' if x == '→ é 日本 😀' else x\n"
    assert asked.check(Answer(source, "twice"), process).state == PASSED
    made = Answer("def twice(x):\n    raise ValueError('→ ' + x)\n", "twice")
    assert asked.check(made, process).lines[0].fault.endswith("cell: → → é 日本 😀")


def test_an_exercise_hands_over_all_kinds_of_plain_data(process):
    given = [None, True, 2, 0.5, "a", [1, {"b": torch.ones(2)}], {3: 4}]

    def echo(call, draw):
        if not plain.same(call(*given), given):
            raise Broken("it is another value")

    asked = tiny.exercise(("it gives all back", echo), imports=())
    made = Answer("def twice(*x):\n    return x\n", "twice")
    assert asked.check(made, process).state == PASSED
    assert isinstance(asked, Exercise)
