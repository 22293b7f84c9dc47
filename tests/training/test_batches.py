"""Batches in an order that can be stopped and gone on with."""

from itertools import islice

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.training.batches import Batch, InTurn, digest, shuffled_batches


@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 5))
def test_each_round_shows_no_row_twice_and_all_rows_when_they_fill_it(count, size, seed):
    rows = [[1, *[3] * (i % 4), i + 4] for i in range(count)]  # each row once, by its last id
    size = min(size, count)
    in_a_round = count // size
    batches = list(islice(shuffled_batches(rows, size, seed=seed), 3 * in_a_round))
    assert all(batch.tokens.shape == (size, max(map(len, rows))) for batch in batches)
    for start in range(0, len(batches), in_a_round):
        seen = [
            tuple(tokens[mask].tolist())
            for batch in batches[start : start + in_a_round]
            for tokens, mask in zip(batch.tokens, batch.token_mask, strict=True)
        ]
        assert len(seen) == len(set(seen)) == in_a_round * size
        assert set(seen) <= set(map(tuple, rows))


def test_batches_go_on_in_a_new_order_each_round_and_repeat_with_the_seed():
    rows = [[1, i, 2] for i in range(20)]

    def orders(seed):
        batches = islice(shuffled_batches(rows, 10, seed=seed), 6)
        order = torch.cat([batch.tokens[:, 1] for batch in batches])
        return [part.tolist() for part in order.chunk(3)]

    first = orders(seed=4)
    assert all(sorted(order) == list(range(20)) for order in first)
    assert first[0] != first[1] != first[2]
    assert first == orders(seed=4)
    assert first != orders(seed=5)


def test_rows_left_over_from_a_round_come_in_later_rounds():
    batches = islice(shuffled_batches([[1, i] for i in range(5)], 4, seed=0), 12)
    assert {int(i) for batch in batches for i in batch.tokens[:, 1]} == set(range(5))


def test_batches_do_not_touch_the_global_generator():
    before = torch.get_rng_state()
    next(shuffled_batches([[1, 2], [1, 3]], 2, seed=7))
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("size", [0, -1, 4])
def test_batches_refuse_an_impossible_size(size):
    with pytest.raises(ValueError, match=f"batch_size is {size}; give 1 to 3"):
        next(shuffled_batches([[1], [1], [1]], size, seed=0))


# ---- a place to go on from ----------------------------------------------------------------------


def rows_of(count):
    return [[1, *[3] * (i % 3), i + 4] for i in range(count)]


@given(st.integers(2, 9), st.integers(1, 9), st.integers(0, 25), st.integers(0, 3))
def test_another_goes_on_from_a_place_with_the_same_batches(count, size, taken, seed):
    rows, size = rows_of(count), min(size, count)
    whole = shuffled_batches(rows, size, seed=seed)
    for _ in range(taken):
        next(whole)
    other = shuffled_batches(rows, size, seed=seed + 1)
    other.load_state(whole.state())
    for mine, others in zip(islice(whole, 12), islice(other, 12), strict=True):
        assert torch.equal(mine.tokens, others.tokens)
        assert torch.equal(mine.token_mask, others.token_mask)


def test_a_place_is_not_moved_by_the_batches_that_come_later():
    batches = shuffled_batches(rows_of(6), 2, seed=0)
    next(batches)
    place = batches.state()
    wanted = [digest(batch) for batch in islice(batches, 5)]
    batches.load_state(place)
    assert [digest(batch) for batch in islice(batches, 5)] == wanted


@pytest.mark.parametrize("taken", range(9))
def test_batches_in_turn_have_both_places(taken):
    def both():
        first, rest = (
            shuffled_batches(rows_of(4), 2, seed=0),
            shuffled_batches(rows_of(9), 2, seed=1),
        )
        return InTurn(first, 5, rest)

    whole, other = both(), both()
    for _ in range(taken):
        next(whole)
    other.load_state(whole.state())
    assert [digest(b) for b in islice(whole, 9)] == [digest(b) for b in islice(other, 9)]


@pytest.mark.parametrize(
    ("rows", "size", "words"),
    [
        (rows_of(6), 3, "batches of another size: batch_size was 2, here it is 3"),
        (rows_of(7), 2, "other rows: rows was"),
    ],
)
def test_a_place_in_other_batches_is_refused(rows, size, words):
    place = shuffled_batches(rows_of(6), 2, seed=0).state()
    with pytest.raises(ValueError, match=words):
        shuffled_batches(rows, size, seed=0).load_state(place)


def test_a_place_with_another_count_is_refused():
    batches = shuffled_batches(rows_of(6), 2, seed=0)
    with pytest.raises(ValueError, match="the saved place has count 3, these batches 4"):
        InTurn(batches, 4, batches).load_state(InTurn(batches, 3, batches).state())


def test_equal_batches_have_equal_digests_and_one_changed_id_or_mask_another():
    batch = Batch.of([[1, 3, 2], [1, 2]])
    assert digest(batch) == digest(Batch.of([[1, 3, 2], [1, 2]]))
    assert len(digest(batch)) == 12
    others = [
        Batch.of([[1, 4, 2], [1, 2]]),
        Batch.of([[1, 3, 2], [1, 2, 0]]),  # padding that counts as a token
        Batch.of([[1, 3, 2, 1, 2]]),
        Batch(batch.tokens.int(), batch.token_mask),
    ]
    assert len({digest(batch), *map(digest, others)}) == 5
