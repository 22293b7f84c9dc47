"""Run the lessons in order, each on a clean kernel, and keep their fresh outputs when asked.

Everything heavy is imported inside the functions, so that the command line starts at once.
"""

import argparse
import dataclasses
import logging
import os
import re
import sys
import time
from pathlib import Path

from helpers import hiding, lesson_names
from helpers.counting import processors
from helpers.files import ROOT, write_whole

CELL_SECONDS = 120  # a cell that runs longer is taken to be endless
ANSI = re.compile(r"\x1b\[[0-9;]*m")


@dataclasses.dataclass
class Result:
    """What running one lesson gave: seconds, peak memory in bytes, why it failed or was not run."""

    name: str
    seconds: float
    peak_bytes: int = 0
    failure: str = ""
    lacking: str = ""


def find_lessons(folder: Path, wanted: list[str]) -> list[Path]:
    """Return the lessons in reading order: all, or those whose numbers or files are given.

    Raises: ValueError naming the numbers that exist, for one that does not; or what is no lesson in
    the folder.
    """
    lessons = lesson_names.lessons_in(folder)
    numbers = [lesson_names.number_of(name) or lesson_names.in_full(name) for name in wanted]
    for given, number in zip(wanted, numbers, strict=True):
        if number not in lessons:
            exist = " ".join(lessons) or "none"
            raise ValueError(f"no lesson {given!r}; these exist: {exist}")
    return [path for number, path in lessons.items() if not wanted or number in numbers]


def ask_peak_memory(client) -> int:
    """Ask a running kernel for its own peak memory in bytes; 0 when it cannot tell."""
    question = "__import__('helpers.counting.process_memory', fromlist=['']).peak_memory() or 0"
    message = client.kc.execute("", silent=True, user_expressions={"peak": question})
    reply = client.wait_for_reply(message)
    answer = (reply or {}).get("content", {}).get("user_expressions", {}).get("peak", {})
    return int(answer["data"]["text/plain"]) if answer.get("status") == "ok" else 0


def lacking(notebook) -> str:
    """Return one sentence on what a notebook needs and this machine lacks, or "".

    A notebook that reads the real model's file says so: its metadata holds needs: real-model.
    """
    from helpers.real_models import model_file

    return model_file.problem() if notebook.metadata.get("needs") == "real-model" else ""


def run_lesson(path: Path, cell_seconds: int = CELL_SECONDS):
    """Run one lesson's cells on a clean kernel, in the lesson's folder.

    Returns: (Result, the notebook with its fresh outputs). A cell that fails, takes longer than
    cell_seconds or kills its kernel ends the lesson and is named in Result.failure. A lesson that
    lacks something is not run, and Result.lacking says what.
    """
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    started = time.perf_counter()
    result = Result(path.stem, 0.0)
    try:
        notebook = nbformat.read(path, as_version=4)
    except Exception as error:  # a broken file may fail in any way, and the next lessons still run
        result.failure = f"the file cannot be read as a notebook: {str(error).splitlines()[0]}"
        return result, None
    result.lacking = lacking(notebook)
    if result.lacking:
        return result, notebook
    quiet = logging.Logger("lesson", level=logging.CRITICAL)
    client = NotebookClient(
        notebook,
        timeout=cell_seconds,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        store_widget_state=True,  # a live control draws into it; clean() takes it out again
        coalesce_streams=True,
        shutdown_kernel="immediate",
        extra_arguments=["--log-level=ERROR"],  # else every kernel warns that it listens on TCP
        log=quiet,
    )
    place = "before the first cell"
    number = 0
    try:
        with client.setup_kernel(env=hiding.variables(processors.variables())):
            for index, cell in enumerate(notebook.cells):
                if cell.cell_type != "code":
                    continue
                number += 1
                place = f"cell {number} (id {cell.get('id', 'none')})"
                cell.execution_count = None
                client.execute_cell(cell, index, execution_count=number)
            place = "after the last cell"
            result.peak_bytes = ask_peak_memory(client)
    except CellExecutionError as error:
        lines = ANSI.sub("", error.traceback).splitlines()
        last = [line for line in lines if line.strip()][-8:]
        result.failure = f"{place} failed:\n" + "\n".join(f"    {line}" for line in last)
    except CellTimeoutError:
        result.failure = f"{place} ran longer than {cell_seconds} s"
    except DeadKernelError:
        result.failure = f"{place}: the kernel died"
    except RuntimeError as error:
        result.failure = f"{place}: the kernel did not start or answer: {error}"
    result.seconds = time.perf_counter() - started
    return result, notebook


