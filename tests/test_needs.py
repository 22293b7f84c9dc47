"""What is refused by name."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.needs import need_positive


@given(st.floats() | st.integers(-3, 3))
def test_finite_numbers_above_0_pass(value):
    if 0 < value < math.inf:
        need_positive("size", value)
        return
    with pytest.raises(ValueError, match=r"size is .*; give a finite number above 0"):
        need_positive("size", value)


@pytest.mark.parametrize("value", [True, "2", None, [2]])
def test_what_is_no_number_is_refused_by_name(value):
    with pytest.raises(ValueError, match=r"size is .*; give a finite number above 0"):
        need_positive("size", value)
