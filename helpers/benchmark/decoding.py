"""Decoding measured beside other systems, from one file of a real model.

    python -m helpers decoding --again     measure all points anew; stop it and go on at will
    python -m helpers decoding --quick     one prompt of 64 tokens, in minutes; only printed

First ours and the transformers library must say the same in float32, then the other precisions are
compared with that, and only then is anything timed. Points are gathered in a file beside the
record, and take its place, with its picture and README's tables, only when all are there.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import transformers

from helpers.benchmark import decoding_quality, decoding_report, decoding_speed, decoding_systems
from helpers.benchmark.decoding_systems import LIBRARY, LLAMA, System
from helpers.benchmark.measuring import NotEqual, another_machine, machine
from helpers.counting import processors
from helpers.files import ROOT, check_writable, write_whole
from helpers.real_models import model_file
from helpers.real_models.smollm2 import load_smollm2

FILE = ROOT / "data" / "benchmarks" / "decoding.json"
README = ROOT / "README.md"
TEXT_TOKENS = 512  # of the text that the precisions are compared on
EQUAL_ROWS = 2  # prompts of each length that are compared before anything is timed
COMMAND = "python -m helpers decoding --again"

Record = dict[str, Any]
Points = Sequence[tuple[int, int]]


def here() -> dict[str, str | int]:
    """This machine, with the versions of all systems and the model's file."""
    llama_cpp = decoding_systems.llama_cpp
    versions = {LIBRARY: transformers.__version__}
    if llama_cpp is not None:
        versions[LLAMA] = f"by llama-cpp-python {llama_cpp.__version__}"
    return machine() | versions | {"model": model_file.NAME}


def load_record(file: Path = FILE) -> Record:
    """The record: machine, bandwidth (bytes a second), equal, quality, rows, and ratios of rows.

    Raises FileNotFoundError or ValueError with the command that records it.
    """
    if not file.exists():
        raise FileNotFoundError(f"{file.name} is not in data/benchmarks; record it with: {COMMAND}")
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        _ = dict(record["machine"]), 1 / record["bandwidth"], dict(record["equal"])
        _ = [(row["system"], row["precision"], row["kl"]) for row in record["quality"]]
        if not record["quality"] or record["ratios"] != decoding_speed.ratios(record["rows"]):
            raise ValueError("quality is empty, or ratios are not those of the rows")
    except (OSError, ValueError, KeyError, TypeError, ZeroDivisionError) as error:
        raise ValueError(
            f"{file.name} is damaged ({error!r}); delete it, and record it with: {COMMAND}"
        ) from None
    return record


def points_of(record: Record) -> set[tuple[int, int]]:
    """The points that were measured."""
    return {(row["batch"], row["prompt_tokens"]) for row in record["rows"]}


def begin(systems: Sequence[System], ids: Any, grid: Points, new: int) -> Record:
    """Everything before the first point. Raises NotEqual, and then nothing is timed."""
    print("comparing ours with the library in float32 ...", flush=True)
    texts = [
        row[None]
        for length in sorted({length for _, length in grid})
        for row in decoding_quality.prompts(ids, EQUAL_ROWS, length)
    ]
    equal = decoding_quality.check_equal(systems, texts, new)
    gap = equal["largest_gap_of_logits"]
    print(f"    {len(texts)} prompts: the same tokens, and logits within {gap:.0e}")
    print("comparing precisions with float32, and measuring memory ...", flush=True)
    return {
        "machine": here(),
        "bandwidth": round(decoding_speed.memory_bandwidth(decoding_speed.ARRAY)),
        "equal": equal,
        "quality": decoding_quality.quality(systems, ids[None, :TEXT_TOKENS]),
        "rows": [],
        "ratios": {},
    }


