"""The planted answers and the list of what kills them: a weak check must be found out."""

import nbformat
import pytest
import torch

from helpers.exercises import catalog, expect
from helpers.exercises.answers import Answer
from helpers.exercises.exercise import FAILED, NOT_ATTEMPTED, PASSED, Broken
from tests.exercises import check_the_checks, planted, test_gates, tiny
from tests.notebooks import code

WRONG_ANSWERS = '''"""Wrong answers."""

import torch

FACTOR = 1

EQUAL = {"2 * x  ->  x * 2": "the same product"}


def _help(x):
    return x * FACTOR


def square(x):
    """the square"""
    return x * x


def not_at_all(x):
    """another value"""
    return _help(x)
'''


@pytest.fixture(autouse=True)
def folders(monkeypatch, tmp_path):
    """Solutions, wrong answers and a lesson of the tiny exercise."""
    for module, name in (
        (catalog, "SOLUTIONS"),
        (planted, "WRONG"),
        (planted, "LESSONS"),
        (planted, "STRANGERS"),
    ):
        folder = tmp_path / name.lower()
        folder.mkdir()
        monkeypatch.setattr(module, name, folder)
    (catalog.SOLUTIONS / "03_3_twice.py").write_text(tiny.RIGHT, encoding="utf-8")
    other = "def twice(x):\n    return x + x\n"
    (catalog.SOLUTIONS / "03_3_twice__as_a_sum.py").write_text(other, encoding="utf-8")
    (catalog.SOLUTIONS / "03_3_twice_more.py").write_text("", encoding="utf-8")
    (planted.WRONG / "03_3_twice.py").write_text(WRONG_ANSWERS, encoding="utf-8")
    cell = code(tiny.STUB)
    cell.metadata["exercise"] = "03.3"
    notebook = nbformat.v4.new_notebook(cells=[code("x = 1"), cell])
    nbformat.write(notebook, planted.LESSONS / "03_a.ipynb")
    return tmp_path


def test_answers_are_found_by_their_names():
    exercise = tiny.exercise()
    assert exercise.stem == "03_3_twice"
    assert planted.reference(exercise) == Answer(tiny.RIGHT, "twice")
    assert list(planted.others(exercise)) == ["as_a_sum"]
    assert planted.stub(exercise) == Answer(tiny.STUB, "twice")
    assert planted.stub(exercise).is_stub()


def test_a_wrong_answer_is_a_cell_of_its_own_with_what_it_needs():
    first, second = planted.written(tiny.exercise())
    assert (first.name, first.words) == ("square", "the square")
    assert (second.name, second.words) == ("not_at_all", "another value")
    for wrong in (first, second):
        assert wrong.answer.function == "twice" and "EQUAL" not in wrong.answer.source
        names = {}
        exec(wrong.answer.source, names)
        assert {"twice", "_help", "FACTOR"} <= set(names)
        assert not {"square", "not_at_all"} & set(names)
    assert planted.equal_mutations(tiny.exercise()) == {"2 * x  ->  x * 2": "the same product"}


STRANGERS = '''import functools


def _half(x):
    return x / 2


def wrong_halved(x):
    """It halves.

    Feedback: another value
    """
    # wrong for: f(1) gives 0.5, right 2
    return _half(x)


@functools.cache
def right_cached(x):
    """Keep what was computed."""
    return x + x
'''


def test_strangers_answers_are_cells_of_their_own(process):
    assert planted.strangers(tiny.exercise()) == ([], {})
    path = planted.STRANGERS / "03_3_twice.py"
    path.write_text(STRANGERS, encoding="utf-8")
    (wrong,), right = planted.strangers(tiny.exercise())
    assert (wrong.name, wrong.words) == ("wrong_halved", "another value")
    assert "_half" in wrong.answer.source and "right_cached" not in wrong.answer.source
    assert list(right) == ["right_cached"]
    assert "@functools.cache\ndef twice(x):" in right["right_cached"].source
    assert tiny.exercise().check(right["right_cached"], process).state == PASSED


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("    Feedback: another value", "    It does."),
        ("    Feedback: another value", "    Feedback: "),
        ("def wrong_halved", "def halved"),
    ],
)
def test_a_strangers_answer_without_kind_or_words_is_an_error(was, becomes):
    path = planted.STRANGERS / "03_3_twice.py"
    path.write_text(STRANGERS.replace(was, becomes), encoding="utf-8")
    with pytest.raises(ValueError, match=r"03_3_twice.py: (wrong_)?halved is neither"):
        planted.strangers(tiny.exercise())


