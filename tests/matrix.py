"""Compare every lesson's saved outputs under other processors and thread counts: make matrix.

Environment variables make the libraries choose the code that another processor would run. A row
whose instructions this processor lacks is skipped, by name.
"""

import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LEVELS = ("default", "avx2", "avx512")  # what PyTorch calls them, in rising order


class Row(NamedTuple):
    """One way to run all lessons: its name, its environment, and what it needs."""

    name: str
    variables: dict[str, str]
    threads: int
    level: str = "default"
    needs: str = ""  # a library of Intel's: "mkl" or "onednn"


def rows() -> list[Row]:
    """Return the eight rows."""
    levels = [
        Row(f"{level} {threads}-thread", {"ATEN_CPU_CAPABILITY": level}, threads, level)
        for level in LEVELS
        for threads in (1, 2)
    ]
    return [
        *levels,
        Row("MKL compatible", {"MKL_CBWR": "COMPATIBLE"}, 1, needs="mkl"),
        Row("oneDNN SSE4.1", {"ONEDNN_MAX_CPU_ISA": "SSE41"}, 1, needs="onednn"),
    ]


def processor() -> tuple[str, set[str]]:
    """Return this processor's highest level, and which of mkl and onednn take effect here."""
    import torch

    level = torch.backends.cpu.get_cpu_capability().lower()
    libraries = set()
    if platform.machine().lower() in ("x86_64", "amd64"):
        if torch.backends.mkl.is_available():
            libraries.add("mkl")
        if torch.backends.mkldnn.is_available():
            libraries.add("onednn")
    return (level if level in LEVELS else "default"), libraries


def can_run(row: Row, level: str, libraries: set[str]) -> bool:
    """Return whether a processor of that level, with those libraries, can run the row."""
    if row.needs:
        return row.needs in libraries
    return LEVELS.index(row.level) <= LEVELS.index(level)


def run_row(row: Row, lessons: Path) -> tuple[bool, str]:
    """Run all lessons under one row; return whether they passed, and pytest's output."""
    command = [sys.executable, "-m", "pytest", "--nbval", str(lessons), "-rf", "--tb=short"]
    command += ["--nbval-cell-timeout=600"]  # without vectors torch's 4-bit product takes minutes
    if row.threads == 1:  # two kernels of two threads each would fight over two cores
        command += ["-n", "2", "--dist", "loadfile"]
    environment = {**os.environ, **row.variables, "OMP_NUM_THREADS": str(row.threads)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    return done.returncode == 0, done.stdout + done.stderr


def main(lessons: Path = ROOT / "lessons") -> int:
    """Run the rows one after another with a live line for each; return the exit status."""
    level, libraries = processor()
    green, red, skipped = 0, 0, []
    for row in rows():
        if not can_run(row, level, libraries):
            skipped.append(row.name)
            continue
        print(f"{row.name:<20}", end="", flush=True)
        started = time.perf_counter()
        passed, output = run_row(row, lessons)
        print(f"{time.perf_counter() - started:7.1f} s  {'green' if passed else 'RED'}", flush=True)
        green += passed
        red += not passed
        if not passed:
            failed = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]
            print("\n".join(f"    {line}" for line in failed) or output, flush=True)
    names = f", skipped: {', '.join(skipped)}" if skipped else ""
    print(f"{green} of {green + red} green{names}")
    return 1 if red or not green else 0


if __name__ == "__main__":
    sys.exit(main())
