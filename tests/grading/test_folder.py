"""Whose submission is which, in a folder, by a roster; and names that strangers chose."""

import os
import unicodedata

import pytest

from helpers.exercises.handed.names import printable
from helpers.grading.folder import find, left_out, read_roster, unmatched
from tests.grading import school

SOURCES = {"10.4": "def f(): ..."}


def found(where, roster=None):
    known = read_roster(roster) if roster else None
    return [(path.name, learner) for path, learner in find(where, known)]


def test_each_file_or_folder_is_a_submission_in_order_of_names(tmp_path):
    for form, learner in zip(school.FORMS, ("cy", "ann", "bob"), strict=True):
        school.hand_in(tmp_path, learner, SOURCES, form)
    (tmp_path / "DORA.JSON").write_text(school.document(SOURCES))
    (tmp_path / ".DS_Store").write_text("")
    (tmp_path / "essay.zip").write_text("")
    expected = [("DORA.JSON", "DORA"), ("ann.ipynb", "ann"), ("bob", "bob"), ("cy.json", "cy")]
    assert found(tmp_path) == expected
    assert left_out(tmp_path) == ["essay.zip"]


def test_a_roster_names_learners_by_file_with_or_without_its_ending(tmp_path):
    for name in ("s1", "s2", "s3"):
        school.hand_in(tmp_path / "in", name, SOURCES)
    roster = tmp_path / "roster.csv"
    roster.write_bytes('\ufefffile,learner\r\ns1.json,"Öberg, Ann"\r\ns2,花子\r\n'.encode())
    expected = [("s1.json", "Öberg, Ann"), ("s2.json", "花子"), ("s3.json", "s3")]
    assert found(tmp_path / "in", roster) == expected


def test_a_roster_knows_a_name_whose_accents_are_written_apart(tmp_path):
    school.hand_in(tmp_path / "in", unicodedata.normalize("NFD", "Zoë"), SOURCES)
    (tmp_path / "roster.csv").write_text("file,learner\nZoë,z1\n", encoding="utf-8")
    assert [who for _, who in found(tmp_path / "in", tmp_path / "roster.csv")] == ["z1"]


@pytest.mark.parametrize("between", [",", ";", "\t"])
def test_a_roster_is_read_as_spreadsheets_write_it(tmp_path, between):
    school.hand_in(tmp_path / "in", "s1", SOURCES)
    rows = (("Learner ", "group", " File"), ("Öberg", "2", "s1.json"), ("", "", ""), ("x",))
    text = "\ufeff" + "\r\n".join(between.join(row) for row in rows)
    (tmp_path / "roster.csv").write_bytes(text.encode())
    assert found(tmp_path / "in", tmp_path / "roster.csv") == [("s1.json", "Öberg")]


def test_what_a_roster_and_a_folder_do_not_share_is_named(tmp_path):
    for name in ("s1", "s2"):
        school.hand_in(tmp_path, name, SOURCES)
    roster = {"s1": "Ann", "s1.json": "Ann", "s3": "Cy"}
    assert unmatched(sorted(tmp_path.iterdir()), roster) == (["Cy"], ["s2.json"])


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", "is no roster: .* file,learner"),
        (b"name,mark\na,b\n", "is no roster: .* file,learner"),
        (b"\xff", "is not in UTF-8"),
        (None, "cannot be read: No such file"),
    ],
)
def test_what_is_no_roster_is_named(tmp_path, content, words):
    if content is not None:
        (tmp_path / "roster.csv").write_bytes(content)
    with pytest.raises(ValueError, match=f"roster.csv {words}"):
        read_roster(tmp_path / "roster.csv")


def test_a_file_that_a_roster_gives_to_two_learners_is_refused_and_both_are_named(tmp_path):
    """In two rows, or in one with the ending and one without: points would go to one of them."""
    school.hand_in(tmp_path / "in", "s1", SOURCES)
    roster = tmp_path / "roster.csv"
    for first in ("s1.json", "s1"):
        roster.write_text(f"file,learner\n{first},Ann\ns1.json,Bob\n")
        with pytest.raises(ValueError, match=r"s1.json is in the roster for two learners, \w+ and"):
            found(tmp_path / "in", roster)
        with pytest.raises(ValueError, match=r"Ann.*Bob|Bob.*Ann"):
            found(tmp_path / "in", roster)
    roster.write_text("file,learner\ns1,Ann\ns1.json,Ann\ns1.json,Ann\n")
    assert found(tmp_path / "in", roster) == [("s1.json", "Ann")]


def test_all_submissions_of_one_learner_are_refused_by_name(tmp_path):
    for learner in ("ann", "bob"):
        school.hand_in(tmp_path, learner, SOURCES)
        school.hand_in(tmp_path, learner, SOURCES, "notebook")
    with pytest.raises(ValueError, match=r"ann: ann.ipynb and ann.json; bob: bob.ipynb and bob"):
        found(tmp_path)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read_is_named(tmp_path):
    tmp_path.chmod(0o000)
    try:
        with pytest.raises(ValueError, match="cannot be read: Permission denied"):
            found(tmp_path)
    finally:
        tmp_path.chmod(0o700)


def test_names_of_another_system_stay_apart(tmp_path):
    for name in (b"Zo\xeb.json", b"Zo\xe9.json"):
        try:
            open(os.path.join(os.fsencode(tmp_path), name), "wb").close()
        except OSError:
            pytest.skip("this file system takes text only")
    assert [who for _, who in find(tmp_path)] == ["Zo\\xe9", "Zo\\xeb"]


def test_a_name_cannot_steer_a_terminal():
    assert printable("a\x1b[31m\r\nb\u202ec") == "a\ufffd[31m\ufffd\ufffdb\ufffdc"
    assert printable("Ann Öberg 花子 🙂") == "Ann Öberg 花子 🙂"
    assert len(printable("a" * 500)) == 80


def test_a_folder_that_is_none_is_named(tmp_path):
    with pytest.raises(ValueError, match="nowhere is no folder"):
        find(tmp_path / "nowhere")
