"""submit and verify, each as a person types it."""

import json
import os
import stat
import time

import nbformat
import pytest

from helpers import __main__ as command_line
from helpers.exercises import answers, catalog, copies
from helpers.exercises.process import Stopped
from helpers.grading import handing_in, submission
from helpers.lesson_names import lessons_in
from tests.exercises.test_commands import put
from tests.grading import school

ALL = list(catalog.exercises().values())


@pytest.fixture
def work(tmp_path, monkeypatch):
    """Copies of the lessons in a folder of the test's own."""
    monkeypatch.setattr(copies, "WORK", tmp_path / "work")
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "progress.json"))
    copies.bring(copies.LESSONS, tmp_path / "work")
    return tmp_path / "work"


def answer(work, kind):
    for exercise, source in school.answers(kind).items():
        put(work, catalog.find(exercise), source)


def run(*arguments):
    try:
        return command_line.main(list(arguments))
    except SystemExit as ended:
        return ended.code


def test_the_same_answers_give_the_same_bytes(work, capsys):
    answer(work, "mixed")
    assert run("submit") == 0
    first = (work / "submission.json").read_bytes()
    (work / "submission.json").unlink()
    for path in work.glob("*.ipynb"):  # what runs leave behind does not count
        notebook = nbformat.read(path, as_version=4)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.execution_count = 7
        nbformat.write(notebook, path)
    assert run("submit") == 0
    assert (work / "submission.json").read_bytes() == first
    put(work, catalog.find("10.4"), school.right("10.4"))
    assert run("submit") == 0
    assert (work / "submission.json").read_bytes() != first


def test_the_document_holds_answers_versions_and_the_own_checks(work):
    answer(work, "mixed")
    run("submit")
    held = json.loads((work / "submission.json").read_text(encoding="utf-8"))
    assert held["answers"] == {"01.1": school.right("01.1"), "02.2": school.wrong("02.2")}
    assert held["own checks"] == {"01.1": "passed", "02.2": "failed"}
    assert set(held["packages"]) == {"torch", "numpy"}
    for number, path in lessons_in(work).items():
        version = nbformat.read(path, as_version=4).metadata["course"]["version"]
        assert held["lessons"][number] == version


def test_submit_says_what_is_missing_and_what_does_not_pass_yet(work, capsys):
    answer(work, "mixed")
    assert run("submit", "--to", str(work / "mine.json")) == 0
    lines = capsys.readouterr().out.splitlines()
    for lesson in ("01", "02"):
        ids = [e.id for e in ALL if e.lesson == lesson and e.id not in ("01.1", "02.2")]
        assert f"lesson {lesson}: no answer to {', '.join(ids)}" in lines
    rest = dict.fromkeys(e.lesson for e in ALL if e.lesson not in ("01", "02"))
    assert f"no answer in lessons {', '.join(rest)}" in lines
    assert "02.2 is handed in, and its own check does not pass yet" in lines
    assert lines[-1] == f"2 answers, 1 of them pass: {work / 'mine.json'}"


def test_an_empty_folder_is_refused(work, capsys):
    assert run("submit") == 2
    said = capsys.readouterr().err
    assert said == "there is no answer in work/ yet: `make learn` puts your copies there\n"
    assert not (work / "submission.json").exists()


def test_c83_byte_order_mark_line_ends_and_any_script(work, tmp_path, on_a_narrow_console):
    """Also under an ASCII terminal; then the file is read as it was written."""
    source = school.raising("01.1").replace("'→", "'\\n→")
    path = put(work, catalog.find("01.1"), source)
    text = path.read_text(encoding="utf-8").replace("\n", "\r\n")
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    found = handing_in.gather(work)
    assert found.answers["01.1"].source == source
    assert found.versions["01"]
    file = tmp_path / "花子 🙂.json"
    handing_in.write(file, handing_in.document(found.answers, found.versions, {}))
    handed = submission.read(file, file.stem, school.FUNCTIONS)
    assert (handed.learner, handed.answers) == ("花子 🙂", found.answers)
    done = on_a_narrow_console("verify", file)
    assert done.returncode == 0, done.stderr.decode("latin-1")
    assert b"ValueError" in done.stdout
    assert done.stderr == b""


@pytest.mark.parametrize("form", school.FORMS[:2])
def test_verify_checks_the_answers_in_a_file(tmp_path, capsys, form):
    path = school.hand_in(tmp_path, "ann", school.answers("mixed"), form)
    assert run("verify", str(path)) == 0
    said = capsys.readouterr().out
    assert f"01.1 {school.KNOWN['01.1'].title}: solved" in said
    assert f"02.2 {school.KNOWN['02.2'].title}: not yet" in said
    assert said.endswith(f"ann.{path.suffix[1:]} can be handed in; 1 of 2 answers pass\n")
    path = school.hand_in(tmp_path, "bob", {"01.1": school.right("01.1")}, form)
    assert run("verify", str(path)) == 0
    assert capsys.readouterr().out.endswith("1 of 1 answers pass\n")


