"""The sampling controls: each alone at every boundary, their chain, what is drawn under them."""

import math
import random
import sys
from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers.decoding.controls import (
    Controls,
    check_logits,
    min_p,
    only,
    repetition_penalty,
    seen_ids,
    temperature,
    top_k,
    top_p,
    typical,
)
from helpers.decoding.generation import generate
from helpers.languages.language import BOS, PAD
from tests.decoding.test_generation import variation, variation_limit
from tests.stub_models import OneLaw
from tests.tiers import examples

INF = math.inf
FLOATS = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
NUMPY_FLOATS = [np.float16, np.float32, np.float64]
ALMOST = math.nextafter(1, 0)
SHARES = [0, 5e-324, 1e-8, 1e-4, 0.3, 0.75, 1 - 1e-9, ALMOST, 1]
TEMPERATURES = [0, 5e-324, 1e-45, 1e-5, 0.7, 1, 1.5, 1e300, sys.float_info.max]
PENALTIES = [5e-324, 1e-3, 0.5, 1, 2, 1e6, 1e300]
FILTERS = {"top_k": top_k, "top_p": top_p, "min_p": min_p, "typical": typical}
OFF = {
    "temperature": 1,
    "top_k": 0,
    "top_p": 1,
    "min_p": 0,
    "typical": 1,
    "repetition_penalty": 1,
}
NAMES = list(OFF)


def values(name, V):
    sizes = [k for k in (0, 1, V - 1, V, V + 1, 100_000) if k >= 0]
    given = {"temperature": TEMPERATURES, "top_k": sizes, "repetition_penalty": PENALTIES}
    return given.get(name, SHARES)


def every_other(V):
    return torch.arange(V) % 2 == 0


def controlled(name, logits, value):
    """The logits under one control; every other id counts as seen."""
    if name == "temperature":
        return temperature(logits, value)
    if name == "repetition_penalty":
        return repetition_penalty(logits, every_other(logits.shape[-1]), value)
    return FILTERS[name](logits, value)


def kept(logits):
    """The ids of one row that are left."""
    return set((logits > -INF).nonzero().flatten().tolist())


def same(x, y):
    """Equal bit for bit, the sign of zero included."""
    whole = {2: torch.int16, 4: torch.int32, 8: torch.int64}[x.element_size()]
    return x.dtype == y.dtype and torch.equal(x.view(whole), y.view(whole))


