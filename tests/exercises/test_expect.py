"""What checks say of values: the right kind, the right content, and the words for each slip."""

import math

import pytest
import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, WrongForm

NAN, INF = float("nan"), float("inf")


def fault(function, *given, **settings):
    """Return what a function says of a wrong value, and whether that ends the check."""
    with pytest.raises(Broken) as caught:
        function(*given, **settings)
    return caught.value.fault, type(caught.value) is WrongForm


def test_a_tensor_comes_back_in_double_precision():
    for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
        value = expect.tensor(torch.ones(2, 3, dtype=dtype), (2, 3))
        assert value.dtype == torch.float64 and value.shape == (2, 3)
    for dtype in (torch.uint8, torch.int32, torch.int64):
        assert expect.tensor(torch.ones(2, dtype=dtype), [2], "int").dtype == torch.int64
    assert expect.tensor(torch.tensor([True]), (1,), "bool").dtype == torch.bool
    assert expect.tensor(torch.tensor(1.0), ()).shape == ()
    assert expect.tensor(torch.zeros(0), (0,)).numel() == 0


@pytest.mark.parametrize(
    "value, words",
    [
        (None, "it returned nothing (None) where a tensor is asked for"),
        (1.5, "it returned a float where a tensor is asked for"),
        (1, "it returned an int where a tensor is asked for"),
        ([1.0, 2.0], "it returned a list or tuple where a tensor is asked for"),
        (torch.ones(1, 2), "it returned a tensor of shape [1, 2] where [2] is asked for"),
        (torch.ones(()), "it returned a tensor of shape [] where [2] is asked for"),
        (
            torch.ones(2, dtype=torch.int64),
            "it returned whole numbers (int64) where floating-point ones are asked for",
        ),
        (
            torch.tensor([True, True]),
            "it returned boolean numbers (bool) where floating-point ones are asked for",
        ),
        (
            torch.ones(2, dtype=torch.complex64),
            "it returned complex numbers (complex64) where floating-point ones are asked for",
        ),
    ],
)
def test_another_kind_of_thing_ends_the_check(value, words):
    assert fault(expect.tensor, value, (2,)) == (words, True)


def test_kinds_of_tensors_are_not_mixed():
    words = "it returned floating-point numbers (float32) where {} ones are asked for"
    assert fault(expect.tensor, torch.ones(2), (2,), "int") == (words.format("whole"), True)
    assert fault(expect.tensor, torch.ones(2), (2,), "bool") == (words.format("boolean"), True)
    assert fault(expect.tensor, torch.tensor([True]), (1,), "int")[1]
    assert fault(expect.tensor, torch.tensor([1]), (1,), "bool")[1]


def test_nan_and_infinity_are_broken_unless_infinity_is_allowed():
    assert fault(expect.tensor, torch.tensor([1, NAN]), (2,)) == (
        "NaN stands in what it returned",
        False,
    )
    for value in (INF, -INF):
        given = torch.tensor([1, value])
        assert fault(expect.tensor, given, (2,)) == ("infinity stands in what it returned", False)
        assert expect.tensor(given, (2,), infinite=True)[1] == value
    assert fault(expect.tensor, torch.tensor([-INF, NAN]), (2,), infinite=True)[0].startswith("NaN")
    assert fault(expect.number, NAN) == ("NaN stands in what it returned", False)
    assert fault(expect.number, INF) == ("infinity stands in what it returned", False)
    assert expect.number(-INF, infinite=True) == -INF
    assert fault(expect.numbers, [1.0, NAN])[0].startswith("NaN")
    assert fault(expect.numbers, [1.0, INF])[0].startswith("infinity")


def test_what_was_seen_is_handed_on():
    for function, value, more in (
        (expect.tensor, 5, ((2,),)),
        (expect.tensor, torch.tensor([NAN]), ((1,),)),
        (expect.number, None, ()),
        (expect.number, NAN, ()),
        (expect.whole, 0.5, ()),
        (expect.truth, 1, ()),
        (expect.text, 1, ()),
        (expect.items, 1, ()),
        (expect.items, [], (2,)),
        (expect.numbers, ["a"], ()),
        (expect.wholes, [0.5], ()),
        (expect.table, 1, ("a",)),
        (expect.table, {}, ("a",)),
        (expect.equal, 1, (2,)),
    ):
        with pytest.raises(Broken) as caught:
            function(value, *more, seen="for T = 1:")
        assert caught.value.seen.startswith("for T = 1"), function
        assert not caught.value.seen.endswith(":")


