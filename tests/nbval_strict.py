"""nbval with its silent holes closed: a pytest plugin, named in .pytest.ini.

It changes nothing unless pytest runs with --nbval. Tags a cell may carry in its metadata:

    nbval-ignore-output   its output is a time, memory or a live control: run it, do not compare
    compare-image         its picture must be the same byte for byte
    allow-stderr          it is meant to write to stderr
    raises-exception      it is meant to raise: name and message are compared
"""

import json
import re
import time
from pathlib import Path
from queue import Empty

import pytest
from nbval import plugin
from nbval.kernel import RunningKernel
from nbval.plugin import IPyNbCell, IPyNbFile, NbCellError

from helpers.course import lesson_runner

ROOT = Path(__file__).resolve().parent.parent
MACHINE_PATH = re.compile(r"(?<![\w.])(/home|/root|/tmp|/Users|/var/folders|[A-Za-z]:\\Users)\b")
ANSI = re.compile(r"\x1b\[[0-9;]*m")
PICTURES = ("image/png", "image/jpeg")


def pytest_configure(config):
    """Refuse a way of running that nbval cannot do, and make nbval start strict kernels."""
    if not config.option.nbval:
        return
    # Hole: with -n alone the cells of one notebook are spread over workers and see no variables.
    if getattr(config.option, "dist", "no") not in ("no", "loadfile", "loadscope"):
        raise pytest.UsageError("notebooks on several workers need --dist loadfile")
    plugin.RunningKernel = StrictKernel


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path, parent):
    """Put a strict notebook in place of nbval's."""
    return [
        StrictFile.from_parent(parent, path=file_path) if isinstance(node, IPyNbFile) else node
        for node in (yield)
    ]


class KernelDied(Exception):
    """The kernel's process ended while a cell ran."""


class StrictKernel(RunningKernel):
    """A kernel that runs cells as JupyterLab does, and is seen to die."""

    def execute_cell_input(self, cell_input, allow_stdin=None):
        """Send a cell to the kernel; return the message's id."""
        # Hole: without store_history a trailing semicolon does not hide a value.
        return self.kc.execute(
            cell_input, store_history=True, allow_stdin=allow_stdin, stop_on_error=False
        )

    def await_reply(self, msg_id, timeout=None):
        """Wait for a cell to end; raise Empty after timeout seconds, KernelDied at a death."""
        # Hole: a dead kernel is waited for until the time-out, and then called slow.
        end = time.monotonic() + (timeout or float("inf"))
        while True:
            try:
                return super().await_reply(msg_id, timeout=max(0, min(1, end - time.monotonic())))
            except Empty:
                if not self.is_alive():
                    raise KernelDied from None
                if time.monotonic() >= end:
                    raise


class StrictFile(IPyNbFile):
    """A notebook; after a time-out or a dead kernel its later cells fail."""

    stopped = ""  # why no further cell can run

    def setup(self):
        """Start the kernel; a notebook that lacks what it needs is skipped, and says what."""
        lacking = lesson_runner.lacking(self.nb)
        if lacking:
            pytest.skip(lacking)
        super().setup()

    def collect(self):
        """Yield the code cells."""
        cells = []
        for number, found in enumerate(super().collect(), start=1):
            found.options["skip"] = False
            name, options = f"Cell {number}", found.options
            cells.append(
                StrictCell.from_parent(
                    self, name=name, cell_num=number, cell=found.cell, options=options
                )
            )
        # Hole: a notebook without code gives no test, and so cannot fail.
        if not cells:
            raise self.CollectError("the notebook has no code cell")
        return cells