def hard_rows(V, dtype):
    """Rows in which something may go wrong: flat, tied, extreme, nearly flat, mostly forbidden."""
    limits, steps = torch.finfo(dtype), torch.arange(V)
    largest, least = torch.tensor([limits.max, limits.min], dtype=dtype)
    rows = [
        torch.zeros(V),
        torch.full((V,), -7.25, dtype=dtype),
        torch.where(steps == V // 2, 0, -INF),  # one token only
        torch.where(steps == V - 1, largest, least),
        torch.where(steps % 2 == 0, least, largest),
        least.expand(V),
        largest.expand(V),
        torch.where(steps == V - 1, limits.tiny, 0.0),  # no probability can tell the two apart
        torch.linspace(-0.01, 0.01, V),  # nearly flat
        steps * -3.0,
        (steps * 7 % 5) / 2 - 1,  # many ties
        torch.where(steps % 3 == 1, -INF, (steps * 11 % 13) / 4),
    ]
    rows = [row.to(dtype) for row in rows]
    return torch.stack([row for row in rows if (row > -INF).any()])


# ---- every control at every boundary ------------------------------------------------------------


def check_control(name, logits, value):
    before = logits.clone()
    got = controlled(name, logits, value)
    assert same(logits, before), "the input was changed"
    assert got.dtype == logits.dtype
    assert got.shape == logits.shape
    assert not got.isnan().any()
    assert got.amax(dim=-1).isfinite().all(), "nothing is left, or +inf"
    assert (got[before == -INF] == -INF).all(), "a removed token came back"
    if value == OFF[name]:
        assert same(got, before)
    if name in FILTERS:
        left = got > -INF
        assert same(got[left], before[left]), "a kept logit was changed"
    if name == "repetition_penalty":
        assert got[before > -INF].isfinite().all(), "the penalty removed a token"
        seen = every_other(logits.shape[-1])
        assert same(got[..., ~seen], before[..., ~seen])
    if name == "temperature":
        order = before.argsort(dim=-1)
        was, now = before.gather(-1, order), got.gather(-1, order)
        fell = (was[..., 1:] > was[..., :-1]) & (now[..., 1:] < now[..., :-1])
        assert not fell.any(), "a likelier token became less likely than another"
    return got


def check_neighbours(name, logits, value):
    """A row's result is the same alone, in any batch, in any order and any layout."""
    together = controlled(name, logits, value)
    for row, got in zip(logits, together, strict=True):
        assert same(controlled(name, row, value), got)
        assert same(controlled(name, row[None], value)[0], got)
    assert same(controlled(name, logits.flip(0), value).flip(0), together)
    assert same(controlled(name, logits.t().contiguous().t(), value), together)
    assert same(controlled(name, torch.stack([logits, logits.flip(0)]), value)[0], together)
    assert controlled(name, logits[:0], value).shape == (0, logits.shape[1])


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("V", [1, 2, 4, 7, 4096])
@pytest.mark.parametrize("name", NAMES)
def test_every_control_at_every_boundary_C18_C20_C22_C23_C24_C26(name, V, dtype):
    logits = hard_rows(V, dtype)
    for value in values(name, V):
        check_control(name, logits, value)
        check_neighbours(name, logits, value)


numbers = st.one_of(st.integers(-40, 40).map(lambda n: n / 4), st.floats(-30, 30, width=16))


@st.composite
def batches(draw, number=numbers, most=4):
    """Rows of logits [B, V], some tokens forbidden, none of the rows as a whole."""
    V = draw(st.integers(1, 7))
    row = st.lists(st.one_of(number, number, number, st.just(-INF)), min_size=V, max_size=V)
    rows = draw(st.lists(row.filter(lambda r: max(r) > -INF), min_size=1, max_size=most))
    return torch.tensor(rows).to(draw(st.sampled_from(FLOATS)))


@st.composite
def settings_of(draw, name, V):
    anything = {
        "temperature": st.floats(0, 1e300),
        "top_k": st.integers(0, V + 2),
        "repetition_penalty": st.floats(1e-300, 1e300),
    }.get(name, st.floats(0, 1))
    return draw(st.one_of(st.sampled_from(values(name, V)), anything))


@given(batches(), st.sampled_from(NAMES), st.data())
@examples(250)
def test_every_control_at_any_setting_on_any_rows(logits, name, data):
    value = data.draw(settings_of(name, logits.shape[1]))
    check_control(name, logits, value)
    check_neighbours(name, logits, value)


# ---- equality with the plain definitions, one row in Python's own numbers -----------------------


def slow_law(row):
    top = max(row)
    weights = [math.exp(x - top) for x in row]
    return [weight / math.fsum(weights) for weight in weights]


def slow_reach(order, law, share):
    chosen = []
    for i in order:
        if chosen and math.fsum(law[j] for j in chosen) >= share - 1e-12:
            break
        chosen.append(i)
    return set(chosen)


def slow_top_k(row, k):
    order = sorted(range(len(row)), key=lambda i: (-row[i], i))
    return set(order[:k] if k else order) & {i for i, x in enumerate(row) if x > -INF}


def slow_top_p(row, p):
    order = sorted(range(len(row)), key=lambda i: (-row[i], i))
    return slow_reach(order, slow_law(row), p)


def slow_min_p(row, p):
    law = slow_law(row)
    return {i for i, q in enumerate(law) if q >= p * max(law) and q > 0}


def slow_distances(row):
    law = slow_law(row)
    entropy = -math.fsum(q * math.log(q) for q in law if q > 0)
    return [round(abs(-math.log(q) - entropy), 6) if q > 0 else INF for q in law]


def slow_typical(row, mass):
    distances = slow_distances(row)
    order = sorted(range(len(row)), key=lambda i: (distances[i], i))
    return slow_reach(order, slow_law(row), mass)


SLOW = {"top_k": slow_top_k, "top_p": slow_top_p, "min_p": slow_min_p, "typical": slow_typical}
inner_shares = st.floats(0.001, 0.999).filter(lambda p: p * 4 != int(p * 4))


@given(batches(), st.sampled_from(list(FILTERS)), inner_shares, st.integers(0, 9))
@examples(300)
def test_filters_keep_what_their_definition_says_C22_C26(logits, name, share, k):
    value = k if name == "top_k" else share
    for row, got in zip(logits, FILTERS[name](logits, value), strict=True):
        assert kept(got) == SLOW[name](row.tolist(), value)


@pytest.mark.parametrize("name", FILTERS)
def test_filters_equal_their_definition_on_a_long_row(name):
    drawn = random.Random(4)
    row = [drawn.gauss(0, 2) for _ in range(300)]
    for value in (1, 2, 50, 299) if name == "top_k" else (1e-4, 0.02, 0.2, 0.6, 0.95, 0.999):
        got = FILTERS[name](torch.tensor(row, dtype=torch.float64), value)
        assert kept(got) == SLOW[name](row, value)


@given(batches(), st.floats(0.01, 100), st.data())
def test_the_penalty_is_its_definition_on_every_seen_id_C24(logits, penalty, data):
    B, V = logits.shape
    flags = st.lists(st.lists(st.booleans(), min_size=V, max_size=V), min_size=B, max_size=B)
    seen = torch.tensor(data.draw(flags))
    got = repetition_penalty(logits.double(), seen, penalty)
    for b, i in product(range(B), range(V)):
        x = logits[b, i].item()
        wanted = (x / penalty if x > 0 else x * penalty) if seen[b, i] else x
        assert got[b, i].item() == wanted


@given(batches(), st.floats(0.05, 20))
def test_temperature_divides_the_distances_to_the_largest_C23(logits, value):
    exact = logits.double()
    got, top = temperature(exact, value), exact.amax(dim=-1, keepdim=True)
    if value != 1:
        assert same(got, (exact - top) / value)
    torch.testing.assert_close(got.softmax(-1), (exact / value).softmax(-1), rtol=1e-9, atol=1e-12)


# ---- what each control must and must not care about ---------------------------------------------


@given(batches(), st.sampled_from(["top_k", "min_p", "temperature"]), st.data())
@examples(150)
def test_top_k_min_p_and_greedy_change_nothing_the_second_time(logits, name, data):
    value = 0 if name == "temperature" else data.draw(settings_of(name, logits.shape[1]))
    once = controlled(name, logits, value)
    assert same(controlled(name, once, value), once)


@given(batches(), st.sampled_from(list(FILTERS)), st.data())
@examples(200)
def test_a_stricter_filter_keeps_a_part_of_what_a_looser_one_keeps(logits, name, data):
    V = logits.shape[1]
    strict, loose = sorted(data.draw(settings_of(name, V)) for _ in range(2))
    if name == "min_p" or (name == "top_k" and strict == 0):  # of min-p more is stricter; 0 is off
        strict, loose = loose, strict
    some, more = FILTERS[name](logits, strict), FILTERS[name](logits, loose)
    if not (name == "top_k" and loose == 0 == strict):
        assert not ((some > -INF) & ~(more > -INF)).any()


quarters = st.integers(-40, 40).map(lambda n: n / 4)


@given(batches(number=quarters), st.integers(-9, 9), st.sampled_from(list(FILTERS)), st.data())
@examples(150)
def test_a_constant_added_to_a_row_changes_no_choice(logits, constant, name, data):
    logits = logits.float()  # quarters and whole numbers: the sum is exact
    value = data.draw(settings_of(name, logits.shape[1]))
    there, here = (FILTERS[name](x, value) > -INF for x in (logits + constant, logits))
    assert torch.equal(there, here)
    for value in (0, 1e-5, 0.7, 3.0):
        moved, stayed = temperature(logits + constant, value), temperature(logits, value)
        assert torch.equal(moved.isfinite(), stayed.isfinite())
        assert value == 0 or torch.equal(moved, stayed)


@given(st.permutations(range(6)), st.sampled_from(NAMES), st.data())
@examples(200)
def test_without_ties_the_order_of_the_vocabulary_does_not_matter(order, name, data):
    row = data.draw(st.lists(quarters, min_size=6, max_size=6, unique=True))
    distances = sorted(slow_distances(row))
    assume(min(b - a for a, b in pairwise(distances)) > 1e-5)
    value, row = data.draw(settings_of(name, 6)), torch.tensor(row)
    if name == "repetition_penalty":
        seen = every_other(6)
        got = repetition_penalty(row[order], seen[order], value)
        assert torch.equal(got, repetition_penalty(row, seen, value)[order])
    else:
        moved, stayed = controlled(name, row[order], value), controlled(name, row, value)
        assert torch.equal(moved, stayed[order])


@given(batches())
def test_top_p_0_top_k_1_and_temperature_0_are_all_greedy_C18_C23(logits):
    greedy = temperature(logits, 0)
    assert ((greedy > -INF).sum(dim=-1) == 1).all()
    assert torch.equal(greedy.argmax(dim=-1), logits.argmax(dim=-1))
    assert same(top_k(logits, 1), greedy)
    assert same(top_p(logits, 0), greedy)


# ---- exact numbers ------------------------------------------------------------------------------

FOUR = [0.5, 0.3, 0.15, 0.05]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("p", [0, 1e-8, 1e-4])
def test_a_tiny_top_p_leaves_the_argmax_alone_C18(p, dtype):
    assert kept(top_p(torch.tensor(FOUR).log().to(dtype), p)) == {0}
    assert kept(top_p(torch.tensor(FOUR[::-1]).log().to(dtype), p)) == {3}
    flat = torch.linspace(0, 0.01, 4096).flip(0).roll(100).to(dtype)  # 4096-way and nearly flat
    assert kept(top_p(flat, p)) == {int(flat.argmax())}
    assert kept(top_p(torch.stack([flat, flat.flip(0)]), p)[1]) == {int(flat.flip(0).argmax())}


@pytest.mark.parametrize(("dtype", "tiny"), [(torch.float32, 1e-20), (torch.bfloat16, 1e-20)])
def test_top_p_0_sees_a_difference_that_no_probability_shows_C18(dtype, tiny):
    logits = torch.tensor([0.0, tiny], dtype=dtype)
    assert logits.double().softmax(-1).tolist() == [0.5, 0.5]
    assert kept(top_p(logits, 0)) == {1} == kept(temperature(logits, 0))


@pytest.mark.parametrize(("p", "count"), [(0.5, 1), (0.51, 2), (0.8, 2), (0.95, 3), (0.96, 4)])
def test_top_p_is_reached_by_equality_however_a_sum_is_rounded(p, count):
    assert kept(top_p(torch.tensor(FOUR, dtype=torch.float64).log(), p)) == set(range(count))
    even = torch.zeros(10, dtype=torch.float64)
    for tenths in range(1, 10):
        assert kept(top_p(even, tenths / 10)) == set(range(tenths))


@pytest.mark.parametrize("dtype", FLOATS)
def test_top_k_of_the_vocabulary_or_more_is_off_and_so_is_0_C20(dtype):
    logits = torch.tensor([[2.0, 1.0, 0.0, -1.0], [0.0, 0.0, 0.0, 0.0]], dtype=dtype)
    for k in (4, 5, 100_000, 0):
        assert same(top_k(logits, k), logits)


def test_nothing_outside_top_k_is_left_C22():
    logits = torch.tensor([2.0, 1.0, 0.0, -1.0])
    law = Controls(top_k=2).law(logits)
    assert [f"{q:.6f}" for q in law[:2].tolist()] == ["0.731059", "0.268941"]
    assert law[2:].tolist() == [0.0, 0.0]
    assert top_k(logits, 2).tolist() == [2.0, 1.0, -INF, -INF]
    twelve = torch.tensor([-2, -1, 0, 0.8, 0, 0.1, 0.3, 0.4, 0.5, 0.6, 0.7, -3])
    assert kept(top_k(twelve, 1)) == {3}


@given(batches(), st.integers(1, 8))
def test_exactly_k_are_left_or_all_there_are_C22(logits, k):
    there = (logits > -INF).sum(dim=-1)
    assert torch.equal((top_k(logits, k) > -INF).sum(dim=-1), there.clamp(max=k))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("value", [0, 1e-5, 1e-45])
def test_a_very_low_temperature_is_greedy_and_finite_C23(value, dtype):
    logits = torch.tensor([2.875, 2.955, 11.0625], dtype=dtype)
    got = temperature(logits, value)
    assert got.argmax() == 2
    assert got[2].isfinite()
    assert got.softmax(dim=-1).tolist() == [0.0, 0.0, 1.0]
    assert Controls(temperature=value).law(logits).tolist() == [0.0, 0.0, 1.0]


def test_temperature_is_applied_once_C23():
    law = Controls(temperature=2).law(torch.tensor([2.0, 0.0]))
    assert [f"{q:.6f}" for q in law.tolist()] == ["0.731059", "0.268941"]


@pytest.mark.parametrize("dtype", FLOATS)
def test_the_penalty_makes_negative_logits_more_negative_C24(dtype):
    logits = torch.tensor([2.0, -2.0, 0.5], dtype=dtype)
    seen = torch.tensor([True, True, False])
    assert repetition_penalty(logits, seen, 2).tolist() == [1.0, -4.0, 0.5]
    assert same(repetition_penalty(logits, seen, 1), logits)


@given(batches(), st.floats(1, 1e6), st.floats(1, 1e6))
def test_a_higher_penalty_never_makes_a_seen_token_likelier_C24(logits, one, other):
    seen = every_other(logits.shape[1])
    low, high = (repetition_penalty(logits, seen, p) for p in sorted((one, other)))
    assert (high <= low).all()
    assert (low <= logits).all()
    below_1 = repetition_penalty(logits, seen, 1 / one)
    assert (below_1 >= logits).all()


@pytest.mark.parametrize("dtype", FLOATS)
def test_min_p_measures_against_the_most_likely_token_of_each_row_C26(dtype):
    logits = torch.tensor([[0, 3, 2, -1], [5, 0, 0, 0]], dtype=dtype)
    law = [f"{q:.4f}" for q in Controls().law(logits)[0].tolist()]
    assert law == ["0.0347", "0.6964", "0.2562", "0.0128"]
    got = min_p(logits, 0.2)
    assert [kept(row) for row in got] == [{1, 2}, {0}]


def test_typical_may_remove_the_most_likely_token():
    logits = torch.tensor([0.5, 0.2, 0.2, 0.1], dtype=torch.float64).log()
    # entropy 1.2206 nats; surprises 0.6931, 1.6094, 1.6094, 2.3026
    assert kept(typical(logits, 0)) == {1}
    assert kept(typical(logits, 0.3)) == {1, 2}
    assert kept(typical(logits, 0.5)) == {0, 1, 2}
    assert kept(typical(logits, 0.95)) == {0, 1, 2, 3}


# ---- ties ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", FLOATS)
def test_ties_follow_the_stated_rules(dtype):
    ties = torch.tensor([0, 2, 2, 1, 2], dtype=dtype)
    assert kept(temperature(ties, 0)) == {1}
    assert [kept(top_k(ties, k)) for k in (1, 2, 3)] == [{1}, {1, 2}, {1, 2, 4}]
    even = torch.zeros(4, dtype=dtype)
    assert [kept(top_p(even, p)) for p in (0, 0.25, 0.26, 0.5, 0.75)] == [
        {0},
        {0},
        {0, 1},
        {0, 1},
        {0, 1, 2},
    ]
    assert [kept(typical(even, m)) for m in (0, 0.25, 0.5, 0.75)] == [{0}, {0}, {0, 1}, {0, 1, 2}]
    assert kept(min_p(ties, 1)) == {1, 2, 4}  # equal ones together


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_equally_usual_tokens_go_by_id_though_one_is_likelier(dtype):
    # 1/2 and 1/4 lie equally far from the entropy, 1.5 ln 2
    for law, first in (([0.25, 0.25, 0.5], {0}), ([0.5, 0.25, 0.25], {0}), ([0, 0.5, 0.5], {1})):
        assert kept(typical(torch.tensor(law, dtype=dtype).log(), 0)) == first
    assert kept(typical(torch.tensor([0.25, 0.25, 0.5], dtype=dtype).log(), 0.4)) == {0, 1}


# ---- the chain ----------------------------------------------------------------------------------


@st.composite
def chains(draw, V):
    names = draw(st.lists(st.sampled_from(NAMES), unique=True))
    return {name: draw(settings_of(name, V)) for name in names}


@given(batches(), st.data())
@examples(150)
def test_the_chain_is_its_controls_one_after_the_other_in_the_stated_order(logits, data):
    V = logits.shape[1]
    chain = data.draw(chains(V))
    allowed = logits > -INF
    allowed[:, data.draw(st.integers(0, V - 1))] = False
    allowed = allowed if allowed.any(dim=1).all() and data.draw(st.booleans()) else None
    seen = every_other(V)

    def by_hand(x):
        x = x if allowed is None else only(x, allowed)
        x = repetition_penalty(x, seen, chain.get("repetition_penalty", 1))
        x = temperature(x, chain.get("temperature", 1))
        for name in ("top_k", "top_p", "min_p", "typical"):
            x = FILTERS[name](x, chain.get(name, OFF[name]))
        return x

    before = logits.clone()
    controls = Controls.of(**chain)
    assert same(controls.apply(logits, seen=seen, allowed=allowed), by_hand(logits))
    law = controls.law(logits, seen=seen, allowed=allowed)
    assert same(law, by_hand(logits.double()).softmax(dim=-1))
    torch.testing.assert_close(law.sum(dim=-1), torch.ones_like(law[:, 0]), rtol=0, atol=1e-12)
    assert not law[logits == -INF].any()
    assert allowed is None or not law[~allowed].any()
    assert same(logits, before)
    for b, row in enumerate(logits):  # and no neighbour has a say
        mine = None if allowed is None else allowed[b]
        assert same(controls.law(row, seen=seen, allowed=mine), law[b])


def test_the_order_of_the_chain_matters_and_is_the_stated_one():
    four = torch.tensor(FOUR, dtype=torch.float64).log()
    # top-k before top-p: of the two that top-k leaves, the first has 0.625 of the weight
    assert kept(Controls(top_k=2, top_p=0.6).apply(four)) == {0}
    assert kept(top_k(top_p(four, 0.6), 2)) == {0, 1}
    # temperature before top-p: at 0.5 the first has 0.685
    assert kept(Controls(temperature=0.5, top_p=0.6).apply(four)) == {0}
    # top-p before min-p before typical
    assert kept(Controls(top_p=0.9, min_p=0.4).apply(four)) == {0, 1}
    # the penalty before temperature, which moves all logits to 0 and below
    got = Controls(temperature=2, repetition_penalty=2).apply(
        torch.tensor([3.0, 1.0]), seen=torch.tensor([False, True])
    )
    assert got.tolist() == [0.0, -1.25]
    # the grammar first: what it removes has no share in anything
    allowed = torch.tensor([False, True, True, True])
    assert kept(Controls(top_k=1).apply(four, allowed=allowed)) == {1}
    assert kept(Controls(top_p=0.6).apply(four, allowed=allowed)) == {1}


@given(batches())
def test_all_off_changes_no_bit(logits):
    seen = every_other(logits.shape[1])
    assert same(Controls().apply(logits), logits)
    assert same(Controls(**OFF).apply(logits, seen=seen, allowed=logits > -INF), logits)
    assert same(Controls().law(logits), logits.double().softmax(dim=-1))


@given(
    st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), min_size=1, max_size=3),
    st.lists(st.integers(0, 3), min_size=3, max_size=3),
)
def test_seen_ids_are_those_that_stand_in_the_row_padding_left_out(rows, pads):
    tokens = torch.tensor(rows)
    mask = torch.stack([torch.arange(4) >= pad for pad in pads[: len(rows)]])
    for b, row in enumerate(rows):
        assert kept_ids(seen_ids(tokens, 6)[b]) == set(row)
        assert kept_ids(seen_ids(tokens, 6, mask)[b]) == set(row[pads[b] :])


