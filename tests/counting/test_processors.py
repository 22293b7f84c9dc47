"""D24: never more workers or threads than the quota of a container pays for."""

import os
import subprocess
import sys

import pytest

from helpers.benchmark import cache_grid, decoding, measuring, training_step
from helpers.counting import processors
from helpers.course import lesson_runner
from helpers.grading import batch
from tests.notebooks import code, write

MANY = set(range(64))


@pytest.fixture
def many(monkeypatch):
    """A host of 64 cores."""
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: MANY, raising=False)


def system(folder, group, **files):
    """Write the files of a system: the groups of the process, and quotas by their paths."""
    for name, text in {"proc/self/cgroup": group, **files}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return folder


def test_without_quotas_it_is_the_cores_that_may_be_used(many, tmp_path, monkeypatch):
    assert processors.available(tmp_path) == 64
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3, 5}, raising=False)
    assert processors.available(tmp_path) == 2
    monkeypatch.delattr(os, "sched_getaffinity")
    assert processors.available(tmp_path) == 64
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert processors.available(tmp_path) == 1


@pytest.mark.parametrize(
    "text, cores",
    [
        ("200000 100000", 2),
        ("max 100000", 64),
        ("150000 100000", 1),
        ("50000 100000", 1),
        ("350000 100000", 3),
        ("6400000 50000", 64),
        ("", 64),
        ("max", 64),
        ("0 0", 64),
        ("-1 100000", 64),
        ("words", 64),
    ],
)
def test_d24_a_quota_of_the_second_version_binds(many, tmp_path, text, cores):
    """As a container sees it, whose own group is the root."""
    assert (
        processors.available(system(tmp_path, "0::/", **{"sys/fs/cgroup/cpu.max": text})) == cores
    )


def test_d24_the_smallest_quota_of_the_groups_around_binds(many, tmp_path):
    files = {"a/b/cpu.max": "max 100000", "a/cpu.max": "300000 100000", "cpu.max": "900000 100000"}
    files = {f"sys/fs/cgroup/{name}": text for name, text in files.items()}
    assert processors.available(system(tmp_path, "0::/a/b", **files)) == 3
    files["sys/fs/cgroup/a/b/cpu.max"] = "200000 100000"
    assert processors.available(system(tmp_path, "0::/a/b", **files)) == 2
    assert processors.available(system(tmp_path, "0::/../../x", **files)) == 9


@pytest.mark.parametrize("folder", ["cpu,cpuacct", "cpu", "cpu,cpuacct/docker/abc"])
@pytest.mark.parametrize("quota, cores", [("200000", 2), ("-1", 64), ("250000", 2)])
def test_d24_a_quota_of_the_first_version_binds(many, tmp_path, folder, quota, cores):
    """In a container the process's place is the host's name for it, and only the root is there."""
    files = {
        f"sys/fs/cgroup/{folder}/cpu.cfs_quota_us": quota,
        f"sys/fs/cgroup/{folder}/cpu.cfs_period_us": "100000",
        "sys/fs/cgroup/memory/cpu.max": "100000 100000",
    }
    group = "5:memory:/docker/abc\n4:cpu,cpuacct:/docker/abc\n0::/docker/abc\nnonsense"
    assert processors.available(system(tmp_path, group, **files)) == cores


def test_torch_gets_no_more_threads_than_that(monkeypatch):
    code = (
        "import os, torch\nfrom helpers.counting import processors\ntorch.set_num_threads(8)\n"
        "processors.available = lambda: 2\nprint(processors.limit_torch())\n"
        "torch.set_num_threads(1)\nprint(processors.limit_torch(), torch.get_num_threads())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "1", "1"]


def test_d24_started_programs_get_the_number_where_it_is_less_than_the_cores(many, monkeypatch):
    monkeypatch.setattr(processors, "available", lambda: 64)
    assert processors.variables({"A": "b"}) == {"A": "b"}
    monkeypatch.setattr(processors, "available", lambda: 2)
    assert processors.variables({"A": "b"}) == {"A": "b", "OMP_NUM_THREADS": "2"}
    assert processors.variables({"OMP_NUM_THREADS": "1"}) == {"OMP_NUM_THREADS": "1"}


class Asked(Exception):
    """It was asked how many threads there may be."""


def test_d24_grading_and_benchmarks_ask_it(monkeypatch):
    monkeypatch.setattr(processors, "available", lambda: 3)
    executor, workers = batch.local()
    executor.shutdown()
    assert (workers, batch.local(5)[1]) == (3, 5)
    assert measuring.machine()["cores"] == 3

    def asked():
        raise Asked

    monkeypatch.setattr(processors, "limit_torch", asked)
    for benchmark in (cache_grid, decoding, training_step):
        with pytest.raises(Asked):
            benchmark.main([])


def test_d24_kernels_of_lessons_get_the_number(monkeypatch, tmp_path):
    monkeypatch.setattr(processors, "available", lambda: 1)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    asks = code("import os; print(os.environ.get('OMP_NUM_THREADS'))")
    result, notebook = lesson_runner.run_lesson(write(tmp_path / "00_a.ipynb", asks))
    assert (result.failure, notebook.cells[-1].outputs[0].text) == ("", "1\n")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such groups")
def test_this_machine_is_read_without_a_fault():
    assert 1 <= processors.available() <= len(os.sched_getaffinity(0))
    assert all(quota > 0 for quota in processors.quotas())
