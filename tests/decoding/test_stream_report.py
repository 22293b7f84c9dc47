"""What a stream reports of itself, on a clock that the test turns."""

import pytest
import torch

from helpers.decoding import stream_report
from helpers.decoding.generation import stream
from helpers.decoding.stream_report import StreamReport, TimedSteps
from helpers.languages.language import BOS, EOS
from tests.stub_models import Scripted


class Clock:
    """Stands still until it is turned."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


class Slow(Scripted):
    """Takes seconds for each pass: these one after the other."""

    def __init__(self, scripts, clock, seconds):
        super().__init__(scripts)
        self.clock, self.seconds = clock, seconds

    def next_logits(self, tokens, token_mask=None):
        self.clock.now += self.seconds[self.forwards]
        return super().next_logits(tokens, token_mask)


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setattr(stream_report, "peak_memory", lambda: 1234)
    return Clock()


def timed(scripts, clock, seconds):
    model = Slow(scripts, clock, seconds)
    steps = stream(model, torch.full((len(scripts), 1), BOS), max_new_tokens=4, temperature=0)
    return TimedSteps(steps, clock)


def test_time_to_the_first_token_and_tokens_a_second_behind_it(clock):
    steps = timed([[7, 7, 7, EOS]], clock, [3.0, 0.5, 0.25, 0.25])
    assert steps.report == StreamReport(0, None, None, 1234)
    next(steps)
    assert steps.report == StreamReport(1, 3.0, None, 1234)
    next(steps)
    assert steps.report == StreamReport(2, 3.0, 2.0, 1234)
    assert [step.tokens.tolist() for step in steps] == [[7], [EOS]]
    assert steps.report == StreamReport(4, 3.0, 3.0, 1234)
    assert next(steps, None) is None
    assert steps.report == StreamReport(4, 3.0, 3.0, 1234)


def test_tokens_of_all_rows_count_and_no_padding_behind_their_ends(clock):
    steps = timed([[7, EOS, 7, 7], [7, 7, 7, 7], [EOS, 7, 7, 7]], clock, [1.0] * 4)
    given = [step.tokens.tolist() for step in steps]
    assert len(given) == 4
    assert steps.report == StreamReport(7, 1.0, (2 + 1 + 1) / 3, 1234)


def test_the_time_of_who_looks_at_the_steps_does_not_count(clock):
    steps = timed([[7, 7, 7, 7]], clock, [1.0] * 4)
    clock.now += 50
    for _ in steps:
        clock.now += 50
    assert steps.report == StreamReport(4, 1.0, 1.0, 1234)


def test_a_clock_that_stands_still_gives_no_rate(clock):
    steps = timed([[7, 7, 7, 7]], clock, [0.0] * 4)
    assert len(list(steps)) == 4
    assert steps.report == StreamReport(4, 0.0, None, 1234)


def test_the_steps_are_the_same_and_real_figures_are_there():
    model = Scripted([[7, 8, EOS]])
    tokens = torch.tensor([[BOS]])
    plain = [(step.tokens, step.reasons) for step in stream(model, tokens, temperature=0)]
    steps = TimedSteps(stream(model, tokens, temperature=0))
    assert [(step.tokens, step.reasons) for step in steps] == plain
    report = steps.report
    assert report.new_tokens == 3 and report.seconds_to_first_token > 0
    assert report.tokens_per_second > 0 and report.peak_bytes > 10_000_000
