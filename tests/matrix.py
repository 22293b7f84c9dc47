"""Compare every lesson's saved outputs under other processors and thread counts: make matrix.

Environment variables make the libraries choose the code that another processor would run. A row
whose instructions this processor lacks is skipped, by name.
"""

import os
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from helpers.lesson_names import number_of

ROOT = Path(__file__).resolve().parent.parent
LESSON = re.compile(r"([^/\s:]+)(?:\.|::)ipynb::")  # in a line of pytest's, what it is at
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


def chosen(words: str) -> list[Row]:
    """Return the rows whose names begin with one of these, with commas between; all for none.

    Raises: ValueError for a name that fits no row.
    """
    names = [name.strip() for name in words.split(",") if name.strip()]
    for name in names:
        if not any(row.name.startswith(name) for row in rows()):
            there = ", ".join(row.name for row in rows())
            raise ValueError(f"there is no row {name!r}; give the beginning of one of: {there}")
    return [row for row in rows() if not names or row.name.startswith(tuple(names))]


def run_row(row: Row, lessons: Path, told: Callable[[str], None] = print) -> tuple[bool, str]:
    """Run all lessons under one row; return whether they passed, and pytest's output.

    told: is given the name of each lesson when its first cell has run.
    """
    command = [sys.executable, "-m", "pytest", "--nbval", str(lessons), "-rf", "--tb=short", "-vv"]
    command += ["--nbval-cell-timeout=600"]  # without vectors torch's 4-bit product takes minutes
    if row.threads == 1:  # two kernels of two threads each would fight over two cores
        command += ["-n", "2", "--dist", "loadfile"]
    environment = {**os.environ, **row.variables, "OMP_NUM_THREADS": str(row.threads)}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    output, seen = [], set()
    with process:
        for line in process.stdout:
            output.append(line)
            found = LESSON.search(line)
            if found and found[1] not in seen:
                seen.add(found[1])
                told(found[1])
    return process.returncode == 0, "".join(output)


def main(words: str = "", lessons: Path = ROOT / "lessons") -> int:
    """Run rows one after another, and say at which row and lesson it is; return the exit status."""
    try:
        wanted = chosen(words)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    level, libraries = processor()
    green, red, skipped = 0, 0, []
    for row in wanted:
        if not can_run(row, level, libraries):
            skipped.append(row.name)
            continue
        print(f"{row.name:<20}", end="", flush=True)
        started = time.perf_counter()
        passed, output = run_row(
            row, lessons, lambda name: print(f" {number_of(name) or name}", end="", flush=True)
        )
        took = time.perf_counter() - started
        print(f"\n{'':<20}{took:7.1f} s  {'green' if passed else 'RED'}", flush=True)
        green += passed
        red += not passed
        if not passed:
            failed = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR"))]
            print("\n".join(f"    {line}" for line in failed) or output, flush=True)
    names = f", skipped: {', '.join(skipped)}" if skipped else ""
    print(f"{green} of {green + red} green{names}")
    return 1 if red or not green else 0


if __name__ == "__main__":
    sys.exit(main(" ".join(sys.argv[1:])))
