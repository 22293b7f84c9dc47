"""The gradebook: it only grows, each grade is in it once, and it keeps one secret."""

import subprocess
import sys
from dataclasses import replace

import pytest

from helpers.exercises import catalog
from helpers.exercises.exercise import FAILED, PASSED
from helpers.grading.gradebook import Grade, Gradebook, seed
from tests.grading import database, school

PASS = Grade("01.1", PASSED, 1, 1, [["holds", "→ 花子 🙂", ""]])
FAIL = Grade("02.2", FAILED, 0, 2, [["fails", "a", "b"], ["", "", "c"]])


@pytest.fixture
def book(tmp_path):
    book = Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}")
    yield book
    book.close()


def test_what_is_written_is_read_in_order_of_exercises(book):
    book.add("花子 🙂", "d", "v", [FAIL, PASS])
    assert book.grades("花子 🙂", "d", "v") == [PASS, FAIL]
    for key in (("花子", "d", "v"), ("花子 🙂", "e", "v"), ("花子 🙂", "d", "w")):
        assert book.grades(*key) == []


def test_the_order_is_the_courses_and_not_the_alphabets(book):
    ids = ["03.1", "03.2", "03.10", "03a.1", "03b.1", "04.1"]
    book.add("ann", "d", "v", [replace(PASS, exercise=id) for id in reversed(ids)])
    assert [grade.exercise for grade in book.grades("ann", "d", "v")] == ids


def test_again_is_the_same_as_once(book):
    book.add("ann", "d", "v", [PASS, FAIL])
    book.add("ann", "d", "v", [PASS, FAIL])
    assert len(school.rows(book)) == 2


def test_what_another_grader_wrote_stays_and_the_rest_is_added(book):
    book.add("ann", "d", "v", [FAIL])
    book.add("ann", "d", "v", [PASS, replace(FAIL, points=1)])
    assert book.grades("ann", "d", "v") == [PASS, FAIL]


def test_a_new_answer_leaves_the_old_grade_in_the_book(book):
    book.add("ann", "old", "v", [FAIL])
    book.add("ann", "new", "v", [PASS])
    assert (book.grades("ann", "old", "v"), book.grades("ann", "new", "v")) == ([FAIL], [PASS])


def test_the_secret_is_made_once_and_kept(tmp_path):
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    secrets = set()
    for _ in range(3):
        book = Gradebook(url)
        secrets |= {book.secret(), book.secret()}
        book.close()
    assert len(secrets) == 1
    assert len(secrets.pop()) == 32


def test_two_gradebooks_draw_different_inputs_and_one_always_the_same(tmp_path):
    books = [Gradebook(f"sqlite:///{tmp_path / name}") for name in ("a.db", "b.db")]
    ids = list(catalog.exercises())

    def seeds():
        return [seed(book.secret(), one, file) for book in books for one in ids for file in "ab"]

    assert len(set(seeds())) == len(seeds()) == 4 * len(ids)
    assert seeds() == seeds()
    assert all(0 <= number < 2**63 for number in seeds())
    for book in books:
        book.close()


TOGETHER = """
import sys, time
from pathlib import Path
from helpers.grading.gradebook import Grade, Gradebook
here = Path(sys.argv[2])
(here / f"ready {sys.argv[3]}").touch()
while not (here / "go").exists():
    time.sleep(0.001)
book = Gradebook(sys.argv[1])
print(book.secret())
for number in range(8):
    book.add(f"learner {number}", "d", "v", [Grade("01.1", "passed", 1, 1, [])])
"""


def start_together(url, folder, number=4):
    """Let several graders open one new gradebook at the same moment; return what they print."""
    folder.mkdir()
    graders = [
        subprocess.Popen(
            [sys.executable, "-c", TOGETHER, url, str(folder), str(one)],
            cwd=catalog.ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for one in range(number)
    ]
    while len(list(folder.glob("ready*"))) < number:
        assert all(grader.poll() is None for grader in graders)
    (folder / "go").touch()
    said = [grader.communicate(timeout=300) for grader in graders]
    assert [errors for _, errors in said] == [""] * number
    return {secret for secret, _ in said}


@pytest.mark.parametrize("attempt", range(2))
def test_graders_that_start_at_the_same_moment_share_one_secret(tmp_path, attempt):
    url = f"sqlite:///{tmp_path / 'gradebook.db'}"
    assert len(start_together(url, tmp_path / "together")) == 1
    book = Gradebook(url)
    assert len(school.rows(book)) == 8
    book.close()


@pytest.fixture(scope="module")
def postgres():
    try:
        with database.server() as url:
            yield url
    except database.NoServer as error:
        pytest.skip(str(error))


def test_postgresql_holds_the_same_rows_as_sqlite(postgres, book, tmp_path):
    other = Gradebook(postgres)
    for one in (book, other):
        one.add("花子 🙂", "d" * 64, "v", [FAIL, PASS])
        one.add("花子 🙂", "d" * 64, "v", [PASS, FAIL])
        one.add("a" * 80, "e", "v", [FAIL])
    assert school.rows(other) == school.rows(book)
    assert other.grades("花子 🙂", "d" * 64, "v") == [PASS, FAIL]
    assert other.secret() == other.secret() != book.secret()
    with other._engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE gradebook")
    other.close()

    assert len(start_together(postgres, tmp_path / "together")) == 1
    again = Gradebook(postgres)
    assert len(school.rows(again)) == 8
    again.close()


@pytest.mark.parametrize("url", ["postgresql://localhost/x", "postgresql+psycopg://localhost/x"])
def test_a_missing_driver_is_told_with_the_remedy(monkeypatch, url):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(
        ValueError, match=r'needs the package psycopg: .*install "psycopg\[binary\]"'
    ):
        Gradebook(url)


@pytest.mark.parametrize(
    "url",
    ["nonsense", "sqlite:////nowhere/x.db", "what://x/y", "postgresql+psycopg://127.0.0.1:1/x"],
)
def test_a_gradebook_that_cannot_be_opened_gives_one_line(url):
    with pytest.raises(ValueError, match="the gradebook cannot be opened") as caught:
        Gradebook(url)
    assert len(str(caught.value).splitlines()) == 1