@pytest.mark.parametrize(
    "value", [2, 2.0, torch.tensor(2), torch.tensor(2.0), torch.tensor(2.0).half()]
)
def test_a_number_is_an_int_a_float_or_a_tensor_without_axes(value):
    number = expect.number(value)
    assert type(number) is float and number == 2


@pytest.mark.parametrize(
    "value, words",
    [
        (None, "nothing (None)"),
        (True, "a bool"),
        ("2", "a str"),
        ([2.0], "a list or tuple"),
        (torch.ones(1), "a tensor of shape [1] (float32)"),
        (torch.tensor(True), "a tensor of shape [] (bool)"),
        (torch.tensor(1 + 0j), "a complex"),
    ],
)
def test_what_is_no_number(value, words):
    assert fault(expect.number, value) == (f"it returned {words} where a number is asked for", True)


def test_a_number_beyond_all_bounds_is_broken():
    assert fault(expect.number, 10**400) == ("it returned a number beyond all bounds", False)


def test_a_whole_number_is_an_int_or_such_a_tensor():
    assert expect.whole(3) == 3 and type(expect.whole(torch.tensor(3))) is int
    assert expect.whole(10**400) == 10**400
    for value, words in (
        (3.0, "a float"),
        (True, "a bool"),
        (torch.tensor(3.0), "a tensor of shape [] (float32)"),
        (torch.tensor([3]), "a tensor of shape [1] (int64)"),
        (torch.tensor(True), "a tensor of shape [] (bool)"),
    ):
        words = f"it returned {words} where a whole number is asked for"
        assert fault(expect.whole, value) == (words, True)


def test_a_truth_is_a_bool_or_such_a_tensor():
    assert expect.truth(True) is True and expect.truth(torch.tensor(False)) is False
    for value in (1, 0.0, None, "True", torch.tensor(1), torch.tensor([True])):
        words, ends = fault(expect.truth, value)
        assert words.endswith("where True or False is asked for") and ends


def test_a_text_is_a_text():
    assert expect.text("→") == "→"
    for value in (1, None, ["a"]):
        words, ends = fault(expect.text, value)
        assert words.endswith("where a text is asked for") and ends


def test_items_numbers_and_wholes_are_lists_of_a_length():
    assert expect.items([1, "a"]) == [1, "a"] and expect.items([], 0) == []
    assert expect.numbers([1, torch.tensor(2.0)], 2) == [1.0, 2.0]
    assert expect.wholes([1, torch.tensor(2)]) == [1, 2]
    assert fault(expect.items, torch.ones(2)) == (
        "it returned a tensor of shape [2] (float32) where a list is asked for",
        True,
    )
    assert fault(expect.items, [1], 2) == ("it returned 1 items where 2 are asked for", True)
    assert fault(expect.numbers, ["a"]) == ("it returned a str where a number is asked for", True)
    assert fault(expect.wholes, [1.0])[0].endswith("where a whole number is asked for")
    assert fault(expect.numbers, [1, 2], 3)[0] == "it returned 2 items where 3 are asked for"
    for function in (expect.numbers, expect.wholes):
        for seen, words in (("", "in item 1"), ("for x:", "for x, in item 1")):
            with pytest.raises(WrongForm) as caught:
                function([1, None], seen=seen)
            assert caught.value.seen == words
    assert fault(expect.wholes, "ab", 2)[0] == "it returned a str where a list is asked for"