def kept_ids(flags):
    return set(flags.nonzero().flatten().tolist())


# ---- what is drawn follows the exact law --------------------------------------------------------
# Each comparison fails by chance once in ten million (see variation_limit).

SIX = [0.35, 0.25, 0.15, 0.11, 0.08, 0.06]
FORBIDDEN = [math.log(q) for q in SIX] + [-INF]
DRAWN = [  # right settings, and nearby wrong ones that the limit must see
    ({"top_k": 3}, [{"top_k": 2}, {"top_k": 4}, {}]),
    ({"top_p": 0.7}, [{"top_p": 0.5}, {"top_p": 0.8}]),
    ({"min_p": 0.35}, [{"min_p": 0.5}, {"min_p": 0.3}]),
    ({"typical": 0.35}, [{"typical": 0.2}, {"typical": 0.45}, {"top_p": 0.35}]),
    ({"temperature": 0.6}, [{"temperature": 0.4}, {}]),
    ({"temperature": 2.0}, [{"temperature": 3.5}, {}]),
    ({"temperature": 0.5, "top_p": 0.8}, [{"top_p": 0.8}, {"temperature": 0.5}]),
    ({"top_k": 5, "min_p": 0.35}, [{"top_k": 5}, {"top_k": 2}]),
    ({"temperature": 0, "top_k": 3}, [{"top_k": 3}]),
]


