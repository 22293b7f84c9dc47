"""Finding exercises by their id, and the nearest one where it is mistyped."""

import pytest
import torch

from helpers.exercises import catalog
from tests.exercises import tiny


@pytest.fixture(autouse=True)
def lessons(monkeypatch):
    class Lesson:
        def __init__(self, *exercises):
            self.EXERCISES = exercises

    first = Lesson(
        tiny.exercise(id="01.1", title="A first"), tiny.exercise(id="01.2", title="A next")
    )
    third, split = Lesson(tiny.exercise()), Lesson(tiny.exercise(id="03a.1", title="A split"))
    monkeypatch.setattr(catalog, "LESSONS", (first, Lesson(), third, split))
    return first, third


def test_exercises_stand_in_the_order_of_lessons(lessons):
    found = catalog.exercises()
    assert list(found) == ["01.1", "01.2", "03.3", "03a.1"]
    assert found["03.3"] is lessons[1].EXERCISES[0] is catalog.find("03.3")


@pytest.mark.parametrize(
    "given, words",
    [
        ("3.3", "there is no exercise '3.3': did you mean \"03.3\" (Twice the tensor)?"),
        ("3a.1", 'did you mean "03a.1" (A split)?'),
        (3.3, 'write the number in quotes: "03.3" (Twice the tensor)'),
        ("03.3 ", '"03.3" (Twice the tensor)'),
        ("03,3", '"03.3" (Twice the tensor)'),
        ("01.3", '"01.2" (A next) or "01.1" (A first)'),
        ("", "there is no exercise '': the first is \"01.1\""),
        ("mask", "there is no exercise 'mask': the first is \"01.1\""),
        ("→ 日本", 'the first is "01.1"'),
        (None, '"01.1", which comes first, and a NoneType was given'),
        (print, "and a builtin_function_or_method was given"),
        (["03.3"], "and a list was given"),
        (torch.ones(10**4), "and a Tensor was given"),
        ("x" * 10**6, "there is no exercise 'xxx"),
        (10**5000, "and an int was given"),
    ],
    ids=lambda value: str(type(value)),
)
def test_an_unknown_id_names_the_nearest(given, words):
    with pytest.raises(ValueError) as caught:
        catalog.find(given)
    text = str(caught.value)
    assert words in text or all(part in text for part in words.split(" or "))
    assert len(text) < 200


def test_what_fails_when_it_is_looked_at_is_no_id():
    class Odd:
        def __repr__(self):
            raise OSError

        __str__ = __hash__ = __eq__ = __repr__

    class OddText(str):
        def __hash__(self):
            raise OSError

        __str__ = __repr__ = __eq__ = __hash__

    for given in (Odd(), OddText("03.3")):
        with pytest.raises(ValueError, match="and an Odd"):
            catalog.find(given)


def test_the_solution_is_read_as_utf_8(monkeypatch, tmp_path):
    """C83."""
    monkeypatch.setattr(catalog, "SOLUTIONS", tmp_path)
    (tmp_path / "03_3_twice.py").write_bytes("# → 日本 😀\n".encode())
    assert catalog.solution_text(tiny.exercise()) == "# → 日本 😀\n"


def test_solutions_are_found_wherever_one_stands(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert catalog.SOLUTIONS.is_absolute() and catalog.SOLUTIONS.is_dir()
