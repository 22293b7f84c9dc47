"""What a lesson's file, its number and its exercises' ids look like."""

import random

import pytest

from helpers import lesson_names


def course(tmp_path, *names):
    """Return a folder lessons/ with such files."""
    folder = tmp_path / "lessons"
    folder.mkdir()
    for name in names:
        (folder / name).write_text("")
    return folder


def test_a_split_lesson_stands_behind_its_first_part_and_before_the_next(tmp_path):
    names = ["03_z.ipynb", "03a_a.ipynb", "03b_A_2.ipynb", "04_b.ipynb", "10_c.ipynb"]
    shuffled = random.Random(1).sample(names, len(names))
    found = lesson_names.lessons_in(course(tmp_path, *shuffled))
    assert list(found) == ["03", "03a", "03b", "04", "10"]
    assert [path.name for path in found.values()] == names


STRANGE = (
    "3_x.ipynb",
    "03 copy.ipynb",
    "03A_x.ipynb",
    "003_x.ipynb",
    "03ab_x.ipynb",
    "03.ipynb",
    "03_.ipynb",
    "03_x-Copy1.ipynb",
    "03_x y.ipynb",
    "03_é.ipynb",
    "٠٣_x.ipynb",
    "03_x.IPYNB",
    "Untitled.ipynb",
)


@pytest.mark.parametrize("name", STRANGE)
def test_a_strange_name_gets_one_sentence_with_the_form_that_is_allowed(tmp_path, name):
    folder = course(tmp_path, name)
    found, (sentence,) = lesson_names.sort_out(folder)
    assert found == {}
    assert sentence.startswith(f"{name!r} in lessons/ is no lesson's name: rename it (two digits, ")
    assert "03_masks.ipynb or 03a_masks.ipynb" in sentence and "\n" not in sentence
    with pytest.raises(ValueError) as caught:
        lesson_names.lessons_in(folder)
    assert str(caught.value) == sentence


def test_two_lessons_of_one_number_are_named_and_the_first_stays(tmp_path):
    folder = course(tmp_path, "03_b.ipynb", "03_a.ipynb", "03a_a.ipynb")
    found, (sentence,) = lesson_names.sort_out(folder)
    assert [path.name for path in found.values()] == ["03_a.ipynb", "03a_a.ipynb"]
    assert sentence.startswith("03_a.ipynb and 03_b.ipynb in lessons/ have one number")


def test_what_is_no_notebook_is_no_strange_lesson(tmp_path):
    hidden = (".03_x.ipynb", "._03_x.ipynb")  # as some systems and editors leave them
    folder = course(tmp_path, "glossary.md", "03_x.ipynb.new", *hidden)
    (folder / ".ipynb_checkpoints").mkdir()
    assert lesson_names.lessons_in(folder) == {}
    assert lesson_names.lessons_in(tmp_path / "gone") == {}


@pytest.mark.parametrize(
    "file, number",
    [
        ("work/03_masks.ipynb", "03"),
        ("03a_masks.ipynb", "03a"),
        ("03a_masks-Copy1.ipynb", "03a"),
        ("03 copy.ipynb", None),
        ("3_x.ipynb", None),
        ("003_x.ipynb", None),
        ("03ab_x.ipynb", None),
        ("03A_x.ipynb", None),
        ("03a", None),
        ("mine.ipynb", None),
        ("03_lessons/mine.ipynb", None),
    ],
)
def test_a_files_number_is_what_its_name_begins_with(file, number):
    assert lesson_names.number_of(file) == number


@pytest.mark.parametrize(
    "given, full",
    [("3", "03"), ("3a", "03a"), ("3a.12", "03a.12"), ("3.3", "03.3")]
    + [(same, same) for same in ("03", "03a", "03a.1", "13", "133", "", "a", "_3", "x" * 9)],
)
def test_a_zero_may_be_left_out(given, full):
    assert lesson_names.in_full(given) == full


def test_ids_have_one_form_a_lesson_and_an_order():
    ids = ["03.1", "03.2", "03.10", "03a.1", "03a.2", "03b.1", "04.1"]
    assert all(map(lesson_names.is_exercise, ids))
    assert [lesson_names.lesson_of(id) for id in ids] == "03 03 03 03a 03a 03b 04".split()
    assert sorted(random.Random(2).sample(ids, len(ids)), key=lesson_names.order) == ids
    wrong = ["3.1", "03", "03.", "03.0", "03.01", "03A.1", "003.1", "03ab.1", "03a.1 ", "٠٣.1", ""]
    assert not any(map(lesson_names.is_exercise, wrong))
