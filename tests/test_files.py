"""A file is there whole, old or new, whatever happens while it is written."""

import os

import pytest

from helpers.files import write_whole


@pytest.mark.parametrize("content", ["→ あ\r\nline\n", b"\x00\xff\r\n", "", b""])
def test_a_file_is_written_as_it_is_given(tmp_path, content):
    path = tmp_path / "a.json"
    for _ in range(2):
        write_whole(path, content)
        assert path.read_bytes() == (content if isinstance(content, bytes) else content.encode())
    assert os.listdir(tmp_path) == ["a.json"]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_full_disk_leaves_the_old_file_and_nothing_beside_it(tmp_path, monkeypatch, step):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    path = tmp_path / "a.json"
    write_whole(path, "old")
    monkeypatch.setattr(os, step, full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(path, "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.json"]


def test_the_old_file_stays_until_the_new_one_is_whole(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    write_whole(path, "old")
    seen = []
    replace = os.replace

    def look(source, target):
        seen.append((path.read_text(), source.read_text()))
        replace(source, target)

    monkeypatch.setattr(os, "replace", look)
    write_whole(path, "new")
    assert seen == [("old", "new")]
    assert path.read_text() == "new"