class StrictCell(IPyNbCell):
    """A code cell, counted from 1 as in JupyterLab."""

    def repr_failure(self, excinfo):
        """Return what pytest prints: what is wrong, the cell's source, what the kernel said."""
        error = excinfo.value
        if not isinstance(error, NbCellError):
            return super().repr_failure(excinfo)
        said = ANSI.sub("", error.inner_traceback or "")
        return f"{error}\n\n{error.source}\n\n{said}".rstrip()

    def setup(self):
        """Do nothing. Hole: nbval expects the cells after a time-out to fail, and so passes."""

    def raise_cell_error(self, message, *args, **kwargs):
        """Fail this cell; the message names its id."""
        place = f"cell {self.cell_num} (id {self.cell.get('id', 'none')})"
        super().raise_cell_error(f"{place}: {message}", *args, **kwargs)

    def runtest(self):
        """Run the cell, compare its outputs, then look at what the file has saved."""
        limit = self.config.option.nbval_cell_timeout
        if self.parent.stopped:
            self.raise_cell_error(f"not run, because {self.parent.stopped}")
        try:
            if not self.parent.kernel.is_alive():
                raise KernelDied
            super().runtest()
        except KernelDied:
            self.parent.stopped = f"the kernel died in cell {self.cell_num}"
            self.raise_cell_error("the kernel died in this cell")
        finally:
            if self.parent.timed_out:
                self.parent.stopped = f"cell {self.cell_num} ran longer than {limit:g} s"
        # Hole: a cell that catches the interruption, or is tagged to raise, passes its time-out.
        if self.parent.timed_out:
            self.raise_cell_error(f"Timeout of {limit:g} seconds exceeded executing cell")
        problems = saved_problems(self.cell, self.cell_num)
        if problems:
            self.raise_cell_error("the saved cell cannot stand: " + "; ".join(problems))

    def compare_outputs(self, test, ref, skip_compare=None):
        """Return whether fresh outputs equal the saved ones."""
        # Hole: outputs are compared kind by kind, so another order, or a value shown as a display,
        # passes.
        if kinds(test) != kinds(ref):
            self.comparison_traceback = [f"saved {kinds(ref)}, fresh {kinds(test)}"]
            return False
        # Hole: pictures are left out altogether. One must be there in both, or in neither.
        exact = "compare-image" in self.cell.metadata.get("tags", [])
        skip = [key for key in self.parent.skip_compare if key not in PICTURES]
        return super().compare_outputs(
            [with_pictures(output, exact) for output in test],
            [with_pictures(output, exact) for output in ref],
            skip,
        )


def kinds(outputs):
    """Return the kinds of outputs in their order; pieces of one stream count once."""
    found = []
    for output in outputs:
        kind = output.get("name") or output.output_type
        if kind not in ("stdout", "stderr") or found[-1:] != [kind]:
            found.append(kind)
    return found


def with_pictures(output, exact):
    """Return an output whose pictures compare by their bytes, or only by being there."""
    if "data" not in output:
        return output
    changed = output.copy()
    changed["data"] = {
        kind: value if kind not in PICTURES else "".join(value.split()) if exact else "a picture"
        for kind, value in output["data"].items()
    }
    return changed


def saved_problems(cell, number):
    """Return what is wrong with a code cell as it is saved, as a list of sentences.

    Args:
        cell: a code cell of the notebook file.
        number: its place among the code cells, from 1.
    """
    tags = cell.metadata.get("tags", [])
    problems = []
    # Hole: a notebook that was never run, or not in order, passes.
    if cell.execution_count != number:
        count = cell.execution_count
        problems.append(f"its execution count is {count}, not {number}: run the lesson again")
    # Hole: a skipped cell passes.
    for tag in ("nbval-skip", "skip-execution", "nbval-raises-exception"):
        if tag in tags:
            problems.append(f"the tag {tag} is not allowed")
    # Hole: a comment in the source turns the comparison off, where nobody lists it.
    if dict(plugin.find_comment_markers(cell.source)):
        problems.append("an nbval comment in the source is not allowed: use a tag")
    errors = [output for output in cell.outputs if output.output_type == "error"]
    # Hole: in a cell that is not compared a saved error passes.
    if errors and "raises-exception" not in tags:
        problems.append(f"it holds a {errors[0].ename} but no tag raises-exception")
    # Hole: in a cell that is not compared any error passes for the one it should raise, or none.
    if {"raises-exception", "nbval-ignore-output"} <= set(tags):
        problems.append("it has the tags raises-exception and nbval-ignore-output: give one")
    if not errors and "raises-exception" in tags:
        problems.append("it has the tag raises-exception but holds no error")
    # Hole: a saved warning passes where it comes back the same.
    streams = [output.get("name") for output in cell.outputs]
    if "stderr" in streams and "allow-stderr" not in tags:
        problems.append("it holds output on stderr but no tag allow-stderr")
    # Hole: where a cell is not compared, the author's folders can stand in its output.
    for text in output_texts(cell):
        found = MACHINE_PATH.search(text) or re.search(re.escape(str(ROOT)), text)
        if found:
            problems.append(f"its output holds a path of one machine: {found[0]}")
            break
    return problems


def output_texts(cell):
    """Return the texts of a cell's saved outputs; pictures are left out."""
    texts = []
    for output in cell.outputs:
        data = {k: v for k, v in output.get("data", {}).items() if k not in PICTURES}
        parts = [output.get("text", ""), output.get("evalue", ""), *output.get("traceback", [])]
        texts += parts + [v if isinstance(v, str) else json.dumps(v) for v in data.values()]
    return texts
