"""Which cell is the answer: the rule, in every order of cells and files, and what is said of it."""

import itertools
import json

import pytest

from helpers.exercises import catalog
from helpers.exercises.answers import Answer
from helpers.exercises.handed import gathering, saved
from helpers.exercises.handed.saved import Cell
from tests.exercises.handed.test_saved import code, marked
from tests.notebooks import write

FUNCTIONS = {"03.1": "twice", "03.2": "thrice", "04.1": "mask"}
RIGHT = "def twice(x):\n    return 2 * x"
OTHER = "def twice(x):\n    return x + x"
STUB = 'def twice(x):\n    """Return twice x."""\n    ...'
BROKEN = "def twice(x:\n    return 2 * x"
EMPTY = "print('try')"


def gathered(*files, functions=FUNCTIONS):
    """Return what is gathered from files, each a list of (number or None, source)."""
    pile = gathering.Pile(functions)
    for number, cells in enumerate(files, start=1):
        name = f"file {number}" if len(files) > 1 else ""
        pile.add(name, [Cell(e, source, n) for n, (e, source) in enumerate(cells, start=1)])
    return pile.gathered()


def sources(*files):
    return {e: answer.source for e, answer in gathered(*files).answers.items()}


def test_a_cell_is_found_by_its_number_and_one_that_lost_it_by_its_function():
    """C80."""
    assert sources([(None, "x = 1"), ("03.1", RIGHT)]) == {"03.1": RIGHT}
    with_import = "import torch\n\n\n" + RIGHT
    assert sources([(None, with_import), (None, "x = 1")]) == {"03.1": with_import}
    assert sources([("99.9", RIGHT)]) == {"03.1": RIGHT}
    assert sources([(None, "    def twice(x): pass"), (None, "def twice_more(x): pass")]) == {}


@pytest.mark.parametrize("weaker", [STUB, EMPTY, BROKEN, ""])
@pytest.mark.parametrize("numbers", [("03.1", "03.1"), ("03.1", None), (None, "03.1")])
def test_d14_d15_a_written_answer_counts_wherever_stubs_and_empty_halves_stand(weaker, numbers):
    """Also a written one that lost its number, beside the stub that bears it."""
    cells = [(numbers[0], RIGHT), (numbers[1], weaker)]
    for order in (cells, cells[::-1]):
        assert sources(order) == {"03.1": RIGHT}
        assert sources(*[[cell] for cell in order]) == {"03.1": RIGHT}
        if weaker != BROKEN:
            assert gathered(order).remarks == {}


def test_an_older_answer_that_counts_since_the_last_is_no_python_is_remarked():
    found = gathered([("03.1", RIGHT), ("03.1", BROKEN)])
    assert found.remarks == {"03.1": "cell 2 is later, and no Python: cell 1 counts"}
    assert gathered([("03.1", BROKEN), ("03.1", RIGHT)]).remarks == {}
    found = gathered([("03.1", OTHER)], [("03.1", RIGHT)], [("03.1", BROKEN), ("03.1", STUB)])
    assert found.remarks["03.1"] == (
        "two different answers were found: cell 1 of file 2 counts, as the last; the other stands "
        "in cell 1 of file 1; cell 1 of file 3 is later, and no Python: cell 1 of file 2 counts"
    )


def test_where_nothing_is_written_a_broken_cell_counts_then_a_stub_then_any_with_the_number():
    for given in itertools.permutations([("03.1", BROKEN), ("03.1", STUB), ("03.1", EMPTY)]):
        assert sources(given) == {"03.1": BROKEN}
    for given in itertools.permutations([("03.1", STUB), ("03.1", EMPTY)]):
        assert sources(given) == {"03.1": STUB}
    assert sources([("03.1", "twice = lambda x: 2 * x")]) == {"03.1": "twice = lambda x: 2 * x"}


def test_of_two_written_answers_the_last_counts_and_a_remark_says_so():
    """C80, D14."""
    found = gathered([("03.1", RIGHT), ("03.1", STUB), ("03.1", OTHER)])
    assert found.answers == {"03.1": Answer(OTHER, "twice")}
    assert found.remarks == {
        "03.1": "two different answers were found: cell 3 counts, as the last; the other stands "
        "in cell 1"
    }
    found = gathered([(None, RIGHT), ("03.1", OTHER)], [("03.1", RIGHT)], [("03.1", STUB)])
    assert found.remarks["03.1"].endswith(
        ": cell 1 of file 2 counts, as the last; the other stands in cell 2 of file 1"
    )


def test_a_cell_with_the_number_counts_before_a_later_one_that_only_defines_the_function():
    for cells in ([("03.1", RIGHT), (None, OTHER)], [(None, OTHER), ("03.1", RIGHT)]):
        assert sources(cells) == {"03.1": RIGHT}
    found = gathered([("03.1", RIGHT), (None, OTHER)])
    assert "cell 1 counts, since it bears the exercise's number; the other" in found.remarks["03.1"]


def test_the_same_answer_twice_is_no_remark_and_many_are_counted():
    same = RIGHT.replace("\n", "  \n") + "\n\n"
    assert gathered([("03.1", RIGHT)], [("03.1", same)]).remarks == {}
    many = [("03.1", f"def twice(x):\n    return x * 2 + {n}") for n in range(6)]
    assert gathered(many).remarks["03.1"] == (
        "6 different answers were found: cell 6 counts, as the last; others stand in cell 1 and "
        "cell 2 and cell 3 and 2 more"
    )


