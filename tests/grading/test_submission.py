"""Reading what was handed in: forms, names, rosters, odd encodings, and nothing that is run."""

import json
import os

import pytest

from helpers.exercises import catalog
from helpers.grading import folder, submission
from helpers.lesson_names import lessons_in
from tests.grading import school

LESSONS = lessons_in(catalog.ROOT / "lessons")
ALL = catalog.exercises().values()
SOURCES = {exercise: school.right(exercise) for exercise in school.EXERCISES}


def read(path):
    return submission.read(path, path.stem, school.FUNCTIONS)


def sources(handed):
    return {exercise: answer.source for exercise, answer in handed.answers.items()}


@pytest.mark.parametrize("form", school.FORMS)
def test_the_same_answers_are_read_from_every_form(tmp_path, form):
    handed = read(school.hand_in(tmp_path, "ann", SOURCES, form))
    assert sources(handed) == SOURCES
    assert (handed.learner, handed.problem, handed.remarks) == ("ann", "", {})


@pytest.mark.parametrize("form", school.FORMS)
def test_c83_byte_order_mark_line_ends_and_any_script(tmp_path, form):
    words = "# → é 日本語 🙂\n"
    path = school.hand_in(tmp_path, "ann", {e: words + s for e, s in SOURCES.items()}, form)
    for file in sorted(path.iterdir()) if path.is_dir() else [path]:
        text = file.read_text(encoding="utf-8").replace("\\n", "\\r\\n").replace("\n", "\r\n")
        file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    handed = read(path)
    assert handed.problem == ""
    found = {exercise: source.replace("\r\n", "\n") for exercise, source in sources(handed).items()}
    assert found == {exercise: words + source for exercise, source in SOURCES.items()}


def test_c80_a_cell_without_its_metadata_is_found_by_its_function(tmp_path):
    text = json.loads(school.notebook(SOURCES))
    for cell in text["cells"]:
        cell["metadata"] = {}
    (tmp_path / "ann.ipynb").write_text(json.dumps(text))
    assert sources(read(tmp_path / "ann.ipynb")) == SOURCES


def test_c80_order_and_lost_or_copied_checks_change_nothing(tmp_path):
    text = json.loads(school.notebook(SOURCES))
    checks = [cell for cell in text["cells"] if "check(" in cell["source"][0]]
    answers = [cell for cell in text["cells"] if "exercise" in cell["metadata"]]
    for cells in (answers, answers[::-1], [*checks, *answers, *checks], [*answers, *checks[:1]]):
        (tmp_path / "ann.ipynb").write_text(json.dumps(text | {"cells": cells}))
        assert sources(read(tmp_path / "ann.ipynb")) == SOURCES


def test_c80_of_two_cells_for_one_exercise_the_last_counts_and_that_is_said(tmp_path):
    cells = [school.code("def piece_mask(): return 1", "10.4")]
    cells.append(school.code("def piece_mask(): return 2", "10.4"))
    (tmp_path / "ann.ipynb").write_text(json.dumps({"cells": cells}))
    handed = read(tmp_path / "ann.ipynb")
    assert sources(handed) == {"10.4": "def piece_mask(): return 2"}
    assert handed.remarks["10.4"] == (
        "two different answers were found: cell 2 counts, as the last; the other stands in cell 1"
    )


def test_of_a_file_and_a_newer_notebook_in_one_folder_the_notebook_counts(tmp_path):
    """As when the whole of work/ is handed in, with the document of an earlier make submit."""
    old, new = "def piece_mask(): return 1", "def piece_mask(): return 2"
    school.hand_in(tmp_path / "ann", "submission", {"10.4": old})
    school.hand_in(tmp_path / "ann", "10_kv_cache", {"10.4": new}, "notebook")
    handed = read(tmp_path / "ann")
    assert sources(handed) == {"10.4": new}
    words = "cell 2 of file 2 of 2 counts, as the last; the other stands in file 1 of 2"
    assert words in handed.remarks["10.4"]