def slow_controlled_law(row, chain):
    if chain.get("temperature") == 0:
        return [float(i == row.index(max(row))) for i in range(len(row))]
    row = [x / chain.get("temperature", 1) for x in row]
    for name in ("top_k", "top_p", "min_p", "typical"):
        if name in chain:
            left = SLOW[name](row, chain[name])
            row = [x if i in left else -INF for i, x in enumerate(row)]
    return slow_law(row)


@pytest.mark.parametrize(("right", "wrong"), DRAWN)
def test_draws_follow_the_exact_law_under_each_control(right, wrong):
    rows, steps = 2000, 4
    draws = rows * steps
    tokens = torch.full((rows, 1), BOS)
    got = generate(OneLaw(FORBIDDEN), tokens, max_new_tokens=steps, stop_ids=None, **right)
    counts = Counter(got.tokens.flatten().tolist())
    limit = variation_limit(len(FORBIDDEN), draws)
    law = slow_controlled_law(FORBIDDEN, right)
    assert variation(counts, dict(enumerate(law)), draws) < limit
    assert all(law[token] > 0 for token in counts)
    for chain in wrong:
        other = slow_controlled_law(FORBIDDEN, chain)
        assert variation(counts, dict(enumerate(other)), draws) > limit


def test_draws_under_the_penalty_remember_prompt_and_new_tokens_C24():
    row, penalty, draws = [1.5, 0.75, 0.5, -0.5], 2.0, 8000

    def law(seen, penalty):
        changed = [x / penalty if x > 0 else x * penalty for x in row]
        return slow_law([changed[i] if i in seen else x for i, x in enumerate(row)])

    def pairs(penalty, remember=True):
        first = law({2, 3}, penalty)
        return {
            (i, j): first[i] * law({2, 3} | ({i} if remember else set()), penalty)[j]
            for i, j in product(range(4), repeat=2)
        }

    # the first id is padding here, so it does not count as seen
    tokens = torch.tensor([[PAD, 2, 3]]).expand(draws, 3)
    got = generate(
        OneLaw(row),
        tokens,
        token_mask=torch.tensor([[False, True, True]]).expand(draws, 3),
        max_new_tokens=2,
        stop_ids=None,
        repetition_penalty=penalty,
    )
    counts = Counter(map(tuple, got.tokens.tolist()))
    limit = variation_limit(16, draws)
    assert variation(counts, pairs(penalty), draws) < limit
    for other in (pairs(1.0), pairs(1.4), pairs(4.0), pairs(penalty, remember=False)):
        assert variation(counts, other, draws) > limit