def clean(notebook, root: Path = ROOT) -> None:
    """Take out of a run notebook what differs from machine to machine, in place.

    Out go widget state, times of execution, the exact version of Python, and the repository's
    path in tracebacks. Sources, outputs, cell ids and execution counts stay.
    """
    notebook.metadata.pop("widgets", None)
    notebook.metadata["kernelspec"] = {
        "display_name": "Python 3",
        "language": "python",
        "name": "python3",
    }
    notebook.metadata["language_info"] = {"name": "python"}
    home = str(Path.home())
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            for line, text in enumerate(output.get("traceback", [])):
                text = text.replace(f"{root}{os.sep}", "")
                output["traceback"][line] = text.replace(
                    f"{str(root).replace(home, '~', 1)}{os.sep}", ""
                )


def save(notebook, path: Path) -> None:
    """Write a notebook so that the file is there whole, new or old, at any moment."""
    import nbformat

    nbformat.validate(notebook)
    write_whole(path, nbformat.writes(notebook) + "\n")


def run_lessons(paths: list[Path], keep: bool, cell_seconds: int = CELL_SECONDS) -> int:
    """Run lessons with a live line for each, then print the table; return the exit status."""
    width = max(len(path.stem) for path in paths)
    results = []
    for path in paths:
        print(f"{path.stem:<{width}}  ", end="", flush=True)
        result, notebook = run_lesson(path, cell_seconds)
        results.append(result)
        if result.failure:
            print(f"{result.seconds:6.1f} s  FAILED\n  {result.failure}", flush=True)
            continue
        if result.lacking:
            print(f"{'':8}  skipped: {result.lacking}", flush=True)
            continue
        if keep:
            clean(notebook)
            save(notebook, path)
        print(f"{result.seconds:6.1f} s  {'saved' if keep else 'passed'}", flush=True)

    print(f"\n{'lesson':<{width}}  seconds  peak MB")
    for result in results:
        peak = f"{result.peak_bytes / 1e6:7.0f}" if result.peak_bytes else f"{'-':>7}"
        failed = "  FAILED" if result.failure else "  skipped" if result.lacking else ""
        print(f"{result.name:<{width}}  {result.seconds:7.1f}  {peak}{failed}")
    failed = sum(bool(result.failure) for result in results)
    skipped = sum(bool(result.lacking) for result in results)
    passed = len(results) - failed - skipped
    total = sum(result.seconds for result in results)
    also = f", {skipped} skipped" if skipped else ""
    print(f"{passed} of {len(results)} lessons passed{also} in {total:.0f} s", flush=True)
    return 1 if failed else 0


def main(arguments: list[str]) -> int:
    """python -m helpers lessons [--save] [NN ...]; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m helpers lessons")
    parser.add_argument("numbers", nargs="*", metavar="NN", help="lessons to run; all by default")
    parser.add_argument("--save", action="store_true", help="write the fresh outputs back")
    parser.add_argument("--cell-seconds", type=int, default=CELL_SECONDS, metavar="S")
    options = parser.parse_args(arguments)
    folder = ROOT / "lessons"
    try:
        paths = find_lessons(folder, options.numbers)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if not paths:
        print("there are no lessons in lessons/", file=sys.stderr)
        return 2
    return run_lessons(paths, options.save, options.cell_seconds)
