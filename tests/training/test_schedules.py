"""The learning rate of each step."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.training.schedules import KINDS, Schedule, cosine_rate


def test_cosine_falls_from_the_start_to_zero():
    rates = [cosine_rate(step, 100, 0.003) for step in range(101)]
    assert rates[0] == 0.003
    assert rates[50] == pytest.approx(0.0015)
    assert rates[100] == pytest.approx(0, abs=1e-12)
    assert all(later < earlier for earlier, later in pairwise(rates))


def rates(schedule):
    return [schedule.rate(step) for step in range(schedule.steps)]


@st.composite
def schedules(draw):
    steps = draw(st.integers(1, 60))
    kind = draw(st.sampled_from(KINDS))
    warm = draw(st.integers(0, steps))
    decay = draw(st.integers(0, steps - warm)) if kind == "wsd" else 0
    return Schedule(0.01, steps, kind, warm=warm, decay=decay)


@given(schedules())
def test_no_step_is_lost_and_none_is_above_the_peak(schedule):
    found = rates(schedule)
    assert all(0 < rate <= schedule.peak for rate in found)
    up, rest = found[: schedule.warm], found[schedule.warm :]
    assert all(a < b for a, b in pairwise(up))
    assert all(a >= b for a, b in pairwise(rest))
    if len(rest) > schedule.decay:  # else it falls as soon as it has risen
        assert rest[0] == schedule.peak


@given(schedules())
def test_the_area_under_each_is_exact(schedule):
    n, warm, decay = schedule.steps - schedule.warm, schedule.warm, schedule.decay
    area = {
        "constant": warm / 2 + n,
        "cosine": warm / 2 + ((n + 1) / 2 if n else 0),
        "wsd": warm / 2 + n - decay / 2,
    }
    assert sum(rates(schedule)) == pytest.approx(schedule.peak * area[schedule.kind])


def test_by_hand():
    assert rates(Schedule(1.0, 6, "wsd", warm=3, decay=1)) == [0.25, 0.5, 0.75, 1, 1, 0.5]
    assert rates(Schedule(1.0, 4, "constant", warm=1)) == [0.5, 1, 1, 1]
    found = rates(Schedule(1.0, 4, "cosine", low=0.1))
    assert found == pytest.approx([1, 0.1 + 0.9 * 0.8535534, 0.55, 0.1 + 0.9 * 0.1464466])


@given(st.integers(1, 40))
def test_without_warm_up_the_cosine_is_that_of_lesson_06(steps):
    assert rates(Schedule(0.003, steps)) == [cosine_rate(i, steps, 0.003) for i in range(steps)]


def test_a_long_wsd_run_shares_its_steps_with_every_shorter_one_until_that_one_decays():
    long = Schedule(0.01, 100, "wsd", warm=5, decay=10)
    for steps in (30, 50, 80):
        short = Schedule(0.01, steps, "wsd", warm=5, decay=10)
        assert rates(short)[:-10] == rates(long)[: steps - 10]
        assert rates(Schedule(0.01, steps, warm=5))[6:] != rates(long)[6:steps]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"peak": 0.0}, "peak is 0.0; give a finite number above 0"),
        ({"steps": 0}, "steps is 0; give a whole number of 1 or more"),
        ({"kind": "linear"}, "kind is 'linear'; allowed are 'constant', 'cosine', 'wsd'"),
        ({"warm": -1}, "warm is -1; give a whole number of 0 or more"),
        ({"decay": 3}, "decay is 3; only kind 'wsd' has one, not 'cosine'"),
        ({"kind": "wsd", "warm": 6, "decay": 5}, "warm 6 and decay 5 are more than steps 10"),
        ({"low": 0.02}, "low is 0.02; give 0 to the peak, 0.01"),
        ({"low": -0.1}, "low is -0.1; give 0 to the peak, 0.01"),
    ],
)
def test_impossible_schedules_are_refused(options, words):
    with pytest.raises(ValueError) as caught:
        Schedule(**{"peak": 0.01, "steps": 10} | options)
    assert words in str(caught.value)


@pytest.mark.parametrize("step", [-1, 10])
def test_a_step_outside_the_run_is_refused(step):
    with pytest.raises(ValueError, match=f"step is {step}; give 0 to 9"):
        Schedule(0.01, 10).rate(step)
