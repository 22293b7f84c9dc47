"""The figures to operate show what the course's own helpers say."""

import pytest
import torch

from helpers.benchmark.cache_grid import grid_config
from helpers.counting.operations import generation_work
from helpers.decoder import masks
from helpers.decoding.controls import Controls
from helpers.figures.cache import BOTTOM, CACHE
from helpers.figures.mask import MASK, MASKS
from helpers.figures.sampling import LAW, SAMPLING, SHARES, TEMPERATURES, WORDS
from helpers.site import lessons

FIGURES = (MASK, SAMPLING, CACHE)
every_figure = pytest.mark.parametrize("figure", FIGURES, ids=lambda one: one.name)


@every_figure
def test_every_state_has_a_value_for_each_slot_and_a_sentence(figure):
    states = figure.states()
    count = 1
    for control in figure.controls:
        count *= len(control.values)
    assert len(states) == count
    assert {len(state.values) for state in states} == {len(figure.slots)}
    assert len({state.reading for state in states}) == count, "two settings read the same"


def test_the_sampling_figure_shows_lesson_08s_law_under_the_course_controls():
    cells = {cell.id: cell for cell in lessons.read_all()[8].notebook.cells}
    assert ", ".join(f"{p:.2f}" for p in LAW) in cells["hand-made-law"].source
    assert " ".join(WORDS) in cells["hand-made-law"].source
    logits = torch.tensor(LAW, dtype=torch.float64).log()
    states = iter(SAMPLING.states())
    for temperature in TEMPERATURES:
        for share in SHARES:
            law = Controls(temperature=float(temperature), top_p=float(share)).law(logits)
            shown = next(states)
            for p, height, number in zip(
                law.tolist(), shown.values[:8], shown.values[8:], strict=True
            ):
                assert abs(float(height) - 200 * p) <= 0.05
                assert number == (f"{p:.2f}" if p else "out")
            stays = int((law > 0).sum())
            assert f"temperature {temperature}, top-p {share}:" in shown.reading.lower()
            assert f"{stays} of 8" in shown.reading or (stays == 8 and "all 8" in shown.reading)


def test_the_mask_figure_shows_the_course_masks_row_by_row():
    whole = {
        "causal": masks.causal(7),
        "window of 3": masks.window(7, width=3),
        "prefix of 3": masks.prefix(torch.tensor([3]), 7)[0, 0],
    }
    states = MASK.states()
    for kind, name in enumerate(MASKS):
        mask = whole.get(name, torch.ones(7, 7, dtype=torch.bool))
        for row in range(7):
            state = states[7 * kind + row]
            seen = [value == "seen" for value in state.values]
            later = [value == "later" for value in state.values]
            until = torch.arange(7)[:, None] <= row
            assert torch.equal(torch.tensor(seen).view(7, 7), mask & until)
            assert torch.equal(torch.tensor(later).view(7, 7), (~until).expand(7, 7))
            assert f"Pairs so far: {int(mask[: row + 1].sum())}." in state.reading
            assert ("future" in state.reading) == bool(mask[row, row + 1 :].any())


def test_the_cache_figure_shows_the_counted_work():
    for new, state in enumerate(CACHE.states(), start=1):
        plain, cached = (
            generation_work(grid_config(64), new, cached=cached).total for cached in (False, True)
        )
        assert f" {plain:,} multiply-adds without a cache, {cached:,} with" in state.reading
        assert f"{plain / cached:.1f} times" in state.reading
        _, _, _, high, _, low = map(float, state.values)
        assert BOTTOM - 200 <= high <= low <= BOTTOM