# ---- bad input ----------------------------------------------------------------------------------

NO_SHARE = [-0.1, -5e-324, math.nextafter(1, 2), 2, math.nan, INF, -INF, True, "0.5", None]
IMPOSSIBLE = [
    ("temperature", [-1, -5e-324, math.nan, INF, -INF, 10**400, True, "1", None], "0 (greedy)"),
    ("top_k", [-1, 2.5, 2.0, math.nan, INF, True, False, "3", None], "whole number of 0 (off)"),
    ("top_p", NO_SHARE, "a share from 0 to 1"),
    ("min_p", NO_SHARE, "a share from 0 to 1"),
    ("typical", NO_SHARE, "a share from 0 to 1"),
    ("repetition_penalty", [0, -0.0, -1, math.nan, INF, -INF, True, "2", None], "positive number"),
]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [(name, value, words) for name, bad, words in IMPOSSIBLE for value in bad],
)
def test_impossible_settings_are_refused_by_name_C20_C23(name, value, words):
    logits = torch.tensor([1.0, 0.0])
    calls = [
        lambda: controlled(name, logits, value),
        lambda: Controls(**{name: value}),
        lambda: Controls.of(**{name: value}),
        lambda: generate(
            OneLaw([0.0, 0.0, 0.0]), torch.tensor([[BOS]]), max_new_tokens=1, **{name: value}
        ),
    ]
    for call in calls:
        with pytest.raises(ValueError) as caught:
            call()
        assert str(caught.value).startswith(f"{name} is {value!r}; give ")
        assert words in str(caught.value)


