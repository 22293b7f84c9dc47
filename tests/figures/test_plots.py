"""The pictures: each shows the numbers it was given, and leaves the reader's matplotlib alone."""

from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure

from helpers.decoder import masks as attention_masks
from helpers.figures import plots
from tests.tiers import examples

EVERY_PLOT = {
    "masks": lambda: plots.masks({"causal": attention_masks.causal(3)}),
    "weights": lambda: plots.weights({"weights": torch.eye(3)}),
    "bars": lambda: plots.bars(["a", "b"], {"model": [0.4, 0.6]}, title="a title"),
    "curves": lambda: plots.curves({"loss": [3.0, 2.0]}, title="t", xlabel="step", ylabel="nats"),
    "spreads": lambda: plots.spreads(
        {"a": [[1.0, 2.0], [3.0, 4.0]]}, x=[1, 2], title="t", xlabel="length", ylabel="share"
    ),
    "flow": lambda: plots.flow(
        [("tokens", "[B, T]", "ids"), ("logits", "[B, T, V]", "")], title="t"
    ),
}


def pixels(figure):
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # everything that matplotlib puts off happens here
    return np.asarray(canvas.buffer_rgba()).copy()


def drawn(figure):
    pixels(figure)
    return figure


def ticks(labels):
    return [label.get_text() for label in labels]


# ---- what holds for every picture ---------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY_PLOT)
def test_a_picture_is_a_figure_that_pyplot_does_not_keep_open(name):
    figure = EVERY_PLOT[name]()
    assert isinstance(figure, Figure)
    assert plt.get_fignums() == []
    drawn(figure)
    assert plt.get_fignums() == []


@pytest.mark.parametrize("name", EVERY_PLOT)
def test_a_picture_leaves_the_readers_settings_as_they_were(name):
    with plt.rc_context({"font.size": 7, "axes.grid": True, "figure.dpi": 60}):
        before = dict(plt.rcParams)
        drawn(EVERY_PLOT[name]())
        assert dict(plt.rcParams) == before


@pytest.mark.parametrize("name", EVERY_PLOT)
def test_a_picture_looks_the_same_whatever_the_readers_settings_of_its_style(name):
    plain = pixels(EVERY_PLOT[name]())
    with plt.rc_context({"font.size": 17, "axes.grid": True, "axes.spines.top": True}):
        figure = EVERY_PLOT[name]()
    assert np.array_equal(pixels(figure), plain)


@pytest.mark.parametrize("draw", [plots.masks, plots.weights])
@pytest.mark.parametrize("names", [{"rows": ["one", "two"]}, {"columns": list("abcd")}])
def test_a_wrong_number_of_names_is_refused_and_the_settings_come_back(draw, names):
    before = dict(plt.rcParams)
    ((axis, given_names),) = names.items()
    message = f"{axis} has {len(given_names)} names; this table has 3 {axis}"
    with pytest.raises(ValueError, match=message):
        draw({"causal": attention_masks.causal(3)}, **names)
    assert dict(plt.rcParams) == before
    assert plt.get_fignums() == []


def test_every_plot_of_the_module_is_held_by_these_tests():
    public = {
        name
        for name, thing in vars(plots).items()
        if callable(thing) and not name.startswith("_") and thing.__module__ == plots.__name__
    }
    assert public == set(EVERY_PLOT)
    assert all(getattr(plots, name).__doc__ for name in public)


def test_the_palette_is_eight_different_colours():
    assert len({to_hex(colour) for colour in plots.COLOURS}) == 8
    assert (plots.BLUE, plots.GREY) == (plots.COLOURS[0], plots.COLOURS[-1])


# ---- masks --------------------------------------------------------------------------------------


def shown_mask(ax):
    """The mask as the eye finds it: which cell, from its place on the page, is blue."""
    (mesh,) = ax.collections
    corners = mesh.get_coordinates()
    rows, columns = corners.shape[0] - 1, corners.shape[1] - 1
    faces = mesh.to_rgba(mesh.get_array().reshape(rows, columns))[..., :3]
    blue = np.isclose(faces, to_rgb(plots.BLUE)).all(axis=-1)
    seen = np.zeros((rows, columns), dtype=bool)
    for i, j in np.ndindex(rows, columns):
        x, y = corners[i : i + 2, j : j + 2].mean(axis=(0, 1))
        seen[round(y), round(x)] = blue[i, j]
    return seen


@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 6)), min_size=1, max_size=3), st.data())
@examples(20)
def test_a_picture_of_masks_shows_each_mask_cell_by_cell(shapes, data):
    grids = {}
    for number, (rows, columns) in enumerate(shapes):
        size = rows * columns
        cells = data.draw(st.lists(st.booleans(), min_size=size, max_size=size))
        grids[f"mask {number}"] = torch.tensor(cells).view(rows, columns)
    figure = plots.masks(grids)
    assert [ax.get_title(loc="left") for ax in figure.axes] == list(grids)
    for ax, grid in zip(figure.axes, grids.values(), strict=True):
        assert np.array_equal(shown_mask(ax), grid.numpy())
        assert ticks(ax.get_yticklabels()) == [str(i) for i in range(grid.shape[0])]
        assert ticks(ax.get_xticklabels()) == [str(i) for i in range(grid.shape[1])]
        assert (ax.get_ylabel(), ax.get_xlabel()) == ("query", "key")


