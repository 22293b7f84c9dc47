"""Grade a made-up class of many and record it: python -m tests.grading.many 1000 FOLDER.

Each hands in ten exercises, right or wrong at random; one in two hundred has an endless loop. The
folder, a new one, gets the submissions and the results. data/benchmarks/grading.json gets the
figures: submissions a minute, where the time of one went, and the most memory that the grader held.
All but the memory depend on what else the machine does; its load at the start is recorded.
"""

import json
import os
import random
import re
import subprocess
import sys
import time
from pathlib import Path

from helpers.benchmark.measuring import machine
from helpers.counting import processors
from helpers.exercises import catalog
from helpers.files import write_whole
from tests.grading import school

EXERCISES = ("00.1", "01.1", "02.3", "03.3", "04.2", "05.2", "07.1", "08.2", "10.4", "12.1")
FILE = catalog.ROOT / "data" / "benchmarks" / "grading.json"
MAKERS = (school.right, school.other, school.wrong, school.stub, None)
WEIGHTS = (12, 2, 4, 1, 1)


def hand_in(folder: Path, number: int) -> None:
    """Write so many submissions, the same ones each time."""
    chance = random.Random(0)
    for learner in range(number):
        made = chance.choices(MAKERS, WEIGHTS, k=len(EXERCISES))
        sources = {e: make(e) for e, make in zip(EXERCISES, made, strict=True) if make}
        if learner % 200 == 100:
            sources[EXERCISES[0]] = school.looping(EXERCISES[0])
        school.hand_in(folder, f"learner {learner:04}", sources)


def main(number: int, folder: Path) -> None:
    """Grade them in a process of its own, which is watched, and write the figures."""
    hand_in(folder / "handed_in", number)
    command = [sys.executable, "-m", "helpers", "grade"]
    command += [str(folder / "handed_in"), str(folder / "grades")]
    began, load = time.monotonic(), os.getloadavg()[0]
    process = subprocess.Popen(command, cwd=catalog.ROOT, stdout=subprocess.PIPE, text=True)
    lines = [line.rstrip() for line in process.stdout if print(line, end="") is None]
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.monotonic() - began
    split = next((re.findall(r"\d[\d.]*", line) for line in lines if "graded now" in line), [0])
    if status or int(split[0]) != number:
        sys.exit("not all of them were graded now: nothing is recorded; take an empty folder")
    cores = processors.available()
    figures = {
        "command": f"python -m tests.grading.many {number} FOLDER",
        "machine": machine(),
        "load_before": round(load, 1),
        "submissions": number,
        "exercises_each": len(EXERCISES),
        "seconds": round(seconds),
        "cores": cores,
        "submissions_a_minute_and_core": round(number / seconds * 60 / cores, 1),
        "middle_seconds_to_start": float(split[1]),
        "middle_seconds_of_checks": float(split[2]),
        "grader_peak_megabytes": used.ru_maxrss // 1024,
    }
    write_whole(FILE, json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
