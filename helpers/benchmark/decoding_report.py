"""The record of decoding as tables for README, and as a picture."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any

from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from helpers.benchmark.decoding_systems import LIBRARY, LLAMA, OURS
from helpers.benchmark.measuring import BUSY
from helpers.files import write_whole

BEGIN, END = "<!-- decoding table -->", "<!-- end of decoding table -->"
PICTURE = "data/benchmarks/decoding.png"  # as README names it
COLOURS = {OURS: "#0072B2", LIBRARY: "#E69F00", LLAMA: "#009E73"}  # as in plots
OTHER_CACHE = "#F0E442"

Record = Mapping[str, Any]
Point = tuple[int, int]  # batch, prompt tokens


def points_of(record: Record) -> list[Point]:
    """The points that have rows, in the order of prompts, then batches."""
    points = {(row["batch"], row["prompt_tokens"]) for row in record["rows"]}
    return sorted(points, key=lambda point: point[::-1])


def by_system(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], dict[Point, Any]]:
    """Rows by (system, precision), then by point."""
    found: dict[tuple[str, str], dict[Point, Any]] = {}
    for row in rows:
        here = found.setdefault((row["system"], row["precision"]), {})
        here[row["batch"], row["prompt_tokens"]] = row
    return found


# ---- tables --------------------------------------------------------------------------------------


def markdown(record: Record) -> str:
    """All that README says of the record: its tables and its picture."""
    return f"{tables(record)}\n\n![{alternative(record)}]({PICTURE})"


def tables(record: Record) -> str:
    """The tables, and what their words mean."""
    machine = record["machine"]
    versions = ", ".join(
        f"{name} {machine[key]}"
        for name, key in (("PyTorch", "torch"), ("transformers", LIBRARY), ("llama.cpp", LLAMA))
        if key in machine
    )
    new = record["rows"][0]["new_tokens"]
    busy = any(row["load"] > BUSY for row in record["rows"])
    parts = [
        f"Measured on {machine['processor']} with {_threads(machine)}, {versions}. Memory "
        f"is read at {record['bandwidth'] / 1e9:.1f} GB/s. The file is itself a 4-bit version of "
        "the model: float32 means its numbers written out, and every other precision is compared "
        "with that.",
        f"Tokens a second while the {new - 1} tokens after the first are decoded, all rows "
        "together"
        + (" (* = more than 30 % of the machine was busy with other work)" if busy else "")
        + ":",
        speed_table(record),
        cost_table(record),
        "How many times faster ours is (all in: from the prompt to the last token; the library "
        "with the faster of its caches):",
        ratio_table(record["ratios"]),
    ]
    return "\n\n".join(parts)


def _threads(machine: Mapping[str, Any]) -> str:
    return "1 thread" if machine["threads"] == 1 else f"{machine['threads']} threads"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def speed_table(record: Record) -> str:
    """Tokens a second of every system at every point."""
    points = points_of(record)
    rows = []
    for (system, precision), here in by_system(record["rows"]).items():
        cells = [_speed(here[point]) if point in here else "" for point in points]
        rows.append([f"{system}, {precision}", *cells])
    head = [f"prompt {length}, batch {batch}" for batch, length in points]
    return _table(["tokens a second", *head], rows)


def _speed(row: Mapping[str, Any]) -> str:
    return f"{row['tokens_per_second']:.0f}" + ("*" if row["load"] > BUSY else "")


def cost_table(record: Record) -> str:
    """What a system takes at batch 1, and how far its laws are from float32's."""
    points = [point for point in points_of(record) if point[0] == 1]
    short, long = points[0], points[-1]
    quality = {(row["system"], row["precision"]): row for row in record["quality"]}
    rows = []
    for key, here in by_system(record["rows"]).items():
        if short not in here or long not in here:
            continue
        peak, fit = here[short]["peak_bytes"], quality.get(key)
        row = [
            ", ".join(key),
            f"{here[long]['seconds_to_first_token']:.2f}",
            "" if peak is None else f"{peak / 1e6:.0f}",
            f"{here[short]['fraction_of_bandwidth']:.0%}",
        ]
        if fit is None:  # the other cache computes the same
            row += ["", "", ""]
        else:
            row += [_divergence(fit["kl"]), f"{fit['agreement']:.1%}"]
            row.append(f"{fit['perplexity']:.2f}")
        rows.append(row)
    head = [
        "batch 1",
        f"first token after {long[1]}, s",
        "peak memory, MB",
        "share of memory's speed",
        "KL",
        "same likeliest token",
        "perplexity",
    ]
    return _table(head, rows)


