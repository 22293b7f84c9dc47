"""The two tiers: what is left out, what is drawn, and what a run says at its end."""

import os
import subprocess
import sys

import pytest

from tests import tiers

TESTS = """
import pytest
from hypothesis import given, strategies as st
from tests.tiers import examples

drawn = []

@pytest.mark.thorough
def test_long():
    pass

@examples(40)
@given(st.integers())
def test_property(n):
    drawn.append(n)

def test_how_many_were_drawn():
    print("drawn", len(drawn))
    assert len(drawn) in (10, 40)

@pytest.mark.parametrize("n", [1, 2, 3])
def test_skipped(n):
    pytest.skip("there is no bwrap here")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tiers")
    (folder / "test_some.py").write_text(TESTS)
    return folder


def ran(folder, tier):
    """Run the tests of the folder as one tier; return what was said."""
    command = [sys.executable, "-m", "pytest", "-c", os.devnull, "-p", "tests.tiers", "-s"]
    command += ["-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)]
    environment = os.environ | {"COURSE_TESTS": tier, "PYTHONPATH": str(tiers.TIMES.parents[1])}
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_quick_tier_leaves_long_tests_out_and_draws_a_quarter(folder):
    said = ran(folder, "")
    assert "1 deselected" in said and "2 passed" in said
    assert "drawn 10\n" in said


def test_the_whole_tier_runs_and_draws_everything(folder):
    said = ran(folder, "all")
    assert "deselected" not in said and "3 passed" in said
    assert "drawn 40\n" in said


def test_a_skip_is_told_once_and_the_run_ends_with_what_it_did_not_try(folder):
    said = ran(folder, "")
    assert said.count("there is no bwrap here") == 1
    assert "skipped 3: there is no bwrap here" in said
    assert "This run did not try the sandbox: see the reason above." in said
    assert "the real model" not in said


def test_what_is_left_is_estimated_by_the_times_of_the_last_run(monkeypatch, capsys):
    clock = [0.0]
    monkeypatch.setattr(tiers.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(tiers.Told, "known", staticmethod(lambda _: {"a": 30.0, "b": 90.0}))
    told = tiers.Told(None)
    told.pytest_xdist_node_collection_finished(None, ["a", "b"])
    clock[0] = 60.0  # the first took twice as long as the last time
    told.pytest_runtest_logreport(report("a"))
    assert capsys.readouterr().out == "\n  25% done, about 3 min left\n"


def report(name):
    """Return a report as pytest gives it at the end of a test."""

    class Report:
        nodeid, when, duration, skipped, longrepr = name, "teardown", 1.0, False, None

    return Report()


def test_a_damaged_file_of_times_is_no_hindrance(monkeypatch, tmp_path):
    monkeypatch.setattr(tiers, "TIMES", tmp_path / "times.json")
    for text in ("", "[1]", '{"a": "x"}'):
        tiers.TIMES.write_text(text)
        assert tiers.Told(None).times == {}


def test_times_are_told_in_words():
    assert [tiers.in_words(s) for s in (0.4, 89, 91, 600)] == ["0 s", "89 s", "2 min", "10 min"]