def test_a_table_has_exactly_the_keys():
    assert expect.table({"a": 1, 2: 3}, (2, "a")) == {"a": 1, 2: 3}
    assert (
        fault(expect.table, [1], "a")[0] == "it returned a list or tuple where a dict is asked for"
    )
    for value in ({}, {"a": 1, "b": 2}, {1: 1}):
        words, ends = fault(expect.table, value, ["a"])
        assert words == "the keys of the dict it returned are not the right ones" and ends
    with pytest.raises(WrongForm) as caught:
        expect.table({"b": 1, 1: 2}, ["a", 2], "for x")
    assert caught.value.seen == "for x it has [1, 'b'], asked for are [2, 'a']"


# -- equality


def test_last_digits_do_not_count():
    """C85."""
    for wrap in (float, lambda x: torch.tensor([x], dtype=torch.float64), lambda x: [x, {"a": x}]):
        expect.equal(wrap(0.123450001), wrap(0.123449999))
        assert expect.close(wrap(0.123450001), wrap(0.123449999))
        # what rounds to the same four digits may differ
        assert not expect.close(wrap(0.12346), wrap(0.12349))


@pytest.mark.parametrize("size", [0.0, 0.5, 1.0, -1.0])
@pytest.mark.parametrize("wrap", [float, torch.tensor])
def test_the_tolerance_is_1e_5_below_one(size, wrap):
    wrap = (lambda x: torch.tensor(x, dtype=torch.float64)) if wrap is torch.tensor else wrap
    for sign in (1, -1):
        assert expect.close(wrap(size + sign * 0.99e-5), wrap(size))
        assert not expect.close(wrap(size + sign * 1.02e-5), wrap(size))


def test_the_tolerance_grows_with_what_is_right():
    for wrap in (float, lambda x: torch.tensor([x], dtype=torch.float64)):
        assert expect.close(wrap(1000.0099), wrap(1000.0))
        assert not expect.close(wrap(1000.0102), wrap(1000.0))
        assert expect.close(wrap(1.01), wrap(1.0), tolerance=0.02)
        assert not expect.close(wrap(1.00001), wrap(1.0), tolerance=1e-6)


def test_whole_numbers_are_equal_or_not():
    """A count that is off by one is wrong, however large it is."""
    for a, b in ((10**6, 10**6 + 1), (2**60, 2**60 + 1), (13_772, 13_773)):
        assert expect.close(a, a) and not expect.close(a, b)
        assert expect.close(torch.tensor(a), torch.tensor(a))
        assert not expect.close(torch.tensor([a]), torch.tensor([b]))
        assert not expect.close([a], [b])
        assert not expect.close({"n": a}, {"n": b})
        # a number that was made a float is compared as one
        assert expect.close(float(a), a)
    assert expect.close(10**400, 10**400) and not expect.close(10**400, 10**400 + 1)
    assert not expect.close(10**400, 1.0)


def test_infinity_equals_itself_only_and_nan_nothing():
    for wrap in (float, lambda x: torch.tensor([x])):
        assert expect.close(wrap(INF), wrap(INF)) and expect.close(wrap(-INF), wrap(-INF))
        for a, b in (
            (INF, -INF),
            (INF, 1e30),
            (1e30, INF),
            (-INF, 0),
            (NAN, NAN),
            (NAN, 1),
            (1, NAN),
        ):
            assert not expect.close(wrap(a), wrap(b)), (a, b)


@pytest.mark.parametrize(
    "a, b",
    [
        (1, True),
        (True, 1),
        (0, False),
        (0, None),
        ("1", 1),
        ("a", "b"),
        (1.0, [1.0]),
        ([1.0], [1.0, 1.0]),
        ([], {}),
        ({"a": 1}, {"b": 1}),
        ({"a": 1}, {"a": 1, "b": 1}),
        ({"1": 1}, {1: 1}),
        (torch.ones(2), [1.0, 1.0]),
        (1.0, torch.tensor(1.0)),
        (torch.ones(2), torch.ones(1, 2)),
        (torch.ones(1), torch.ones(())),
        (torch.zeros(0), torch.zeros(0, 2)),
        (torch.tensor([True]), torch.tensor([False])),
        (torch.tensor([1, 2]), torch.tensor([2, 1])),
        ([[1.0], [2.0]], [[1.0], [3.0]]),
    ],
)
def test_different_values_are_not_close(a, b):
    assert not expect.close(a, b)
    assert not expect.close(b, a)


