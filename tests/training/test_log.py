"""What a run writes down, and what it says of itself while it goes on."""

import io
import json

import pytest

from helpers.training.log import Log, Progress, Step


def step(number, loss=1.0):
    return Step(number, loss, 2.0, 0.01, 0.003, 64, 0.0, "abc")


def test_columns_lines_and_state_are_the_steps():
    log, other = Log(), Log()
    log.add(step(1, 0.5))
    log.add(step(2, 0.25))
    assert log.column("loss") == [0.5, 0.25] and len(log) == 2
    assert [json.loads(line)["step"] for line in log.lines().splitlines()] == [1, 2]
    other.load_state(log.state())
    assert other.steps == log.steps


def test_a_gap_and_an_unknown_column_are_refused():
    log = Log()
    log.add(step(7))  # a run that goes on may be logged from there
    with pytest.raises(ValueError, match="step 9 comes behind step 7"):
        log.add(step(9))
    with pytest.raises(ValueError, match="a log has no 'lr'; it has step, loss, norm"):
        log.column("lr")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def told(to, seconds, steps=10, done=0):
    """Run the steps with a clock that moves so many seconds a step."""
    now = [100.0]
    progress = Progress(steps, done=done, to=to, clock=lambda: now[0])
    for number in range(done + 1, steps + 1):
        now[0] += seconds
        progress.update(number, 1 / number)
    return to.getvalue()


def test_a_line_every_few_seconds_and_at_the_end():
    lines = told(io.StringIO(), 2.0).splitlines()
    assert lines == [
        "step 3 of 10, loss 0.3333, 0:14 left",
        "step 6 of 10, loss 0.1667, 0:08 left",
        "step 9 of 10, loss 0.1111, 0:02 left",
        "step 10 of 10, loss 0.1000, took 0:20",
    ]


def test_the_time_left_comes_from_the_steps_of_this_call_alone():
    lines = told(io.StringIO(), 60.0, steps=200, done=190).splitlines()
    assert lines[0] == "step 191 of 200, loss 0.0052, 9:00 left"
    assert told(io.StringIO(), 600.0, steps=20).splitlines()[0].endswith("3:10:00 left")


def test_a_terminal_has_a_bar_on_one_line():
    text = told(Terminal(), 1.0, steps=4)
    assert text.count("\r") == 4 and text.count("\n") == 1 and text.endswith("\n")
    assert "\r[############............] step 2 of 4, loss 0.5000, 0:02 left" in text
    # not more often than anyone can read
    assert told(Terminal(), 0.01, steps=100).count("\r") < 15
