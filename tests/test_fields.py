"""A field of a file from elsewhere is read, is harmless, or is refused by its name."""

import pytest

from helpers.fields import refuse_other, refuse_unknown


def test_what_is_read_or_harmless_passes():
    refuse_unknown({"a": 1, "b": None}, {"a", "c"}, ["b"], "x.json")
    refuse_unknown({}, (), (), "x.json")


@pytest.mark.parametrize("value", [0, False, None, "", [], 0.5])
def test_the_first_other_field_is_named_whatever_it_holds(value):
    with pytest.raises(ValueError) as caught:
        refuse_unknown({"a": 1, "new": value, "newer": 2}, {"a"}, {"b"}, "x.json, model")
    assert str(caught.value) == (
        f"x.json, model says new = {value!r}, which is not known here and could change the "
        "result; take a file without it"
    )


def test_a_long_value_stays_one_short_sentence():
    with pytest.raises(ValueError, match=r"says new = \[0, 1, .{40,60}\.\.\., which is") as caught:
        refuse_unknown({"new": list(range(1000))}, (), (), "x.json")
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 200


def test_a_field_that_may_only_be_off_is_named_with_what_it_may_be():
    only = {"dropout": (None, 0.0), "causal": (True,)}
    for fields in ({}, {"dropout": None}, {"dropout": 0}, {"causal": True, "other": 1}):
        refuse_other(fields, only, "x.json")
    for fields, words in (
        ({"dropout": 0.1}, "x.json says dropout = 0.1; only None or 0.0 is built here"),
        ({"dropout": False}, "says dropout = False; only None or 0.0"),
        ({"causal": 1}, "says causal = 1; only True"),
        ({"causal": [True]}, r"says causal = \[True\]; only True"),
    ):
        with pytest.raises(ValueError, match=words):
            refuse_other(fields, only, "x.json")