def measure_missing(
    record: Record,
    systems: Sequence[System],
    ids: Any,
    missing: Points,
    repeats: int,
    new: int,
    file: Path | None,
) -> None:
    """Measure points, and write the record to the file, if there is one, after each of them."""
    guess = {
        point: decoding_speed.guessed_seconds(*point, new, repeats, len(systems))
        for point in missing
    }
    start, guessed = time.perf_counter(), 0.0
    print(f"points to measure: {len(missing)}, about {_minutes(sum(guess.values()))}")
    for number, point in enumerate(missing, 1):
        batch, length = point
        print(f"{number} of {len(missing)}: batch {batch}, prompt {length} ", end="", flush=True)
        rows = decoding_speed.measure_point(
            *(systems, ids, point),
            repeats=repeats,
            bandwidth=record["bandwidth"],
            new=new,
            told=lambda: print(".", end="", flush=True),
        )
        rows = [*record["rows"], *rows]
        fresh = record | {"rows": rows, "ratios": decoding_speed.ratios(rows)}
        if file is not None:
            write_whole(file, json.dumps(fresh, indent=1) + "\n")
        record |= fresh  # only now, so that what is said to be recorded is
        guessed += guess.pop(point)
        left = (time.perf_counter() - start) / guessed * sum(guess.values())
        print(f" about {_minutes(left)} left" if guess else " done", flush=True)


def _minutes(seconds: float) -> str:
    minutes = math.ceil(seconds / 60)
    return f"{minutes} minute" + "s" * (minutes != 1)


def publish(record: Record, file: Path, readme: Path) -> None:
    """Draw the picture beside the record, and put its tables into README."""
    decoding_report.save_picture(record, file.with_suffix(".png"))
    text = readme.read_text(encoding="utf-8")
    write_whole(readme, decoding_report.with_tables(text, record))


def _arguments(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m helpers decoding",
        description="Measure decoding beside the transformers library, and beside llama.cpp.",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--again", action="store_true", help="also points that are there")
    which.add_argument("--quick", action="store_true", help="one point, printed, not recorded")
    parser.add_argument(
        "--repeats", type=int, default=6, help="timed runs, fewer of the long ones (default 6)"
    )
    options = parser.parse_args(arguments)
    if options.repeats < 1:
        parser.error(f"--repeats is {options.repeats}; give 1 or more")
    return options


def main(
    arguments: list[str],
    file: Path = FILE,
    readme: Path = README,
    folder: Path = model_file.FOLDER,
    grid: Points = decoding_speed.GRID,
    new: int = decoding_speed.NEW,
) -> int:
    """The command line; the exit status."""
    options = _arguments(arguments)
    processors.limit_torch()
    if options.quick:
        grid = grid[:1]
    unfinished = file.with_suffix(".unfinished.json")
    record: Record = {"rows": []}
    try:
        if not options.quick:
            decoding_report.around_tables(readme.read_text(encoding="utf-8"))
            record = _so_far(file, unfinished, options.again)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    missing = [point for point in grid if point not in points_of(record)]
    if not missing:
        publish(record, file, readme)
        print(f"all {len(grid)} points are there; --again measures them anew")
        return 0
    if record["rows"] and record["machine"] != here():
        print(another_machine(unfinished), file=sys.stderr)
        return 1
    try:
        if not options.quick:
            check_writable(unfinished)  # not after minutes of measuring
        loaded, path = load_smollm2(folder), model_file.find(folder)
        longest = max(TEXT_TOKENS, new + max(length for _, length in grid))
        systems = decoding_systems.all_systems(loaded.model, path, longest)
        ids = decoding_quality.text_ids(loaded.tokenizer)
        del loaded  # its matrices in float32, which the packed ones stand for
        record = begin(systems, ids, grid, new) | (record if record["rows"] else {})
        measure_missing(
            *(record, systems, ids, missing, options.repeats, new),
            file=None if options.quick else unfinished,
        )
        print(decoding_report.tables(record))
        if not options.quick:
            os.replace(unfinished, file)
            publish(record, file, readme)
            print(f"written to {file.name}, its picture, and {readme.name}")
    except (model_file.NoModelFile, NotEqual) as error:
        print(error, file=sys.stderr)
        return 1
    except OSError as error:
        print(
            f"{file.name}, its picture or {readme.name} could not be written ({error}); mend that, "
            "and the same command goes on",
            file=sys.stderr,
        )
        return 1
    except KeyboardInterrupt:
        kept = f"{unfinished.name} keeps {len(points_of(record))} of {len(grid)} points, and "
        kept = "" if options.quick else f"; {kept}the same command goes on"
        print(f"\nstopped{kept}", file=sys.stderr)
        return 130
    return 0


def _so_far(file: Path, unfinished: Path, again: bool) -> Record:
    """What was measured before and is to be kept. Raises ValueError if it is damaged."""
    if unfinished.exists():
        print(f"going on with {unfinished.name}; delete it to begin anew")
        return load_record(unfinished)
    return load_record(file) if file.exists() and not again else {"rows": []}
