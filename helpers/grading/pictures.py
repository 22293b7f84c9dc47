"""The two pictures of the overview: python -m helpers.grading.pictures FOLDER, numbers as JSON.

They are drawn in a process of their own. So the grader, which waits for sandboxes most of the time,
does not hold what drawing needs.
"""

import io
import json
import subprocess
import sys
from pathlib import Path

from helpers.files import ROOT, write_whole

COLORS = ("#2a7f62", "#c8553d", "#e0c58f", "#c9cdd2")


def draw(
    folder: Path, states: list[str], counts: dict[str, list[int]], totals: list[int], most: int
) -> None:
    """Write exercises.png and points.png into a folder.

    counts: for each exercise, how many submissions ended in each of four states. totals: the points
    of each submission, out of `most`. Raises: OSError if the pictures could not be drawn.
    """
    numbers = {"states": states, "counts": counts, "totals": totals, "most": most}
    done = subprocess.run(
        [sys.executable, "-m", "helpers.grading.pictures", str(folder.resolve())],
        input=json.dumps(numbers).encode(),
        cwd=ROOT,
        capture_output=True,
    )
    if done.returncode:
        reason = (done.stderr.decode(errors="replace").strip().splitlines() or ["killed"])[-1]
        raise OSError(0, f"the pictures could not be drawn ({reason})")


def _exercises(states: list[str], counts: dict[str, list[int]], path: Path) -> None:
    from matplotlib.figure import Figure

    names = list(counts)
    figure = Figure(figsize=(7.2, 0.18 * len(names) + 1.2), layout="constrained")
    axes = figure.subplots()
    left = [0] * len(names)
    for number, (state, color) in enumerate(zip(states, COLORS, strict=True)):
        widths = [counts[name][number] for name in names]
        axes.barh(names, widths, left=left, color=color, label=state)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.margins(y=0.01)
    axes.invert_yaxis()
    axes.tick_params(axis="y", labelsize=7)
    axes.set_xlabel("submissions")
    axes.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4, frameon=False)
    _save(figure, path)


def _points(totals: list[int], most: int, path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 2.6), layout="constrained")
    axes = figure.subplots()
    step = -(-(most + 1) // 25)  # whole points, at most 25 bars
    axes.hist(totals, bins=range(0, most + step + 1, step), color=COLORS[0], edgecolor="white")
    axes.set_xlabel("points")
    axes.set_ylabel("submissions")
    axes.yaxis.get_major_locator().set_params(integer=True)
    _save(figure, path)


def _save(figure, path: Path) -> None:
    picture = io.BytesIO()
    figure.savefig(picture, dpi=150, format="png")
    write_whole(path, picture.getvalue())


def main(folder: Path) -> None:
    """Draw both pictures from the numbers on the standard input."""
    numbers = json.load(sys.stdin)
    _exercises(numbers["states"], numbers["counts"], folder / "exercises.png")
    _points(numbers["totals"], numbers["most"], folder / "points.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