def test_a_function_without_an_id_never_counts_for_another_lesson_or_before_an_id(tmp_path):
    other = "def piece_mask(): return 'of the lesson itself'"
    cells = [school.code(SOURCES["01.1"], "01.1"), school.code(other)]
    (tmp_path / "ann").mkdir()
    (tmp_path / "ann" / "01.ipynb").write_text(json.dumps({"cells": cells}))
    assert sources(read(tmp_path / "ann")) == {"01.1": SOURCES["01.1"]}
    school.hand_in(tmp_path / "ann", "10", {"10.4": SOURCES["10.4"]}, "notebook")
    (tmp_path / "ann" / "11.ipynb").write_text(json.dumps({"cells": [school.code(other)]}))
    (tmp_path / "ann" / "09.ipynb").write_text(json.dumps({"cells": [school.code(other)]}))
    assert sources(read(tmp_path / "ann"))["10.4"] == SOURCES["10.4"]


@pytest.mark.parametrize("number", LESSONS)
def test_a_lesson_holds_its_own_exercises_and_no_others(number):
    handed = read(LESSONS[number])
    wanted = {exercise.id for exercise in ALL if exercise.lesson == number}
    assert set(handed.answers) == wanted
    assert (handed.remarks, handed.problem) == ({}, "")


def test_what_unpacking_leaves_a_folder_in_a_folder_is_read(tmp_path):
    school.hand_in(tmp_path / "ann" / "handed in", "a", SOURCES, "notebook")
    (tmp_path / "ann" / "__MACOSX").mkdir()
    assert sources(read(tmp_path / "ann")) == SOURCES
    school.hand_in(tmp_path / "ann" / "another", "b", SOURCES)
    assert read(tmp_path / "ann").problem == "there is no answer in it"


def test_a_document_of_another_format_is_not_guessed_at(tmp_path):
    (tmp_path / "ann.json").write_text(json.dumps({"format": 2, "answers": SOURCES}))
    assert "another version of the course" in read(tmp_path / "ann.json").problem


def test_of_two_files_with_one_exercise_the_last_name_counts_and_that_is_said(tmp_path):
    first, second = "def piece_mask(): return 1", "def piece_mask(): return 2"
    school.hand_in(tmp_path / "ann", "b", {"10.4": second})
    school.hand_in(tmp_path / "ann", "a", {"10.4": first, "01.1": "only"})
    handed = read(tmp_path / "ann")
    assert sources(handed) == {"10.4": second, "01.1": "only"}
    assert set(handed.remarks) == {"10.4"}


def test_an_unknown_exercise_is_no_answer(tmp_path):
    handed = read(school.hand_in(tmp_path, "ann", {"99.9": "x = 1"}))
    assert handed.answers == {}
    assert handed.problem == "there is no answer in it"


@pytest.mark.parametrize(
    "content, words",
    [
        (b"", "no JSON"),
        (b"\xff\xfe", "no JSON"),
        (b"[" * 100_000, "no JSON"),
        (b"[1]", "neither a notebook nor"),
        (b"{}", "neither a notebook nor"),
        (b'{"answers": {"10.4": 5}}', "no answer in it"),
        (b'{"cells": [1, {"cell_type": "code"}, {"cell_type": "code", "source": 1}]}', "no answer"),
        (b" " * (submission.LARGEST + 1), "larger than 5 MB"),
    ],
)
def test_what_cannot_be_read_becomes_a_problem_in_words(tmp_path, content, words):
    (tmp_path / "ann.json").write_bytes(content)
    handed = read(tmp_path / "ann.json")
    assert handed.answers == {}
    assert words in handed.problem


def test_one_damaged_file_of_a_folder_costs_only_itself(tmp_path):
    school.hand_in(tmp_path / "ann", "a", SOURCES)
    (tmp_path / "ann" / "b.ipynb").write_text("{")
    handed = read(tmp_path / "ann")
    assert (sources(handed), handed.problem) == (SOURCES, "file 2 of 2: it is no JSON document")