def test_strangers_wrong_answers_are_counted_and_survive_without_their_words(monkeypatch, capsys):
    monkeypatch.setattr(check_the_checks, "exercises", lambda: {"03.3": tiny.exercise()})
    path = planted.STRANGERS / "03_3_twice.py"
    path.write_text(STRANGERS, encoding="utf-8")
    assert check_the_checks.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(", wrong_halved")
    assert lines[-1] == "exercises 1, wrong answers 10, killed 10, survivors 0"
    path.write_text(STRANGERS.replace("another value", "half of it"), encoding="utf-8")
    assert check_the_checks.main([]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "  SURVIVES wrong_halved: its feedback does not say 'half of it':" in lines
    assert lines[-1] == "exercises 1, wrong answers 10, killed 9, survivors 1"


def test_common_faults_are_planted_where_they_can_be():
    def kinds(result, arguments):
        return {wrong.name for wrong in planted.common(tiny.exercise(), result, arguments)}

    always = {"always_says_yes", "returns_nothing", "imports_the_checks"}
    assert kinds(5, [5]) == always
    assert kinds("a", ["b"]) == always
    assert kinds([0.5], [5]) == always | {"gives_nan"}
    assert kinds({"a": [0.5]}, [[1]]) == always | {"gives_nan", "changes_its_input"}
    tensors = {"gives_nan", "extra_axis", "another_dtype", "changes_its_input"}
    assert kinds(torch.ones(2), [torch.ones(2)]) == always | tensors
    assert kinds(torch.tensor([1]), [5]) == always | {"extra_axis", "another_dtype"}


def test_a_good_check_kills_all_and_each_by_its_own_words(process):
    names, found = check_the_checks.survivors(tiny.exercise(), process)
    assert found == []
    assert names == [
        "square",
        "not_at_all",
        "gives_nan",
        "always_says_yes",
        "returns_nothing",
        "extra_axis",
        "another_dtype",
        "changes_its_input",
        "imports_the_checks",
    ]


@pytest.mark.parametrize("axes", [0, 1])
def test_an_extra_axis_is_named_for_results_of_every_kind(process, axes):
    """A tensor of shape [] with an axis more has the shape [1]."""
    shape = (1,) * axes

    def form(call, draw):
        expect.tensor(call(torch.ones(shape)), shape)

    exercise = tiny.exercise(("form", form))
    (wrong,) = [
        wrong
        for wrong in planted.common(exercise, torch.ones(shape), [torch.ones(shape)])
        if wrong.name == "extra_axis"
    ]
    assert wrong.words in check_the_checks.feedback(exercise.check(wrong.answer, process))


def weak(call, draw):
    """Ask for a shape only."""
    expect.tensor(call(torch.ones(2)), (2,))


def test_a_check_that_lets_a_wrong_answer_pass_is_found(process):
    _, found = check_the_checks.survivors(tiny.exercise(("weak", weak)), process)
    assert sorted(sentence.split(":")[0] for sentence in found) == ["not_at_all", "square"]
    assert found[0] == "square: passed"


def test_a_check_without_words_of_its_own_for_a_fault_is_found(process):
    def dumb(call, draw):
        expect.tensor(call(torch.ones(4)), (4,))
        x = torch.randn(4, generator=draw)
        if not expect.close(call(x), 2 * x):
            raise Broken("it is wrong")

    _, found = check_the_checks.survivors(tiny.exercise(("dumb", dumb)), process)
    assert "square: its feedback does not say 'the square':\nit is wrong ()" in found
    assert all("square" in sentence or "not_at_all" in sentence for sentence in found)


def test_words_that_stand_in_the_feedback_of_another_fault_are_found(process):
    text = WRONG_ANSWERS.replace('"""another value"""', '"""it gives"""')
    (planted.WRONG / "03_3_twice.py").write_text(text, encoding="utf-8")
    _, found = check_the_checks.survivors(tiny.exercise(), process)
    assert found == ["not_at_all: 'it gives' also stands in that of square"]


def test_a_wrong_answer_without_words_is_found(process):
    text = WRONG_ANSWERS.replace('    """the square"""\n', "")
    (planted.WRONG / "03_3_twice.py").write_text(text, encoding="utf-8")
    _, found = check_the_checks.survivors(tiny.exercise(), process)
    assert len(found) == 1 and found[0].startswith("square: its feedback does not say ''")


def test_an_untouched_stub_is_no_killed_answer(process):
    text = WRONG_ANSWERS + '\n\ndef lazy(x):\n    """lazy"""\n'
    (planted.WRONG / "03_3_twice.py").write_text(text, encoding="utf-8")
    _, found = check_the_checks.survivors(tiny.exercise(), process)
    assert found == [f"lazy: {NOT_ATTEMPTED}"]


def test_a_reference_that_gives_nothing_is_said(process):
    (catalog.SOLUTIONS / "03_3_twice.py").write_text("def twice(x):\n    return {1}\n")
    with pytest.raises(ValueError, match=r"the reference of 03\.3 gave no result"):
        check_the_checks.sample(tiny.exercise(), process)


def test_the_list_counts_and_its_status_tells_survivors(monkeypatch, capsys):
    exercises = {"03.3": tiny.exercise()}
    monkeypatch.setattr(check_the_checks, "exercises", lambda: exercises)
    assert check_the_checks.main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("03.3 Twice the tensor: square, not_at_all, gives_nan, ")
    assert lines[-1] == "exercises 1, wrong answers 9, killed 9, survivors 0"
    exercises["03.3"] = tiny.exercise(("weak", weak))
    assert check_the_checks.main(["03.3"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "  SURVIVES square: passed" in lines
    assert lines[-1] == "exercises 1, wrong answers 9, killed 7, survivors 2"


def test_an_unknown_exercise_is_named(capsys):
    assert check_the_checks.main(["99.9"]) == 2
    assert capsys.readouterr().err.startswith("no exercise 99.9; these exist: ")


def test_the_gate_of_mutations_finds_what_a_weak_check_lets_pass(process):
    alive, stopped = test_gates.tried_mutations(tiny.exercise(), process)
    assert (alive, stopped) == ([], [])
    alive, _ = test_gates.tried_mutations(tiny.exercise(("weak", weak)), process)
    assert alive == ["2 * x  ->  2 / x", "2  ->  3", "2  ->  1"]


def test_the_gate_of_mutations_tells_what_time_stopped(monkeypatch, process):
    source = "def twice(x):\n    n = 2\n    while n < 2:\n        n = 1\n    return n * x\n"
    (catalog.SOLUTIONS / "03_3_twice.py").write_text(source)
    monkeypatch.setattr(test_gates, "MUTATION_SECONDS", 1)
    _, stopped = test_gates.tried_mutations(tiny.exercise(), process)
    assert "n < 2  ->  n <= 2" in stopped


def test_feedback_is_all_that_is_wrong_in_one_text(process):
    report = tiny.exercise().check(Answer("def twice(x):\n    return 1 * x\n", "twice"), process)
    assert report.state == FAILED
    assert check_the_checks.feedback(report).startswith("it gives another value (for 4 numbers:")
    report = tiny.exercise().check(Answer("def other(): ...\n", "twice"), process)
    assert check_the_checks.feedback(report).startswith("its cell defines no function twice")
    report = tiny.exercise().check(Answer(tiny.RIGHT, "twice"), process)
    assert report.state == PASSED and check_the_checks.feedback(report) == ""