NAN = math.nan
BROKEN = [
    (torch.tensor([0.0, NAN]), ValueError, "NaN in row 0"),
    (torch.tensor([[0.0, 1.0], [NAN, 1.0]]), ValueError, "NaN in row 1"),
    (torch.tensor([[[0.0, 1.0], [1.0, 0.0]], [[0.0, 1.0], [INF, NAN]]]), ValueError, "row 1, 1"),
    (torch.tensor([[0.0, 1.0], [-INF, -INF]]), ValueError, "row 1 has no finite largest value"),
    (torch.tensor([[0.0, INF], [0.0, 1.0]]), ValueError, "row 0 has no finite largest value"),
    (torch.tensor([-INF]), ValueError, "row 0 has no finite largest value"),
    (torch.tensor([1, 2]), TypeError, "torch.int64"),
    (torch.tensor([True]), TypeError, "torch.bool"),
    (torch.tensor([1j]), TypeError, "torch.complex64"),
    ([0.0, 1.0], TypeError, "list"),
    (torch.zeros(2, 0), ValueError, "[2, 0]"),
    (torch.tensor(1.0), ValueError, "[]"),
]


@pytest.mark.parametrize(("logits", "error", "words"), BROKEN)
def test_broken_logits_are_refused_by_every_control_and_the_row_is_named(logits, error, words):
    any_seen = torch.tensor([True, True])
    calls = [check_logits, Controls().apply, Controls().law, Controls(top_k=1).law]
    calls += [lambda x, f=f: f(x, 1) for f in (temperature, *FILTERS.values())]
    calls += [lambda x, f=f: f(x, 0) for f in (temperature, *FILTERS.values())]
    calls += [lambda x: repetition_penalty(x, any_seen, 2), lambda x: only(x, any_seen)]
    for call in calls:
        with pytest.raises(error) as caught:
            call(logits)
        assert "logits" in str(caught.value)
        assert words in str(caught.value)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_broken_logits_of_half_precision_are_refused_too(dtype):
    for row in ([NAN, 0], [INF, 0], [-INF, -INF]):
        with pytest.raises(ValueError, match="row 1"):
            top_p(torch.tensor([[0, 0], row], dtype=dtype), 0.5)