def test_a_link_counts_as_nothing(tmp_path):
    real = school.hand_in(tmp_path / "others", "bob", SOURCES)
    (tmp_path / "in").mkdir()
    for name, target in (("ann.json", real), ("cy", real.parent)):
        os.symlink(target, tmp_path / "in" / name)
        handed = read(tmp_path / "in" / name)
        assert (handed.answers, handed.problem) == ({}, "there is no answer in it")
    os.symlink(real, real.parent / "more.json")
    assert len(submission.files_of(real.parent)) == 1


def test_the_digest_tells_contents_apart_and_nothing_else(tmp_path):
    first = read(school.hand_in(tmp_path / "a", "ann", SOURCES))
    again = read(school.hand_in(tmp_path / "b", "bob", SOURCES))
    changed = read(school.hand_in(tmp_path / "c", "ann", SOURCES | {"10.4": "x"}))
    assert first.digest == again.digest != changed.digest


def test_whose_it_is_never_comes_from_what_is_in_it(tmp_path):
    path = tmp_path / "ann.json"
    path.write_text(json.dumps({"answers": SOURCES, "learner": "bob", "name": "bob"}))
    ((path, learner),) = folder.find(tmp_path)
    assert submission.read(path, learner, school.FUNCTIONS).learner == "ann"


def test_of_a_long_answer_no_more_is_kept_than_shows_its_length(tmp_path):
    """A folder may hold hundreds of megabytes of them, and many folders are read ahead."""
    folder = tmp_path / "ann"
    folder.mkdir()
    for exercise in SOURCES:
        document = json.dumps({"answers": {exercise: SOURCES[exercise] + "#" * 10**6}})
        (folder / f"{exercise}.json").write_text(document)
    handed = read(folder)
    assert {len(source) for source in sources(handed).values()} == {submission.LONGEST + 1}
    assert all(submission.too_long(answer) for answer in handed.answers.values())
    exact = submission.Answer("#" * submission.LONGEST, "f")
    assert submission.too_long(exact) == ""


def test_a_large_folder_is_read_up_to_a_bound(tmp_path, monkeypatch):
    folder = tmp_path / "ann"
    folder.mkdir()
    for exercise, source in SOURCES.items():
        document = json.dumps({"answers": {exercise: source}})
        (folder / f"{exercise}.json").write_text(document.ljust(2**20))
    monkeypatch.setattr(submission, "ALTOGETHER", 2 * 2**20)
    assert list(read(folder).answers) == list(SOURCES)[:2]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes in folders")
@pytest.mark.parametrize("kind", ["pipe", "link", "folder", "large"])
def test_a_file_that_changes_after_it_was_found_is_not_followed(tmp_path, kind, monkeypatch):
    path, secret = tmp_path / "ann.json", tmp_path / "secret"
    secret.write_text(school.document(SOURCES))
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to(secret)
    elif kind == "folder":
        path.mkdir()
    else:
        with open(path, "wb") as file:
            file.truncate(2**40)  # it takes no space
    monkeypatch.setattr(submission, "files_of", lambda path: [path])  # as if it had been a file
    handed = read(path)
    assert handed.answers == {}
    assert handed.problem


def test_no_two_folders_share_a_digest_by_another_cut_between_their_files(tmp_path):
    """Inputs are drawn from the digest: under one digest, one answer could learn for another."""
    first, second = (school.document({"02.2": text}) for text in ("a", "b"))
    cuts = ([first, second], [f"{first}\0{second}"], [f"{first}{second}"], [first, second, ""])
    broken, large = "it is no JSON document", "it is larger than 5 MB"
    cuts += ([first, second, f"{broken}\0{large}"], [f"{first}\0{second}", large])
    digests = set()
    for number, contents in enumerate(cuts):
        folder = tmp_path / str(number)
        folder.mkdir()
        for name, content in enumerate(contents):
            (folder / f"{name}.json").write_text(content)
        digests.add(submission.read(folder, "ann", school.FUNCTIONS).digest)
    assert len(digests) == len(cuts)