def test_cells_that_were_merged_hold_both_answers():
    """The merged cell keeps the first number only; in the notebook both functions are there."""
    merged = RIGHT + "\n\n\ndef thrice(x):\n    return 3 * x"
    found = gathered([("03.1", merged), (None, "check('03.2', thrice)")])
    assert {e: a.source for e, a in found.answers.items()} == {"03.1": merged, "03.2": merged}
    assert found.borrowed == {"03.2"}
    own = "def thrice(x):\n    return x * 3"  # a copy in another answer is no second answer
    found = gathered([("03.2", own), ("03.1", merged)])
    assert (found.answers["03.2"].source, found.remarks) == (own, {})
    assert gathered([("03.2", STUB.replace("twice", "thrice")), ("03.1", RIGHT)]).borrowed == set()


def test_a_function_of_another_lesson_is_no_answer():
    mask = "def mask(T):\n    return T"
    assert sources([("03.1", RIGHT), (None, mask)]) == {"03.1": RIGHT}
    assert sources([("03.1", RIGHT)], [(None, mask)]) == {"03.1": RIGHT, "04.1": mask}
    # a notebook that lost its numbers is known by its checks
    lost = [(None, RIGHT), (None, 'check("03.1", twice)'), (None, mask)]
    assert sources(lost) == {"03.1": RIGHT}


@pytest.mark.parametrize("path", sorted((catalog.ROOT / "lessons").glob("[0-9]*.ipynb")))
def test_a_lesson_as_it_is_holds_the_stubs_of_its_own_exercises(path):
    known = catalog.exercises().values()
    functions = {exercise.id: exercise.function for exercise in known}
    found = gathering.from_files([path], functions)
    own = {exercise.id for exercise in known if path.name.startswith(exercise.lesson + "_")}
    assert set(found.answers) == own and own
    assert all(answer.is_stub() for answer in found.answers.values())
    assert (found.remarks, found.problems, found.borrowed) == ({}, [], set())
    assert found.lessons == {path: {e.lesson for e in known if e.id in own}}


def test_an_answer_that_is_too_long_counts_and_no_more_of_it_is_kept_than_shows_its_length():
    long = RIGHT + "\n#" + "x" * 10**6
    found = gathered([("03.1", long), ("03.1", STUB)])
    assert len(found.answers["03.1"].source) == gathering.LONGEST + 1
    assert (
        gathering.too_long(found.answers["03.1"]) == "the answer is longer than 20,000 characters"
    )
    exact = Answer("#" * gathering.LONGEST, "f")
    assert gathering.too_long(exact) == ""


def test_of_a_flood_of_cells_only_the_last_are_parsed(monkeypatch):
    """Reading takes seconds, for all the others, whatever one hands in."""
    parsed = []
    is_stub = Answer.is_stub
    monkeypatch.setattr(Answer, "is_stub", lambda self: parsed.append(self) or is_stub(self))
    numbers = ("03.1", None, "03.2")
    flood = [(number, f"def twice(x): {n}") for number in numbers for n in range(1000)]
    gathered(flood + [("03.1", EMPTY)] * 1000)
    assert 0 < len(parsed) <= gathering.MOST
    parsed.clear()
    assert sources([("03.1", RIGHT), *[("03.1", STUB)] * 1000]) == {"03.1": RIGHT}
    assert len(parsed) == 2
    long = "def twice(x):\n    ..." + "\n" * gathering.STUBS
    assert sources([("03.1", long), ("03.1", STUB)]) == {"03.1": long}
    assert len(parsed) == 3


def test_no_untouched_stub_of_the_course_is_longer_than_is_looked_at():
    known = catalog.exercises()
    functions = {exercise.id: exercise.function for exercise in known.values()}
    paths = sorted((catalog.ROOT / "lessons").glob("[0-9]*.ipynb"))
    stubs = gathering.from_files(paths, functions).answers
    assert stubs.keys() == known.keys()
    assert max(len(stub.source) for stub in stubs.values()) < gathering.STUBS / 2


def test_files_of_ones_own_are_gathered_and_a_damaged_one_costs_only_itself(tmp_path):
    good = write(tmp_path / "b\x1b[31m.ipynb", marked(RIGHT, "03.1"))
    (tmp_path / "a\n.ipynb").write_text("{")
    (tmp_path / "c.ipynb").mkdir()
    found = gathering.from_files(saved.notebooks(tmp_path), FUNCTIONS)
    assert found.answers == {"03.1": Answer(RIGHT, "twice")}
    assert found.files == {"03.1": "b\ufffd[31m.ipynb"}
    assert found.problems == [
        "a\ufffd.ipynb is left out: it is no JSON document",
        "c.ipynb is left out: it cannot be read: Is a directory",
    ]
    assert found.lessons == {good: {"03"}}


def test_versions_are_known_by_the_numbers_in_a_file(tmp_path):
    path = write(tmp_path / "renamed.ipynb", marked(RIGHT, "03.1"))
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["metadata"]["course"] = {"version": "abc"}
    path.write_text(json.dumps(notebook), encoding="utf-8")
    lost = write(tmp_path / "stripped.ipynb", code(OTHER), code("check('03.1', twice)"))
    assert gathering.from_files([path, lost], FUNCTIONS).versions == {"03": "abc"}
    assert gathering.from_files([lost], FUNCTIONS).versions == {"03": ""}


def test_an_odd_escape_is_no_word_to_the_learner(capfd, recwarn):
    """What a library or Python warns of while an answer is read does not reach the learner."""
    assert sources([("03.1", "def twice(x):\n    return '\\d' + 1 if x is 5 else x")])
    assert [str(one.message) for one in recwarn] == []
    assert capfd.readouterr() == ("", "")
