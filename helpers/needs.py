"""Values that are refused by name: what was given, and what is allowed."""

from __future__ import annotations

import math


def need_int(name: str, value: object, least: int) -> None:
    """Refuse, by name, anything but a whole number of `least` or more."""
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} is {value!r}; give a whole number of {least} or more")


def need_choice(name: str, value: object, allowed: tuple) -> None:
    """Refuse, by name, a value that is none of those allowed."""
    if value not in allowed:
        raise ValueError(f"{name} is {value!r}; allowed are {', '.join(map(repr, allowed))}")


def need_positive(name: str, value: object) -> None:
    """Refuse, by name, anything but a finite number above 0."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0 < value < math.inf:
        raise ValueError(f"{name} is {value!r}; give a finite number above 0")
