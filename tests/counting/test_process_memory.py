"""Peak memory as each system says it, and on one that says nothing."""

import subprocess
import sys
from types import SimpleNamespace

import pytest

from helpers.counting import process_memory
from helpers.counting.process_memory import peak_memory


@pytest.fixture
def no_proc(monkeypatch):
    """As on a system without /proc."""

    def missing(path, *arguments, **options):
        raise FileNotFoundError(path)

    monkeypatch.setattr(process_memory.Path, "read_text", missing)


def usage(kilo_or_bytes):
    return SimpleNamespace(
        RUSAGE_SELF=0, getrusage=lambda who: SimpleNamespace(ru_maxrss=kilo_or_bytes)
    )


@pytest.mark.parametrize(("platform", "wanted"), [("linux", 5000 * 1024), ("darwin", 5000)])
def test_getrusage_counts_bytes_on_macos_and_kib_elsewhere(no_proc, monkeypatch, platform, wanted):
    monkeypatch.setitem(sys.modules, "resource", usage(5000))
    monkeypatch.setattr(sys, "platform", platform)
    assert peak_memory() == wanted


def test_windows_has_no_resource_and_says_its_peak_working_set(no_proc, monkeypatch):
    monkeypatch.setitem(sys.modules, "resource", None)  # importing it fails
    info = SimpleNamespace(peak_wset=777)
    process = SimpleNamespace(memory_info=lambda: info)
    monkeypatch.setitem(sys.modules, "psutil", SimpleNamespace(Process=lambda: process))
    assert peak_memory() == 777
    del info.peak_wset
    assert peak_memory() is None
    monkeypatch.setitem(sys.modules, "psutil", None)
    assert peak_memory() is None


def test_it_is_the_peak_of_this_process_in_bytes_also_of_what_was_given_back():
    code = (
        "import mmap\nfrom helpers.counting import peak_memory\nbefore = peak_memory()\n"
        "only_reserved = mmap.mmap(-1, 500_000_000)\n"
        "block = bytearray(200_000_000)\nwith_block = peak_memory()\ndel block\n"
        "print(before, with_block, peak_memory())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    before, with_block, after = map(int, done.stdout.split())
    assert 190_000_000 < with_block - before < 210_000_000
    assert abs(after - with_block) < 10_000_000  # newer Linux counts roughly, in batches
    assert before < 100_000_000  # not the peak of the one who started it
