"""Points, rows and ratios: turns, the arithmetic of times, and what is compared with what."""

import itertools
from dataclasses import replace

import pytest
import torch

from helpers.benchmark import decoding_speed
from helpers.benchmark.decoding_quality import named
from helpers.benchmark.decoding_speed import (
    GRID,
    NEW,
    WARM,
    guessed_seconds,
    measure_point,
    memory_bandwidth,
    ratio,
    ratios,
    runs_of,
    seconds_of,
    speed_of,
)
from helpers.benchmark.decoding_systems import (
    FILE_BITS,
    LIBRARY,
    LLAMA,
    OURS,
    STATIC,
    Run,
    System,
)

FIELDS = {
    "system", "precision", "batch", "prompt_tokens", "new_tokens", "tokens_per_second",
    "seconds_to_first_token", "seconds", "peak_bytes", "fraction_of_bandwidth", "equal_rows",
    "load", "spread", "times",
}  # fmt: skip


def test_memory_is_read_at_a_plausible_speed():
    assert 1e8 < memory_bandwidth(2**20, repeats=3) < 1e13


def test_long_runs_are_repeated_less_often_and_never_less_than_asked_for():
    assert [runs_of(*point, NEW, 6) for point in GRID] == [6, 6, 3, 2, 2, 2]
    assert {runs_of(*point, NEW, 1) for point in GRID} == {1}
    assert runs_of(32, 512, NEW, 2) == 2


def test_the_whole_grid_is_guessed_to_take_about_half_an_hour():
    seconds = sum(guessed_seconds(*point, NEW, 6, 9) for point in GRID)
    assert 20 * 60 < seconds < 50 * 60


# ---- a point -------------------------------------------------------------------------------------


def test_a_point_has_a_row_for_every_system(systems, ids):
    rows = measure_point(systems, ids, (3, 9), repeats=2, bandwidth=1e9, new=5)
    assert [(r["system"], r["precision"]) for r in rows] == [(s.name, s.precision) for s in systems]
    for row, system in zip(rows, systems, strict=True):
        assert set(row) == FIELDS
        assert (row["batch"], row["prompt_tokens"], row["new_tokens"]) == (3, 9, 5)
        assert len(row["times"]["first"]) == len(row["times"]["seconds"]) == 2
        assert row["peak_bytes"] is None or row["peak_bytes"] >= system.held
        assert 0 <= row["load"] <= 1 and 0 <= row["equal_rows"] <= 3
    assert {r["equal_rows"] for r in rows if r["precision"] == "float32"} == {3}


def stub(name, precision="float32", rows=None, order=None, tokens=None, seconds=4.0):
    """A system that says fixed tokens in fixed times."""

    def decode(prompt, new):
        if order is not None:
            order.append((name, *prompt.shape, new))
        said = torch.arange(new).expand(len(prompt), new) if tokens is None else tokens
        return Run(said, 1.0, seconds)

    return System(name, precision, decode, None, held=1000, read=800, entry=10, rows=rows)


def test_sides_take_turns_after_a_short_run_of_each(ids):
    order, told = [], []
    sides = [stub(name, order=order) for name in (LIBRARY, OURS)]
    measure_point(
        sides, ids, (2, 20), repeats=3, bandwidth=1e9, new=4, told=lambda: told.append(len(order))
    )
    short, whole = (2, WARM, 2), (2, 20, 4)
    a, b = LIBRARY, OURS
    assert [name for name, *_ in order] == [a, b, a, b, b, a, a, b]
    assert [tuple(shape) for _, *shape in order] == [short] * 2 + [whole] * 6
    assert told == [3, 4, 5, 6, 7, 8]


def test_a_system_that_takes_one_prompt_has_rows_at_batch_1_only(ids):
    sides = [stub(LIBRARY), stub(LLAMA, FILE_BITS, rows=1)]
    for batch, wanted in ((1, [LIBRARY, LLAMA]), (2, [LIBRARY])):
        rows = measure_point(sides, ids, (batch, 9), repeats=1, bandwidth=1e9, new=4)
        assert [row["system"] for row in rows] == wanted


def test_rows_that_say_what_the_library_says_in_float32_are_counted(ids):
    said = torch.arange(4).repeat(3, 1)
    said[1, 3] = 9
    sides = [stub(LIBRARY), stub(OURS, tokens=said)]
    rows = measure_point(sides, ids, (3, 9), repeats=1, bandwidth=1e9, new=4)
    assert [row["equal_rows"] for row in rows] == [3, 2]


def test_a_text_that_ended_early_is_not_timed_as_a_whole_one(ids):
    sides = [stub(LIBRARY), stub(OURS, tokens=torch.zeros(2, 3))]
    with pytest.raises(RuntimeError, match=r"ours float32 gave \[2, 3\] tokens, not \[2, 4\]"):
        measure_point(sides, ids, (2, 9), repeats=1, bandwidth=1e9, new=4)