def test_verify_takes_a_folder_of_notebooks_and_says_what_it_cannot_read(tmp_path, capsys):
    path = school.hand_in(tmp_path, "ann", school.answers("mixed"), "folder")
    (path / "more.ipynb").write_text("{")
    assert run("verify", str(path)) == 0
    said = capsys.readouterr()
    assert "1 of 2 answers pass" in said.out
    assert said.err == "ann: file 4 of 4: it is no JSON document\n"


def test_an_answer_that_takes_long_is_named_meanwhile(monkeypatch):
    monkeypatch.setattr(handing_in, "LONG", 0.01)
    said = []

    class Slow:
        own = True

        def open(self, *_):
            time.sleep(0.5)
            raise Stopped("it took longer than 1 s")

        def close(self):
            pass

    slow = answers.Answer("def floor_bits(language):\n    return language", "floor_bits")
    handing_in.check({"01.1": slow}, Slow(), said.append)
    assert said == ["checking 01.1 ..."]


def test_what_is_no_submission_gives_one_line_and_status_two(tmp_path, capsys):
    (tmp_path / "bad.json").write_text("{")
    cases = {
        ("verify", str(tmp_path / "none.json")): "there is no ",
        ("verify", str(tmp_path / "bad.json")): "bad.json: it is no JSON document",
        ("verify",): "FILE",
        ("submit", "--what"): "--what",
    }
    for arguments, words in cases.items():
        assert run(*arguments) == 2
        said = capsys.readouterr().err
        assert words in said
        assert len(said.splitlines()) == 1, said


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes in folders")
def test_a_place_that_cannot_be_written_is_said_and_left_as_it_is(work, tmp_path, capsys):
    put(work, catalog.find("01.1"), school.right("01.1"))
    (tmp_path / "file").write_text("")
    os.mkfifo(tmp_path / "pipe\x1b[31m")
    (tmp_path / "null").symlink_to("/dev/null")
    cases = {
        str(tmp_path / "file" / "x.json"): "x.json cannot be written: ",
        "": "--to names no file: name a file, such as --to work/submission.json",
        str(tmp_path): "is a folder: name a file",
        "/dev/null": "--to /dev/null is a device or a pipe: name a file",
        str(tmp_path / "null"): "null is a device or a pipe",
        str(tmp_path / "pipe\x1b[31m"): "pipe\ufffd[31m is a device or a pipe",
    }
    for place, words in cases.items():
        assert run("submit", "--to", place) == 2
        said = capsys.readouterr()
        assert words in said.err
        assert (len(said.err.splitlines()), said.out) == (1, "")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert stat.S_ISFIFO(os.stat(tmp_path / "pipe\x1b[31m").st_mode)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no pipes in folders")
def test_what_cannot_be_read_in_work_is_named_and_the_rest_handed_in(work, capsys):
    """One damaged notebook, a pipe that nobody writes to, odd metadata, a name that steers."""
    put(work, catalog.find("01.1"), school.right("01.1"))
    next(work.glob("10_*.ipynb")).write_text("{")
    next(work.glob("11_*.ipynb")).unlink()
    os.mkfifo(work / "11_a\x1b[31m\n.ipynb")
    path = put(work, catalog.find("02.2"), school.wrong("02.2"))
    odd = json.loads(path.read_text(encoding="utf-8"))
    odd["metadata"]["course"] = [1]
    path.write_text(json.dumps(odd), encoding="utf-8")
    assert run("submit") == 1
    said = capsys.readouterr()
    assert said.err.splitlines() == [
        "10_kv_cache.ipynb is left out: it is no JSON document",
        "11_a\ufffd[31m\ufffd.ipynb is left out: it is no file",
    ]
    assert said.out.splitlines()[-1].startswith("2 answers, 1 of them pass: ")
    held = json.loads((work / "submission.json").read_text(encoding="utf-8"))
    assert set(held["answers"]) == {"01.1", "02.2"}
    assert (held["lessons"]["02"], "10" in held["lessons"]) == ("", False)
    (work / "submission.json").unlink()
    for path in work.glob("*.ipynb"):
        path.unlink()
    (work / "01_a.ipynb").write_text("{")
    assert run("submit") == 2
    assert len(capsys.readouterr().err.splitlines()) == 2
    assert not (work / "submission.json").exists()


def test_half_a_sign_in_an_answer_keeps_nothing_from_being_handed_in(work, capsys):
    source = school.right("01.1") + "# \ud800\n"
    put(work, catalog.find("02.2"), school.right("02.2"))
    path = put(work, catalog.find("01.1"), "HERE")
    text = path.read_text(encoding="utf-8")
    assert text.count('"HERE"') == 1
    path.write_text(text.replace('"HERE"', json.dumps(source)), encoding="utf-8")
    assert run("submit") == 0
    assert "2 answers, 2 of them pass" in capsys.readouterr().out
    held = submission.read(work / "submission.json", "ann", school.FUNCTIONS)
    assert held.answers["01.1"].source == source.replace("\ud800", "\ufffd")
