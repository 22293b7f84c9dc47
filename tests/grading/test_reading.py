"""What was read before and has not changed is not read again; whatever changed is."""

import json
import os
import time

import pytest

from helpers.grading import reading
from tests.grading import school

SOURCES = {"01.1": "def floor_bits(x): ..."}
pytestmark = pytest.mark.skipif(os.name != "posix", reason="only there times tell every change")


@pytest.fixture
def read(tmp_path, monkeypatch):
    """Return a function, a run with the record; it returns (what was read, submissions)."""
    done = []

    def noted(path, learner, functions):
        done.append(path.name)
        return real(path, learner, functions)

    real = reading.read
    monkeypatch.setattr(reading, "read", noted)

    def run(*paths, version="v", later=True):
        done.clear()
        if later:  # as if more than a moment had passed since the files were written
            monkeypatch.setattr(reading, "MOMENT", -(10**18))
        record, found = reading.Record(tmp_path / "read.json", version), []
        for path in paths:
            one = record.known(path, path.stem) or record.read(path, path.stem, school.FUNCTIONS)
            found.append((one.learner, one.name, one.digest, one.problems))
        record.save()
        return [*done], found

    return run


@pytest.fixture
def paths(tmp_path):
    folder = tmp_path / "in"
    made = [
        school.hand_in(folder, learner, SOURCES, form)
        for form, learner in zip(school.FORMS, ("ann", "bob", "cy"), strict=True)
    ]
    (folder / "no.json").write_text("{")
    return [*made, folder / "no.json"]


def test_what_is_unchanged_is_not_read_again_and_is_known_by_the_same_facts(read, paths):
    names = [path.name for path in paths]
    first = read(*paths)
    assert first[0] == names
    assert read(*paths) == ([], first[1])
    assert read(*paths, version="another version of the checks")[0] == names


def rewritten(path):
    path.write_text(path.read_text().replace("floor", "flour"))


def rewritten_with_the_old_time(path):
    """As unpacking a zip file does it: the same size, and the time that the zip file says."""
    before = path.stat()
    rewritten(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert (path.stat().st_size, path.stat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
    assert path.stat().st_ino == before.st_ino


def replaced(path):
    new = path.with_name("new")
    new.write_text(path.read_text().replace("floor", "flour"))
    os.utime(new, ns=(path.stat().st_atime_ns, path.stat().st_mtime_ns))
    new.replace(path)


@pytest.mark.parametrize("change", [rewritten, rewritten_with_the_old_time, replaced])
def test_whatever_changes_is_read_again(read, paths, change):
    _, before = read(*paths)
    time.sleep(0.02)  # a file system's time goes in steps
    change(paths[0])
    change(paths[2] / "00.ipynb")
    again, after = read(*paths)
    assert again == ["ann.json", "cy"]
    assert [old != new for old, new in zip(before, after, strict=True)] == [
        True,
        False,
        True,
        False,
    ]


def test_a_file_more_less_or_under_another_name_in_a_folder_is_a_change(read, paths):
    folder = paths[2]
    read(folder)
    (folder / "01.json").write_text(school.document({"02.2": "x"}))
    assert read(folder)[0] == ["cy"]
    (folder / "01.json").rename(folder / "02.json")
    assert read(folder)[0] == ["cy"]
    (folder / "02.json").unlink()
    assert read(folder)[0] == ["cy"]
    assert read(folder)[0] == []


def test_what_changed_a_moment_ago_is_read_again(read, paths):
    """One more change within a step of the file system's clock would leave the same time."""
    assert read(paths[0], later=False)[0] == ["ann.json"]
    assert read(paths[0], later=False)[0] == ["ann.json"]


def test_what_changes_while_it_is_read_is_read_again(read, paths, monkeypatch):
    real = reading.read

    def changing(path, learner, functions):
        one = real(path, learner, functions)
        time.sleep(0.02)
        rewritten(path)
        return one

    monkeypatch.setattr(reading, "read", changing)
    read(paths[0])
    monkeypatch.setattr(reading, "read", real)
    assert read(paths[0])[0] == ["ann.json"]


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"7", b"\xff", b'{"version": 1}', b"[" * 100_000, b'{"version": null}'],
)
def test_a_damaged_record_counts_as_empty(read, paths, tmp_path, content):
    read(*paths)
    (tmp_path / "read.json").write_bytes(content)
    assert len(read(*paths)[0]) == len(paths)


@pytest.mark.parametrize("entry", [None, 7, [], [[], "d"], ["a", "b", "c"], {"a": 1}])
def test_a_damaged_entry_counts_as_none(read, paths, tmp_path, entry):
    read(*paths)
    record = json.loads((tmp_path / "read.json").read_text())
    record["submissions"] = dict.fromkeys(record["submissions"], entry)
    (tmp_path / "read.json").write_text(json.dumps(record))
    assert len(read(*paths)[0]) == len(paths)


def test_a_record_that_cannot_be_written_costs_only_time(read, paths, tmp_path):
    (tmp_path / "read.json").mkdir()
    assert len(read(*paths)[0]) == len(read(*paths)[0]) == len(paths)


def test_a_code_that_reads_otherwise_makes_the_record_old(read, paths, monkeypatch):
    read(*paths)
    monkeypatch.setattr(reading, "_code", lambda: "other")
    assert len(read(*paths)[0]) == len(paths)
