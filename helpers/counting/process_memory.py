"""How much memory a process took at most."""

from __future__ import annotations

import re
import sys
from pathlib import Path


def peak_memory() -> int | None:
    """The most memory that this process has held at once since it began, in bytes.

    Counted is what was resident, that is in the machine's own memory: not what was only reserved,
    nor what an accelerator holds. What was given back still counts. None where the system does not
    say. Linux says it in /proc, in KiB, and newer versions to within some hundred of them.
    getrusage comes second: on Linux, also in KiB, its number can be the parent's; on macOS it is in
    bytes. On Windows it is the peak working set.
    """
    try:
        status = Path("/proc/self/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024
    except (OSError, TypeError):
        pass
    try:
        import resource
    except ImportError:  # Windows
        return _peak_working_set()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _peak_working_set() -> int | None:
    try:
        import psutil  # comes with ipykernel
    except ImportError:
        return None
    return getattr(psutil.Process().memory_info(), "peak_wset", None)