def test_the_first_query_stands_at_the_top_and_the_first_key_on_the_left():
    (ax,) = drawn(plots.masks({"causal": attention_masks.causal(3)})).axes
    (x0, y0), (x2, y2) = ax.transData.transform([(0, 0), (2, 2)])  # on the page, y grows upwards
    assert x0 < x2
    assert y0 > y2
    assert shown_mask(ax).tolist() == [[True, False, False], [True, True, False], [True] * 3]


def test_masks_carry_the_names_of_queries_and_keys():
    grid = attention_masks.causal(2, 3)
    (ax,) = plots.masks({"m": grid}, rows=["of", "a"], columns=["photo", "of", "a"]).axes
    assert ticks(ax.get_yticklabels()) == ["of", "a"]
    assert ticks(ax.get_xticklabels()) == ["photo", "of", "a"]


# ---- weights ------------------------------------------------------------------------------------


@given(
    st.lists(st.lists(st.floats(-2, 2, width=32), min_size=3, max_size=3), min_size=1, max_size=4),
    st.booleans(),
)
@examples(20)
def test_weights_show_each_number_in_its_cell(values, numbers):
    grid = torch.tensor(values, requires_grad=True)
    (ax,) = plots.weights({"w": grid}, numbers=numbers, row_name="now", column_name="then").axes
    (image,) = ax.images
    assert np.array_equal(image.get_array(), grid.detach().numpy())
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("now", "then")
    assert ax.get_title(loc="left") == "w"
    if not numbers:
        assert len(ax.texts) == 0
        return
    assert len(ax.texts) == grid.numel()
    for text in ax.texts:
        column, row = text.get_position()
        assert float(text.get_text()) == pytest.approx(values[row][column], abs=0.0051)
        assert text.get_text() != "-0.00"


def test_weights_are_dark_when_large_and_red_when_negative():
    (plain,) = plots.weights({"w": torch.tensor([[0.0, 0.5, 1.0]])}).axes[0].images
    light = plain.to_rgba(plain.get_array())[0, :, :3].sum(axis=-1)
    assert light[0] > light[1] > light[2]
    (signed,) = plots.weights({"w": torch.tensor([[-1.0, 0.0, 1.0]])}).axes[0].images
    red, middle, blue = signed.to_rgba(signed.get_array())[0, :, :3]
    assert red[0] > red[2]
    assert blue[2] > blue[0]
    assert np.ptp(middle) < 0.05


def test_tables_side_by_side_each_have_their_title_and_scale():
    figure = plots.weights({"one": torch.eye(2), "two": 100 * torch.eye(2)})
    assert [ax.get_title(loc="left") for ax in figure.axes] == ["one", "two"]
    assert [ax.images[0].get_clim() for ax in figure.axes] == [(0, 1), (0, 100)]


@pytest.mark.parametrize("grid", [torch.zeros(2, 2), torch.ones(1, 1, dtype=torch.int64)])
def test_weights_of_one_value_only_can_be_drawn(grid):
    (ax,) = drawn(plots.weights({"w": grid})).axes
    assert {text.get_text() for text in ax.texts} == {f"{float(grid[0, 0]):.2f}"}


# ---- bars, curves, flow -------------------------------------------------------------------------


@pytest.mark.parametrize("count", [1, 2, 3, 8])
def test_bars_have_the_given_heights_beside_each_other_over_each_label(count):
    labels = ["photo", "large", "small"]
    groups = {f"model {i}": torch.tensor([0.5, 0.25, 0.25]) / (i + 1) for i in range(count)}
    figure = plots.bars(labels, groups, title="The finding", ylabel="share", xlabel="word")
    (ax,) = figure.axes
    assert [len(bars) for bars in ax.containers] == [3] * count
    places = []
    for bars, values in zip(ax.containers, groups.values(), strict=True):
        assert [bar.get_height() for bar in bars] == pytest.approx(values.tolist())
        places += [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in bars]
    places.sort()
    for (_, end), (start, _) in pairwise(places):
        assert end <= start + 1e-9  # no bar hides another
    for label, place in zip(range(3), range(0, 3 * count, count), strict=True):
        group = places[place : place + count]
        assert (group[0][0] + group[-1][1]) / 2 == pytest.approx(label)
    assert ticks(ax.get_xticklabels()) == labels
    assert (ax.get_title(loc="left"), ax.get_ylabel(), ax.get_xlabel()) == (
        "The finding",
        "share",
        "word",
    )
    legend = ax.get_legend()
    assert (legend is None) if count == 1 else (ticks(legend.get_texts()) == list(groups))


