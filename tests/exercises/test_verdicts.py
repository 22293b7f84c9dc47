"""One verdict over forty seeds, and the record of what held."""

import json
from dataclasses import dataclass

import pytest

from helpers.exercises import catalog
from helpers.exercises.answers import Answer
from helpers.exercises.exercise import FAILED, PASSED
from tests.exercises import verdicts
from tests.exercises.test_gates import those_that_changed

# the first sweep over a lesson takes minutes: these wait for it
NOT_YET = {f"{number:02}" for number in range(18, 23)}
RECORDED = {path.stem for path in verdicts.RECORDS.glob("*.json")}
SWEPT = [one for one in catalog.exercises().values() if one.lesson in RECORDED]


def test_every_lesson_was_swept_but_those_that_wait():
    assert {one.lesson for one in catalog.exercises().values()} - RECORDED <= NOT_YET


@pytest.mark.thorough
@pytest.mark.parametrize("exercise", SWEPT, ids=lambda exercise: exercise.id)
def test_what_is_not_recorded_has_one_verdict_over_forty_seeds(exercise, process, tmp_path):
    """Only what has changed is tried; `python -m tests.exercises.verdicts` records it."""
    record = verdicts.Record(exercise.lesson)
    record.path = tmp_path / "record.json"
    assert not verdicts.sweep(exercise, process, record, print)


@dataclass
class Lucky:
    """An exercise whose check fails one answer on a single seed."""

    id: str = "02.2"
    lesson: str = "02"
    function: str = "window_matrix"
    calls: int = 0

    def check(self, answer, process, seed, first_fault_ends):
        self.calls += 1
        good = answer.source == "right" or (answer.source == "lucky" and seed == 39)
        return type("Report", (), {"state": PASSED if good else FAILED})


@pytest.fixture
def lucky(monkeypatch):
    kept = {"reference": ("right", PASSED), "planted lucky": ("lucky", FAILED)}
    monkeypatch.setattr(
        verdicts,
        "answers",
        lambda _: [(n, Answer(s, "f"), state) for n, (s, state) in kept.items()],
    )
    return Lucky(), kept


def test_an_answer_with_two_verdicts_is_named_and_tried_again(lucky, tmp_path):
    exercise, kept = lucky
    for _ in range(2):
        exercise.calls = 0
        record, said = verdicts.Record("02", tmp_path), []
        found = verdicts.sweep(exercise, None, record, said.append)
        assert found == said == ["02.2 planted lucky: not failed with seeds [39]"]
    assert exercise.calls == 40  # the reference is not tried again
    kept["planted lucky"] = "wrong", FAILED
    assert verdicts.sweep(exercise, None, verdicts.Record("02", tmp_path), print) == []
    assert verdicts.Record("02", tmp_path).changed(exercise) == []


def test_a_changed_check_or_answer_is_tried_and_what_is_gone_is_forgotten(
    lucky, tmp_path, monkeypatch
):
    exercise, kept = lucky
    kept["planted lucky"] = "wrong", FAILED
    verdicts.sweep(exercise, None, verdicts.Record("02", tmp_path), print)
    kept["reference"] = "right", PASSED
    del kept["planted lucky"]
    record = verdicts.Record("02", tmp_path)
    assert record.changed(exercise) == []
    record.keep(exercise, [])
    assert [*json.loads((tmp_path / "02.json").read_text())["02.2"]] == ["check", "reference"]
    kept["reference"] = "lucky", FAILED
    assert [name for name, *_ in record.changed(exercise)] == ["reference"]
    kept["reference"] = "right", PASSED
    monkeypatch.setattr(verdicts, "check_digest", lambda _: "another")
    assert [name for name, *_ in record.changed(exercise)] == ["reference"]


def test_a_checks_digest_holds_its_file_what_its_lesson_shares_and_the_rules(monkeypatch, tmp_path):
    exercise = catalog.find("02.2")
    read, seen = type(tmp_path).read_text, []
    monkeypatch.setattr(
        type(tmp_path), "read_text", lambda p, **more: (seen.append(p.name), read(p, **more))[1]
    )
    verdicts.check_digest(exercise)
    assert {*seen} == {"window_matrix.py", "shared.py", "expect.py"}


def test_wrong_words_are_named(capsys):
    assert verdicts.main(["99.9"]) == 2
    assert "99.9" in capsys.readouterr().err


def test_the_quick_tier_tries_what_changed_and_leaves_the_rest_to_test_all(monkeypatch):
    changed = {"02.1", "02.3"}
    monkeypatch.setattr(
        verdicts.Record, "changed", lambda self, one: [one.id] if one.id in changed else []
    )
    found = {one.values[0].id: {mark.name for mark in one.marks} for one in those_that_changed()}
    assert {id for id, marks in found.items() if not marks} == changed
    assert {frozenset(m) for id, m in found.items() if id not in changed} == {
        frozenset({"thorough"})
    }
    assert list(found) == list(catalog.exercises())
