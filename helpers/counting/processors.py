"""How many processors this process may use: no more than it may run on, nor than its quota pays.

A container on a host of many cores may be given the time of two. Whoever starts a worker or a
thread for each core of the host then makes them wait for each other.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path


def available(system: Path = Path("/")) -> int:
    """Return how many workers or threads can run at once here, at least one.

    system: the root of the files that tell of quotas, on Linux.
    """
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    return max(1, int(min([float(cores), *quotas(system)])))


def limit_torch() -> int:
    """Let torch use no more threads than can run at once here; return how many it uses.

    A smaller number that was set before stays.
    """
    import torch  # whoever only asks for a number need not wait for it

    torch.set_num_threads(min(torch.get_num_threads(), available()))
    return torch.get_num_threads()


def variables(environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """Return variables with which a program starts no more threads than can run at once here.

    A number that was chosen before stays; where all cores may be used nothing is added.
    """
    if available() >= (os.cpu_count() or 1):
        return dict(environment)
    return {"OMP_NUM_THREADS": str(available()), **environment}


def quotas(system: Path = Path("/")) -> Iterator[float]:
    """Yield the quotas of processor time that bind this process, in cores; none off Linux.

    Control groups lie in each other, and each may have its quota: cpu.max in the second version of
    control groups, cpu.cfs_quota_us and cpu.cfs_period_us in the first.
    """
    try:
        lines = (system / "proc/self/cgroup").read_text().splitlines()
    except OSError:
        return
    top = system / "sys/fs/cgroup"
    for line in lines:
        _, controllers, place = [*line.split(":", 2), "", ""][:3]
        names = controllers.split(",")
        if not controllers:
            for root in (top, top / "unified"):  # beside groups of the first version
                for folder in _upwards(root, place):
                    yield from _quota(_words(folder / "cpu.max"))
        elif "cpu" in names:
            for root in (top / controllers, top / "cpu"):
                for folder in _upwards(root, place):
                    files = ("cpu.cfs_quota_us", "cpu.cfs_period_us")
                    yield from _quota([word for file in files for word in _words(folder / file)])


def _upwards(root: Path, place: str) -> Iterator[Path]:
    """Yield the folder of a group and of those around it, up to the root.

    In a container the place may be the host's name of it; then only the root is there.
    """
    folder = root / place.lstrip("/")
    yield folder
    while folder != root and root in folder.parents:
        folder = folder.parent
        yield folder


def _words(file: Path) -> list[str]:
    try:
        return file.read_text().split()
    except (OSError, ValueError):
        return []


def _quota(words: list[str]) -> Iterator[float]:
    """Yield the cores that a quota and its period give; nothing for "max", -1 or no file."""
    try:
        quota, period = (int(word) for word in words)
    except ValueError:  # no limit, or not the two numbers
        return
    if quota > 0 and period > 0:
        yield quota / period