def test_an_unknown_control_is_named_beside_those_there_are():
    with pytest.raises(TypeError) as caught:
        Controls.of(top_k=2, topp=0.5)
    assert str(caught.value).startswith("'topp' is no control")
    assert all(name in str(caught.value) for name in NAMES)
    with pytest.raises(TypeError, match="'temprature' is no control"):
        generate(OneLaw([0.0] * 3), torch.tensor([[BOS]]), max_new_tokens=1, temprature=1)


def test_a_penalty_without_the_seen_ids_is_refused():
    with pytest.raises(ValueError, match="repetition_penalty needs seen"):
        Controls(repetition_penalty=2).apply(torch.zeros(3))
    assert Controls(repetition_penalty=1).apply(torch.zeros(3)).tolist() == [0, 0, 0]


ANY = torch.ones(2, 3, dtype=torch.bool)
MISFITS = [ANY.long(), ANY.float(), ANY[:, :2], ANY[:, :1], ANY[None], ANY[[0, 0, 0]], ANY[0, 0]]


@pytest.mark.parametrize("choice", [*MISFITS, [True, True, True], None])
def test_seen_and_allowed_must_be_booleans_that_fit(choice):
    logits = torch.zeros(2, 3)
    with pytest.raises(ValueError, match=r"^seen is .*give booleans .*\[2, 3\]"):
        repetition_penalty(logits, choice, 2)
    with pytest.raises(ValueError, match=r"^allowed is .*give booleans .*\[2, 3\]"):
        only(logits, choice)


