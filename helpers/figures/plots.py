"""The pictures of the course. Each function returns a matplotlib Figure that a notebook shows.

Put the call last in a cell. Titles state the finding, axes carry units, and colours stay apart
for colour-blind readers (palette: Okabe and Ito 2008).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps

import matplotlib.pyplot as plt
import numpy as np
from jaxtyping import Bool, Float
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor

BLUE, ORANGE, GREEN, PURPLE, SKY, RED, YELLOW, GREY = COLOURS = (
    "#0072B2",
    "#E69F00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#D55E00",
    "#F0E442",
    "#7F7F7F",
)
_STYLE = {
    "figure.dpi": 100,
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": False,
    "legend.frameon": False,
}


def _styled(draw: Callable[..., Figure]) -> Callable[..., Figure]:
    """Draw in the course's style without touching the reader's own matplotlib settings."""

    @wraps(draw)
    def drawn(*arguments, **named):
        with plt.rc_context(_STYLE):
            return draw(*arguments, **named)

    return drawn


WIDEST = 7.2  # inches; a wider picture cannot be read on a phone


def _canvas(width: float, height: float) -> tuple[Figure, Axes]:
    figure, (ax,) = _grid_canvas([width], height)
    return figure, ax


def _grid_canvas(widths: Sequence[float], height: float) -> tuple[Figure, list[Axes]]:
    """Room for a picture of each width: side by side while they fit, then below."""
    count, widest = len(widths), max(widths)
    if sum(widths) > WIDEST:  # else all of them fit side by side, each with its own room
        widths = [widest] * max(1, min(count, int(WIDEST / widest)))
    columns = len(widths)
    rows = -(-count // columns)  # rounded up
    figure, axes = plt.subplots(
        rows,
        columns,
        figsize=(sum(widths), rows * height),
        width_ratios=widths,
        layout="constrained",
        squeeze=False,
    )
    plt.close(figure)  # pyplot forgets it, so a notebook shows it once: as the cell's value
    for unused in axes.flat[count:]:
        unused.remove()
    return figure, list(axes.flat[:count])


def _check_colours(name: str, count: int) -> None:
    if not 1 <= count <= len(COLOURS):
        raise ValueError(f"{name} has {count} entries; give 1 to {len(COLOURS)}, one a colour")


def _array(values) -> np.ndarray:
    return values.detach().numpy() if isinstance(values, Tensor) else np.asarray(values)


def _sizes(grids: Mapping[str, Tensor]) -> tuple[int, list[int]]:
    """Return the rows of the tallest table, and the columns of each."""
    if not grids:
        raise ValueError("grids is empty; give at least one title with its table")
    shapes = [_array(grid).shape for grid in grids.values()]
    return max(rows for rows, _ in shapes), [columns for _, columns in shapes]


def _label_grid(
    ax: Axes,
    shape: tuple[int, int],
    rows: Sequence[str] | None,
    columns: Sequence[str] | None,
) -> None:
    rows = [str(i) for i in range(shape[0])] if rows is None else rows
    columns = [str(i) for i in range(shape[1])] if columns is None else columns
    for name, names, count in (("rows", rows, shape[0]), ("columns", columns, shape[1])):
        if len(names) != count:
            raise ValueError(f"{name} has {len(names)} names; this table has {count} {name}")
    longest = max(map(len, columns))
    ax.set_xticks(range(len(columns)), columns, rotation=90 if longest > 3 else 0)
    ax.set_yticks(range(len(rows)), rows)
    ax.xaxis.tick_top()
    ax.xaxis.set_label_position("top")
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)


@_styled
def masks(
    grids: Mapping[str, Bool[Tensor, "Tq Tk"]],
    *,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    row_name: str = "query",
    column_name: str = "key",
) -> Figure:
    """Tables of yes and no: a filled square where the query (row) may see the key (column).

    grids: title -> boolean [Tq, Tk]. rows, columns: names of queries and keys; numbers if None.
    row_name, column_name: what stands along the axes, if not queries and keys.
    """
    tall, wide = _sizes(grids)
    figure, axes = _grid_canvas([1.4 + 0.32 * n for n in wide], 1.3 + 0.32 * tall)
    for ax, (title, grid) in zip(axes, grids.items(), strict=True):
        seen = _array(grid)
        ax.pcolormesh(
            np.arange(seen.shape[1] + 1) - 0.5,
            np.arange(seen.shape[0] + 1) - 0.5,
            seen.astype(float),
            cmap=plt.matplotlib.colors.ListedColormap(["#EEEEEE", BLUE]),
            vmin=0,
            vmax=1,
            edgecolors="white",
            linewidth=2,
        )
        ax.invert_yaxis()
        ax.set_aspect("equal")
        _label_grid(ax, seen.shape, rows, columns)
        ax.set_xlabel(column_name)
        ax.set_ylabel(row_name)
        ax.set_title(title)
    return figure


@_styled
def weights(
    grids: Mapping[str, Float[Tensor, "Tq Tk"]],
    *,
    rows: Sequence[str] | None = None,
    columns: Sequence[str] | None = None,
    numbers: bool = True,
    row_name: str = "query",
    column_name: str = "key",
) -> Figure:
    """Tables of numbers as shaded cells; dark = large, red = negative.

    grids: title -> [Tq, Tk]. numbers: write each value into its cell, to 2 places.
    """
    tall, wide = _sizes(grids)
    figure, axes = _grid_canvas([1.2 + 0.48 * n for n in wide], 1.3 + 0.42 * tall)
    for ax, (title, grid) in zip(axes, grids.items(), strict=True):
        values = _array(grid)
        largest = max(float(np.abs(values).max()), 1e-12)
        signed = values.min() < 0
        ax.imshow(
            values,
            cmap="RdBu" if signed else "Blues",
            vmin=-largest if signed else 0,
            vmax=largest,
            aspect="auto",
        )
        if numbers:
            for i, j in np.ndindex(*values.shape):
                dark = abs(values[i, j]) > 0.6 * largest
                ax.text(
                    j,
                    i,
                    f"{values[i, j]:.2f}".replace("-0.00", "0.00"),
                    ha="center",
                    va="center",
                    fontsize=8,
                    color="white" if dark else "black",
                )
        _label_grid(ax, values.shape, rows, columns)
        ax.set_xlabel(column_name)
        ax.set_ylabel(row_name)
        ax.set_title(title)
    return figure


@_styled
def bars(
    labels: Sequence[str],
    groups: Mapping[str, Sequence[float] | Float[Tensor, "N"]],
    *,
    title: str,
    ylabel: str = "probability",
    xlabel: str = "",
    lines: Mapping[str, float] | None = None,
) -> Figure:
    """Bars side by side for each label, one colour a group; lines: name -> dashed level."""
    _check_colours("groups", len(groups))
    figure, ax = _canvas(min(WIDEST, 0.62 * len(labels) + 2.5), 3.2)
    width = 0.8 / len(groups)
    for i, (name, values) in enumerate(groups.items()):
        at = np.arange(len(labels)) + (i - (len(groups) - 1) / 2) * width
        ax.bar(at, _array(values), width, label=name, color=COLOURS[i])
    _levels(ax, lines or {})
    ax.set_xticks(range(len(labels)), labels, rotation=45 if len(labels) > 8 else 0)
    ax.set(title=title, ylabel=ylabel, xlabel=xlabel)
    if len(groups) > 1 or lines:
        ax.legend()
    return figure


@_styled
def curves(
    lines: Mapping[str, Sequence[float] | Float[Tensor, "N"]],
    *,
    title: str,
    xlabel: str,
    ylabel: str,
    x: Sequence[float] | None = None,
    levels: Mapping[str, float] | None = None,
    log_x: bool = False,
    log_y: bool = False,
    points: bool = False,
    legend_below: bool = False,
) -> Figure:
    """Lines over x (1, 2, 3, ... if None); levels: name -> dashed horizontal line.

    legend_below: the names stand under the picture, where lines fill all of it.
    """
    _check_colours("lines", len(lines))
    figure, ax = _canvas(7.0, 3.4)
    for i, (name, values) in enumerate(lines.items()):
        values = _array(values)
        at = np.arange(1, len(values) + 1) if x is None else x
        ax.plot(at, values, label=name, color=COLOURS[i], marker="o" if points else None, lw=1.8)
    _levels(ax, levels or {})
    ax.set(title=title, xlabel=xlabel, ylabel=ylabel)
    ax.set_xscale("log" if log_x else "linear")
    ax.set_yscale("log" if log_y else "linear")
    if not log_x and all(float(value).is_integer() for value in ax.lines[0].get_xdata()):
        ax.xaxis.get_major_locator().set_params(integer=True)  # there is no step 2.5
    if legend_below:
        figure.legend(loc="outside lower center", ncols=4)
    elif len(lines) > 1 or levels:
        ax.legend()
    return figure


@_styled
def spreads(
    runs: Mapping[str, Sequence[Sequence[float]]],
    *,
    x: Sequence[float],
    title: str,
    xlabel: str,
    ylabel: str,
    dashed: Mapping[str, Sequence[float]] | None = None,
    log_x: bool = False,
) -> Figure:
    """Lines through the means of several runs, each with a band from the lowest to the highest.

    runs: name -> for each x, one number a run. dashed: name -> a dashed line, one number for each
    x. Only the places in x are marked on its axis.
    """
    _check_colours("runs", len(runs))
    figure, ax = _canvas(7.0, 3.8)
    for i, (name, by_place) in enumerate(runs.items()):
        values = np.array([_array(numbers) for numbers in by_place])  # [N, runs]
        ax.fill_between(x, values.min(1), values.max(1), color=COLOURS[i], alpha=0.15, lw=0)
        ax.plot(x, values.mean(1), label=name, color=COLOURS[i], marker="o", lw=1.8)
    for name, values in (dashed or {}).items():
        ax.plot(x, _array(values), label=name, color="black", ls="--", lw=1)
    ax.set(title=title, xlabel=xlabel, ylabel=ylabel)
    ax.set_xscale("log" if log_x else "linear")
    ax.set_xticks(x, [str(place) for place in x])
    ax.minorticks_off()
    figure.legend(loc="outside lower center", ncols=3)
    return figure


def _levels(ax: Axes, levels: Mapping[str, float]) -> None:
    for (name, level), style in zip(levels.items(), ("--", ":", "-.") * 3, strict=False):
        ax.axhline(level, color="black", lw=1, ls=style, label=name)


@_styled
def flow(
    stations: Sequence[tuple[str, str, str]], *, title: str, highlight: Sequence[int] = ()
) -> Figure:
    """Boxes from top to bottom with arrows between: (name, shape, what happens there) each.

    The shape and the words beside a box may be "". highlight: numbers of the boxes to colour.
    """
    figure, ax = _canvas(5.6, 0.6 * len(stations) + 0.4)
    for i, (name, shape, happens) in enumerate(stations):
        ax.text(
            0,
            -i,
            f"{name}  {shape}".rstrip(),
            ha="center",
            va="center",
            color="white" if i in highlight else "black",
            bbox={
                "boxstyle": "round,pad=0.4",
                "facecolor": BLUE if i in highlight else "#E8F1F7",
                "edgecolor": BLUE,
            },
        )
        ax.text(0.7, -i, happens, va="center")
        if i:
            ax.annotate(
                "",
                xy=(0, -i + 0.27),
                xytext=(0, -i + 0.73),
                arrowprops={"arrowstyle": "->", "color": GREY},
            )
    ax.set(xlim=(-0.7, 2.1), ylim=(0.5 - len(stations), 0.5), title=title)
    ax.axis("off")
    return figure
