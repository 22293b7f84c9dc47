"""A field of a file from elsewhere is read, is harmless, or is refused by its name."""

import pytest

from helpers.fields import refuse_unknown


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