@pytest.mark.parametrize(
    "a, b",
    [
        (None, None),
        ("a", "a"),
        (True, True),
        (1, 1.0),
        (-0.0, 0.0),
        ([], []),
        ({"a": [1, "x"]}, {"a": [1.0, "x"]}),
        (torch.zeros(0), torch.zeros(0)),
        (torch.ones(2), torch.ones(2, dtype=torch.float64)),
        (torch.tensor([1, 2]), torch.tensor([1.0, 2.0])),
        (torch.tensor([True]), torch.tensor([True])),
    ],
)
def test_equal_values_are_close(a, b):
    assert expect.close(a, b) and expect.close(b, a)


def test_the_fault_that_is_known_is_said():
    known = [(0.5, "it is the half"), (4.0, "it is the square"), (4.0, "it is said too late")]
    assert fault(expect.equal, 4.0, 2.0, known=known) == ("it is the square", False)
    assert fault(expect.equal, 0.5, 2.0, known=known)[0] == "it is the half"
    assert fault(expect.equal, 3.0, 2.0, known=known)[0] == "it gives another value"
    assert fault(expect.equal, 3.0, 2.0, fault="it is wrong", known=known)[0] == "it is wrong"
    assert expect.equal(2.0, 2.0, known=known) is None
    # where a known fault gives what is right, it explains nothing
    assert fault(expect.equal, 2.00003, 2.0, known=[(2.00001, "a slip")])[0] == (
        "it gives another value"
    )
    given = torch.tensor([1.0, 4.0])
    known = [(torch.tensor([1.0, 4.0]), "squares")]
    assert fault(expect.equal, given, torch.tensor([2.0, 4.0]), known=known)[0] == "squares"


def test_what_it_gives_and_what_is_right_are_shown():
    with pytest.raises(Broken) as caught:
        expect.equal([1.0, 2.123456], [1.0, 3.0], "for x:")
    assert caught.value.seen == "for x: it gives [1, 2.123], right is [1, 3]"
    with pytest.raises(Broken) as caught:
        expect.equal("a", "b")
    assert caught.value.seen == "it gives 'a', right is 'b'"
    assert math.isclose(expect.TOLERANCE, 1e-5)


def test_what_differs_only_further_on_is_shown_in_more_digits():
    with pytest.raises(Broken) as caught:
        expect.equal(123.4561, 123.4599)
    assert caught.value.seen == "it gives 123.4561, right is 123.4599"


ONES = [1] * 40


@pytest.mark.parametrize(
    ("got", "right", "seen"),
    [
        ([*ONES, 2, *ONES], [*ONES, 1, *ONES], "at [40] it gives 2, right is 1"),
        ([ONES, [*ONES, 3]], [ONES, [*ONES, 2]], "at [1, 40] it gives 3, right is 2"),
        ([*ONES, 7], ONES, "from [40] on it gives [7], right is []"),
        ([[0], ONES], [[0], [*ONES, 4]], "from [1, 40] on it gives [], right is [4]"),
        (
            {"a": ONES, "b": [5, *ONES]},
            {"a": ONES, "b": [6, *ONES]},
            "at ['b', 0] it gives 5, right is 6",
        ),
        (
            "x" * 90 + "stop",
            "x" * 90 + "step",
            f"from [80] on it gives '{'x' * 10}stop', right is '{'x' * 10}step'",
        ),
        (torch.ones(20), torch.ones(21), "it gives tensor of shape [20], right is tensor of shape"),
    ],
)
def test_of_long_values_the_first_place_that_differs_is_shown(got, right, seen):
    """Two lists that were cut looked equal in the feedback of 21.5."""
    with pytest.raises(Broken) as caught:
        expect.equal(got, right)
    assert caught.value.seen.startswith(seen)


def test_of_a_large_tensor_the_first_number_that_is_off_is_shown():
    right = torch.arange(20.0).reshape(4, 5)
    got = right.clone()
    got[2, 3] = -1
    got[3, 0] = -2
    with pytest.raises(Broken) as caught:
        expect.equal(got, right, "for x:")
    assert caught.value.seen == "for x: at [2, 3] it gives -1, right is 13"
