"""No disk: refused before anything is fetched, with what is needed and what is free."""

import shutil
from collections import namedtuple

import pytest

from helpers.course import disk
from helpers.course.python_version import SetupError

Usage = namedtuple("Usage", "total used free")


def test_the_cost_is_of_what_is_missing():
    nothing = disk.cost(None, False, False)
    assert nothing == (0, 0)
    assert disk.cost("cpu", False, False) == disk.TORCH["cpu"]
    assert disk.cost("cpu", True, True) == (
        disk.TORCH["cpu"][0] + disk.OTHERS[0] + disk.FOR_TESTS[0],
        disk.TORCH["cpu"][1] + disk.OTHERS[1] + disk.FOR_TESTS[1],
    )


def test_a_fresh_set_up_without_a_gpu_fetches_less_than_one_and_a_half_gigabytes():
    assert disk.cost("cpu", True, True)[0] < 1500 < disk.cost("default", True, True)[0]


def test_gigabytes_are_rounded_up_so_that_they_are_enough():
    assert [disk.gigabytes(n) for n in (1, 371, 400)] == ["0.1 GB", "0.4 GB", "0.4 GB"]


def test_needs_on_one_disk_are_added_and_a_small_disk_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(disk.shutil, "disk_usage", lambda _: Usage(0, 0, 1_000_000_000))
    assert disk.check_room([(str(tmp_path / "not" / "there"), 1000)]) == 1000
    with pytest.raises(SetupError) as caught:
        disk.check_room([(str(tmp_path), 600), (str(tmp_path), 500)], ", or do that")
    said = str(caught.value)
    assert f"1.1 GB in {tmp_path} are needed" in said and "1.0 GB are free" in said
    assert said.endswith("on another disk, or do that.") and "\n" not in said


def test_a_free_disk_is_asked_for_what_it_has(tmp_path):
    free = disk.check_room([(str(tmp_path), 0)])
    assert free == pytest.approx(shutil.disk_usage(tmp_path).free / 1e6, rel=0.05)