def test_peak_is_what_is_held_and_the_largest_rise_or_unknown(ids, monkeypatch):
    for rises, wanted in (([5, 70, 6], 1070), ([5, None, 6], None)):
        following = iter(rises)
        monkeypatch.setattr(
            decoding_speed, "memory_rise", lambda fn, following=following: (fn(), next(following))
        )
        (row,) = measure_point([stub(LIBRARY)], ids, (1, 9), repeats=3, bandwidth=1e9, new=4)
        assert row["peak_bytes"] == wanted


def test_the_memory_of_a_large_cache_is_in_the_peak(systems, ids):
    system = named(systems, OURS, "float32")
    kept = []

    def decode(tokens, new):
        kept[:] = [torch.ones(2**24)]  # 64 MiB
        run = system.decode(tokens, new)
        kept.clear()
        return run

    sides = [replace(named(systems, LIBRARY, "float32"), decode=decode)]
    (row,) = measure_point(sides, ids, (1, 9), repeats=1, bandwidth=1e9, new=3)
    if row["peak_bytes"] is not None:
        assert row["peak_bytes"] - sides[0].held == pytest.approx(2**26, rel=0.2)


def test_what_times_say():
    runs = [Run(torch.zeros(2, 5), first, seconds) for first, seconds in ((1, 9), (2, 6), (3, 8))]
    found = speed_of(stub(OURS), runs, (2, 10), bandwidth=100.0)
    assert found["times"] == {"first": [1, 2, 3], "seconds": [9, 6, 8]}
    # decoding took 8, 4 and 5 seconds, for 4 tokens of 2 rows
    assert found["tokens_per_second"] == pytest.approx(8 / 5)
    assert (found["seconds_to_first_token"], found["seconds"]) == (2, 8)
    assert found["spread"] == pytest.approx(1.5 / 8, abs=1e-4)
    # a step reads 800 bytes of weights, and for 2 rows 10 bytes for each of 12.5 tokens
    assert found["fraction_of_bandwidth"] == pytest.approx((800 + 250) * 4 / 5 / 100, abs=1e-4)


# ---- ratios --------------------------------------------------------------------------------------


def row(system, precision, point=(1, 64), first=(1.0,), seconds=(2.0,)):
    return {
        "system": system,
        "precision": precision,
        "batch": point[0],
        "prompt_tokens": point[1],
        "times": {"first": list(first), "seconds": list(seconds)},
    }


def test_a_ratio_is_taken_within_turns():
    slow = row(LIBRARY, "float32", first=[1, 10, 2], seconds=[3, 50, 10])
    fast = row(OURS, "float32", first=[1, 5, 1], seconds=[2, 30, 5])
    assert seconds_of(slow["times"], "decode") == [2, 40, 8]
    assert ratio(slow, fast, "all in") == pytest.approx(50 / 30, abs=1e-3)
    assert ratio(slow, fast, "prefill") == 2
    assert ratio(slow, fast, "decode") == 2


def test_the_comparisons_by_name():
    points = itertools.product(((1, 64), (1, 512), (32, 64)), ("float32", "bfloat16", "int4"))
    rows = [row(OURS, precision, point) for point, precision in points]
    for point in ((1, 64), (1, 512), (32, 64)):
        rows += [row(LIBRARY, p, point, [2.0], [6.0]) for p in ("float32", "bfloat16")]
    rows.append(row(LLAMA, FILE_BITS, (1, 64), [3.0], [4.5]))
    short, batch = "batch 1, prompt 64", "batch 32, prompt 64"
    assert ratios(rows) == {
        f"all in, {short}: transformers float32 / ours float32": 3,
        f"all in, {short}: transformers float32 / ours bfloat16": 3,
        f"all in, {short}: transformers float32 / ours int4": 3,
        f"decode, {short}: llama.cpp Q4_1 / ours int4": 1.5,
        f"all in, {short}: llama.cpp Q4_1 / ours int4": 2.25,
        f"decode, {batch}: transformers float32 / ours float32": 4,
        f"decode, {batch}: transformers bfloat16 / ours bfloat16": 4,
        f"all in, {batch}: transformers float32 / ours float32": 3,
        f"all in, {batch}: transformers bfloat16 / ours bfloat16": 3,
        "prefill, batch 1, prompt 512: transformers float32 / ours float32": 2,
        "prefill, batch 1, prompt 512: transformers bfloat16 / ours bfloat16": 2,
    }


def test_the_library_stands_with_its_faster_cache():
    rows = [row(OURS, "float32"), row(LIBRARY, "float32", seconds=[8.0])]
    (before,) = ratios(rows).values()
    (after,) = ratios([*rows, row(STATIC, "float32", seconds=[6.0])]).values()
    assert (before, after) == (4, 3)
    (slower,) = ratios([*rows, row(STATIC, "float32", seconds=[9.0])]).values()
    assert slower == before


def test_without_rows_there_is_nothing_to_compare():
    assert ratios([]) == {} and ratios([row(OURS, "float32")]) == {}