def _divergence(kl: float) -> str:
    return "0" if kl < 1e-6 else f"{kl:.0e}"  # below that stands the rounding of float32


def ratio_table(ratios: Mapping[str, float]) -> str:
    """The comparisons by name, with what was found."""
    return _table(["ratio", "found"], [[name, f"{found:.2f}"] for name, found in ratios.items()])


def alternative(record: Record) -> str:
    """The picture in words."""
    return f"Tokens a second by batch and prompt for each system: {finding(record)}."


def finding(record: Record) -> str:
    """What the first point says of ours, in a clause."""
    first = points_of(record)[0]
    here = [points[first] for points in by_system(record["rows"]).values() if first in points]
    best = max(
        (row for row in here if row["system"] == OURS), key=lambda row: row["tokens_per_second"]
    )
    told = [
        f"{best['tokens_per_second'] / row['tokens_per_second']:.1f} times the tokens of {name}"
        for row in here
        for name in (f"{row['system']} in {row['precision']}",)
        if (row["system"], row["precision"]) == (LIBRARY, "float32") or row["system"] == LLAMA
    ]
    return f"at batch {first[0]} ours in {best['precision']} gives {' and '.join(told)}"


# ---- README --------------------------------------------------------------------------------------


def around_tables(readme: str) -> tuple[str, str]:
    """README's text before its tables, with the first marker, and after them, with the other one.

    Raises ValueError if the markers are not there, once each and in order.
    """
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end or BEGIN in rest or END in after:
        raise ValueError(f"README.md needs one line {BEGIN!r} and after it one {END!r}")
    return before + begin, end + after


def with_tables(readme: str, record: Record) -> str:
    """README's text with the record's tables between its two markers."""
    before, after = around_tables(readme)
    return f"{before}\n\n{markdown(record)}\n\n{after}"


# ---- picture -------------------------------------------------------------------------------------


def picture(record: Record) -> Figure:
    """Bars of tokens a second: a panel for each point, a bar for each system."""
    points, systems = points_of(record), by_system(record["rows"])
    lengths = sorted({length for _, length in points})
    batches = sorted({batch for batch, _ in points})
    style = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False}
    with rc_context(style):
        height = 0.5 + len(lengths) * (0.5 + 0.2 * len(systems))
        figure = Figure(figsize=(9, height), layout="constrained")
        panels = figure.subplots(len(lengths), len(batches), squeeze=False, sharey=True)
        for line, length in zip(panels, lengths, strict=True):
            for ax, batch in zip(line, batches, strict=True):
                _bars(ax, systems, (batch, length))
        names = [f"{system}, {precision}" for system, precision in systems]
        panels[0][0].set_yticks(range(len(names)), names)  # all panels share these
        panels[0][0].invert_yaxis()
        said = finding(record)
        figure.suptitle(fill(said[0].upper() + said[1:], 75), x=0.01, ha="left")
    return figure


def _bars(ax: Any, systems: Mapping[tuple[str, str], Mapping[Point, Any]], point: Point) -> None:
    speeds = [
        here[point]["tokens_per_second"] if point in here else None for here in systems.values()
    ]
    largest = max((speed for speed in speeds if speed is not None), default=None)
    if largest is None:
        ax.set_visible(False)
        return
    for place, ((system, _), speed) in enumerate(zip(systems, speeds, strict=True)):
        if speed is None:
            ax.text(0, place, " one prompt at a time", va="center", color="0.5", fontsize=7)
            continue
        ax.barh(place, speed, color=COLOURS.get(system, OTHER_CACHE))
        ax.text(speed, place, f" {speed:.0f}", va="center", fontsize=8)
    ax.set_xlim(0, 1.18 * largest)
    ax.set_title(f"batch {point[0]}, prompt {point[1]}", loc="left", fontsize=9)
    ax.set_xlabel("tokens a second")


def save_picture(record: Record, path: Path) -> None:
    """Write the picture as a PNG file."""
    figure, content = picture(record), io.BytesIO()
    FigureCanvasAgg(figure)
    figure.savefig(content, format="png", dpi=110, metadata={"Software": None})
    write_whole(path, content.getvalue())
