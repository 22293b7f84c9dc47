"""What set-up writes down is there whole, or not at all."""

import json
import os

from helpers.course import notes


def test_a_broken_note_counts_as_none(tmp_path):
    (tmp_path / "stamp").write_text('{"half')
    assert notes.read_json(str(tmp_path / "stamp")) == {}
    notes.write_atomically(str(tmp_path / "stamp"), json.dumps({"a": 1}))
    assert notes.read_json(str(tmp_path / "stamp")) == {"a": 1}
    assert os.listdir(tmp_path) == ["stamp"]


def test_a_file_has_another_fingerprint_once_it_changes(tmp_path):
    (tmp_path / "a").write_text("1")
    before = notes.fingerprint(str(tmp_path / "a"))
    (tmp_path / "a").write_text("2")
    assert notes.fingerprint(str(tmp_path / "a")) != before
