"""Honest timing, with a clock that the tests move, so that no real time decides anything."""

import pytest
import torch

from helpers.benchmark import measuring as benchmark
from helpers.benchmark.measuring import (
    BUSY,
    Measurement,
    NotEqual,
    compare,
    machine,
    measure,
    memory_rise,
    turns,
)


class Clock:
    """A clock that moves only when something takes time."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now

    def takes(self, *seconds, out=None):
        """Return a function whose n-th call takes the n-th time, the last one from then on."""
        calls = []

        def fn():
            self.now += seconds[min(len(calls), len(seconds) - 1)]
            calls.append(self.now)
            return out

        fn.calls = calls
        return fn


def no_load():
    return 0.0


def test_queued_work_is_waited_for_C59():
    clock = Clock()
    queued = []

    def call():
        queued.append(0.020)  # returns at once

    def sync():
        clock.now += sum(queued)
        queued.clear()

    found = measure(call, repeats=5, clock=clock, sync=sync, load=no_load)
    assert found.median == pytest.approx(0.020)
    assert min(found.first, *found.times) >= 0.020 - 1e-9
    # the same without waiting: the work seems to take no time
    assert measure(call, repeats=5, clock=clock, load=no_load).median == 0


def test_work_queued_before_is_not_counted_C59():
    clock = Clock()
    queued = [5.0]

    def sync():
        clock.now += sum(queued)
        queued.clear()

    found = measure(clock.takes(0.001), clock=clock, sync=sync, load=no_load)
    assert found.first == pytest.approx(0.001)


def test_the_first_call_is_reported_apart_C59():
    clock = Clock()
    fn = clock.takes(0.200, 0.001)
    found = measure(fn, repeats=7, clock=clock, load=no_load)
    assert found.first == pytest.approx(0.200)
    assert found.median == pytest.approx(0.001)
    assert max(found.times) < 0.005
    assert len(fn.calls) == 8


@pytest.mark.parametrize("warmup", [1, 2, 5])
def test_warm_up_calls_are_not_timed(warmup):
    clock = Clock()
    fn = clock.takes(*[0.5] * warmup, 0.001)
    found = measure(fn, warmup=warmup, repeats=3, clock=clock, load=no_load)
    assert found.times == pytest.approx([0.001] * 3)
    assert len(fn.calls) == warmup + 3


def test_one_slow_call_does_not_move_the_median_but_shows_in_the_spread():
    clock = Clock()
    found = measure(clock.takes(1, 1, 1, 9, 1, 1), repeats=5, clock=clock, load=no_load)
    assert found.median == pytest.approx(1)
    assert found.spread == pytest.approx(4)
    assert Measurement(0, (0.0,), 0).spread == 0


def test_sides_that_differ_are_never_timed_C59():
    clock = Clock()
    sides = {"slow": clock.takes(2.0, out=[1, 2]), "fast": clock.takes(0.1, out=[1, 3])}
    with pytest.raises(NotEqual, match="'fast' gave another output than 'slow'"):
        compare(sides, same=lambda a, b: a == b, clock=clock, load=no_load)
    assert [len(fn.calls) for fn in sides.values()] == [1, 1]


def test_sides_take_turns_so_that_a_busy_moment_meets_all():
    clock, order = Clock(), []
    sides = {name: (lambda name=name: order.append(name)) for name in "abc"}
    compare(sides, same=None, repeats=3, clock=clock, load=no_load)
    assert "".join(order) == "abc" + "abc" + "bca" + "cab"


def test_each_measurement_carries_the_load_and_says_when_it_was_too_high():
    for load, busy in ((0.0, False), (BUSY, False), (BUSY + 0.01, True), (1.0, True)):
        found = measure(lambda: None, clock=Clock(), load=lambda load=load: load)
        assert found.load == load
        assert found.busy is busy


@pytest.mark.parametrize("options", [{"repeats": 0}, {"warmup": 0}, {"repeats": -1}])
def test_impossible_numbers_are_refused(options):
    with pytest.raises(ValueError, match="give 1 or more of each"):
        measure(lambda: None, load=no_load, **options)
    with pytest.raises(ValueError, match="0 sides"):
        compare({}, same=None)


def test_the_load_is_a_share_and_the_machine_is_named():
    assert 0 <= benchmark.others_load(0.01) <= 1
    found = machine()
    assert found["processor"] and found["cores"] >= 1 and found["threads"] >= 1
    assert set(found) >= {"torch", "python", "system", "level"}


# ---- turns and memory ----------------------------------------------------------------------------


def test_every_turn_holds_every_side_and_begins_with_the_next():
    assert list(turns("abc", 4)) == [*"abc", *"bca", *"cab", *"abc"]
    assert list(turns({"a": 1}, 2)) == ["a", "a"]


def test_memory_that_a_call_took_and_gave_back_is_seen():
    size = 2**26  # numbers of 4 bytes: 256 MiB
    out, rise = memory_rise(lambda: float(torch.ones(size).sum()))
    assert out == size
    if rise is None:
        pytest.skip("this system keeps no count of the most memory")
    assert rise == pytest.approx(4 * size, rel=0.1)
    _, small = memory_rise(lambda: None)  # the peak before is forgotten
    assert small < 4 * size / 10


def test_where_the_system_keeps_no_count_the_call_is_made_all_the_same(monkeypatch):
    def refused(path, text):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(benchmark.Path, "write_text", refused)
    assert memory_rise(lambda: 7) == (7, None)