def test_seen_and_allowed_may_be_for_each_row_or_for_all():
    logits = torch.tensor([[2.0, 1.0], [-1.0, 1.0]])
    flags = torch.tensor([True, False])
    for choice in (flags, flags[None], flags.expand(2, 2)):
        assert only(logits, choice).tolist() == [[2.0, -INF], [-1.0, -INF]]
        assert repetition_penalty(logits, choice, 2).tolist() == [[1.0, 1.0], [-2.0, 1.0]]


@pytest.mark.parametrize("dtype", FLOATS)
def test_a_row_in_which_nothing_allowed_is_left_is_named(dtype):
    logits = torch.tensor([[0, 1, 2], [0, -INF, -INF]], dtype=dtype)
    wanted = torch.tensor([[False, True, True], [False, True, True]])
    with pytest.raises(ValueError, match="no allowed token is left in row 1"):
        only(logits, wanted)
    with pytest.raises(ValueError, match="no allowed token is left in row 0"):
        Controls(temperature=0).law(logits, allowed=torch.zeros(3, dtype=torch.bool))
    assert kept(only(logits[:1], wanted[:1])[0]) == {1, 2}


@pytest.mark.filterwarnings("error")
def test_numbers_of_every_kind_say_the_same():
    logits = torch.tensor([[1.0, 2.0, 0.5, 2.0]])
    half = {float: 0.5, Fraction: Fraction(1, 2), **{kind: kind(0.5) for kind in NUMPY_FLOATS}}
    for control in (temperature, top_p, min_p, typical):
        wanted = control(logits, 0.5)
        for kind, value in half.items():
            assert torch.equal(control(logits, value), wanted), (control.__name__, kind)
    for value in half.values():
        changed = repetition_penalty(logits, logits > 0, value)
        assert torch.equal(changed, repetition_penalty(logits, logits > 0, 0.5))
    assert torch.equal(top_k(logits, np.int64(2)), top_k(logits, 2))
    for wrong in (np.float32(2), np.bool_(True), np.int64(-1)):
        with pytest.raises(ValueError, match="top_k is"):
            top_k(logits, wrong)


@given(st.data())
def test_greedy_chooses_what_the_law_at_temperature_0_has_all_its_weight_on(data):
    whole = st.integers(-3, 3).map(float)  # so that there are ties
    logits = torch.tensor([[data.draw(whole) for _ in range(5)] for _ in range(2)])
    penalty = data.draw(st.sampled_from([1.0, 0.5, 1.7]))
    top_p = data.draw(st.sampled_from([0.3, 1.0]))
    chain = Controls(temperature=0, repetition_penalty=penalty, top_p=top_p)
    masks = st.lists(st.booleans(), min_size=5, max_size=5)
    options = {"seen": torch.tensor([data.draw(masks) for _ in range(2)])}
    if data.draw(st.booleans()):
        options["allowed"] = torch.tensor([data.draw(masks.filter(any)) for _ in range(2)])
    law = chain.law(logits, **options)
    assert torch.equal(chain.greedy(logits, **options), law.argmax(dim=-1))
    assert law.amax(dim=-1).tolist() == [1, 1]