def test_levels_are_dashed_lines_at_their_height_with_their_name():
    (ax,) = plots.bars(["a"], {"loss": [0.3]}, title="t", lines={"floor": 0.25, "coin": 0.7}).axes
    assert [line.get_ydata()[0] for line in ax.lines] == [0.25, 0.7]
    assert len({line.get_linestyle() for line in ax.lines}) == 2
    assert set(ticks(ax.get_legend().get_texts())) == {"loss", "floor", "coin"}


@pytest.mark.parametrize("x", [None, [2, 4, 8]])
@pytest.mark.parametrize("log", [True, False])
def test_curves_go_through_the_given_points(x, log):
    lines = {"cached": [3.0, 2.0, 1.5], "not": torch.tensor([3.0, 6.0, 9.0])}
    figure = plots.curves(
        lines,
        title="The finding",
        xlabel="tokens",
        ylabel="nats",
        x=x,
        levels={"floor": 1.2},
        log_x=log,
        log_y=log,
        points=True,
    )
    (ax,) = figure.axes
    *curves, level = ax.lines
    for curve, values in zip(curves, lines.values(), strict=True):
        assert list(curve.get_xdata()) == (x or [1, 2, 3])
        assert list(curve.get_ydata()) == list(values)
        assert curve.get_marker() == "o"
    assert set(level.get_ydata()) == {1.2}
    assert (ax.get_xscale(), ax.get_yscale()) == (("log",) * 2 if log else ("linear",) * 2)
    assert (ax.get_title(loc="left"), ax.get_xlabel(), ax.get_ylabel()) == (
        "The finding",
        "tokens",
        "nats",
    )
    assert ticks(ax.get_legend().get_texts()) == ["cached", "not", "floor"]
    assert len({curve.get_color() for curve in curves}) == 2


def test_spreads_are_means_with_a_band_from_the_lowest_run_to_the_highest():
    runs = {"a": [[0.0, 4.0, 2.0], [1.0, 1.0, 4.0]], "b": [[5.0], [6.0]]}
    figure = plots.spreads(
        runs, x=[2, 8], title="t", xlabel="x", ylabel="y", dashed={"chance": [0.5, 0.4]}, log_x=True
    )
    (ax,) = drawn(figure).axes
    first, second, chance = ax.lines
    assert first.get_xydata().tolist() == [[2, 2], [8, 2]]
    assert second.get_xydata().tolist() == [[2, 5], [8, 6]]
    assert chance.get_xydata().tolist() == [[2, 0.5], [8, 0.4]] and chance.get_linestyle() == "--"
    corners = ax.collections[0].get_paths()[0].vertices.tolist()
    assert [2, 0] in corners and [2, 4] in corners and [8, 1] in corners and [8, 4] in corners
    assert ticks(ax.get_xticklabels()) == ["2", "8"] and ax.get_xscale() == "log"
    assert ticks(figure.legends[0].get_texts()) == ["a", "b", "chance"]


def test_one_curve_alone_needs_no_legend():
    (ax,) = plots.curves({"loss": [2.0, 1.0]}, title="t", xlabel="step", ylabel="nats").axes
    assert ax.get_legend() is None


@pytest.mark.parametrize("count", [0, 9, 20])
def test_no_group_and_more_groups_than_colours_are_refused_by_number(count):
    groups = {f"model {i}": [1.0, 2.0] for i in range(count)}
    for draw in (
        lambda: plots.bars(["a", "b"], groups, title="t"),
        lambda: plots.curves(groups, title="t", xlabel="x", ylabel="y"),
    ):
        with pytest.raises(ValueError, match=f"has {count} entries; give 1 to 8"):
            draw()
        assert plt.get_fignums() == []


def test_flow_shows_every_station_in_order_with_an_arrow_between():
    stations = [("tokens", "[B, T]", "ids"), ("block", "[B, T, C]", ""), ("choice", "", "a word")]
    (ax,) = plots.flow(stations, title="A token travels", highlight=[1]).axes
    boxes = [text for text in ax.texts if text.get_bbox_patch() and text.get_text()]
    assert [box.get_text() for box in boxes] == ["tokens  [B, T]", "block  [B, T, C]", "choice"]
    heights = [box.get_position()[1] for box in boxes]
    assert heights == sorted(heights, reverse=True)
    beside = [text for text in ax.texts if text.get_text() in ("ids", "a word")]
    assert [text.get_position()[1] for text in beside] == [heights[0], heights[2]]
    assert sum(not text.get_text() and hasattr(text, "arrow_patch") for text in ax.texts) == 2
    filled = [to_hex(box.get_bbox_patch().get_facecolor()).upper() == plots.BLUE for box in boxes]
    assert filled == [False, True, False]
    assert ax.get_title(loc="left") == "A token travels"


def test_grids_stand_below_one_another_where_a_phone_could_not_show_them_side_by_side():
    for count, size, columns in ((4, 4, 2), (3, 6, 2), (2, 12, 1), (1, 20, 1)):
        grids = {str(i): attention_masks.causal(size) for i in range(count)}
        figure = plots.masks(grids)
        lefts = {round(ax.get_subplotspec().colspan.start) for ax in figure.axes}
        assert len(figure.axes) == count and len(lefts) == columns
        assert figure.get_size_inches()[0] <= plots.WIDEST or columns == 1
