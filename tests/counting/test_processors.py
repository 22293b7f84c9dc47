"""D24: never more workers or threads than the quota of a container pays for."""

import os
import subprocess
import sys

import pytest

from helpers.counting import processors

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


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such groups")
def test_this_machine_is_read_without_a_fault():
    assert 1 <= processors.available() <= len(os.sched_getaffinity(0))
    assert all(quota > 0 for quota in processors.quotas())
