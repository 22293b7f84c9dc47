"""What checks say of values: of the right form, and equal to what is right.

Each function returns the value as the check may use it, or raises: WrongForm if it is another kind
of thing, Broken if it is the right kind with wrong content. Right answers may differ in the last
digits, so numbers are compared with a tolerance and never by their printed digits.
"""

import math
from collections.abc import Iterable, Sequence

import torch

from helpers.exercises.answers import a_or_an
from helpers.exercises.exercise import FORM, Broken, WrongForm
from helpers.exercises.plain import Plain, difference, same, show

TOLERANCE = 1e-5
KINDS = {"float": "floating-point", "int": "whole", "bool": "boolean"}


def tensor(
    value: Plain, shape: Sequence[int], kind: str = "float", seen: str = "", infinite: bool = False
) -> torch.Tensor:
    """Return a tensor of this shape and kind ("float", "int", "bool"), without NaN.

    float32 and float64 come back as float64, whole numbers as int64. infinite: whether -inf and inf
    may stand in it. seen: for which input, such as "for T = 1".
    """
    if not isinstance(value, torch.Tensor):
        raise WrongForm(f"it returned {_kind(value)} where a tensor is asked for", seen, FORM)
    if list(value.shape) != list(shape):
        raise WrongForm(
            f"it returned a tensor of {_shape(value)} where {list(shape)} is asked for",
            seen,
            FORM,
        )
    found = _dtype_kind(value)
    if found != kind:
        raise WrongForm(
            f"it returned {KINDS.get(found, found)} numbers ({_dtype(value)}) where "
            f"{KINDS[kind]} ones are asked for",
            seen,
            FORM,
        )
    if kind == "float":
        value = value.double()
        _finite(value, infinite, seen)
    return value.long() if kind == "int" else value


def number(value: Plain, seen: str = "", infinite: bool = False) -> float:
    """Return a number as a float: int, float or a tensor of shape [], and no NaN."""
    if isinstance(value, torch.Tensor) and value.dim() == 0 and _dtype_kind(value) != "bool":
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise WrongForm(f"it returned {_kind(value)} where a number is asked for", seen, FORM)
    try:
        value = float(value)
    except OverflowError:
        raise Broken("it returned a number beyond all bounds", seen) from None
    _finite(torch.tensor(value, dtype=torch.float64), infinite, seen)
    return value


def whole(value: Plain, seen: str = "") -> int:
    """Return a whole number: an int, or a tensor of shape [] of whole numbers."""
    if isinstance(value, torch.Tensor) and value.dim() == 0 and _dtype_kind(value) == "int":
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int):
        fault = f"it returned {_kind(value)} where a whole number is asked for"
        raise WrongForm(fault, seen, FORM)
    return value


def truth(value: Plain, seen: str = "") -> bool:
    """Return True or False: a bool, or a boolean tensor of shape []."""
    if isinstance(value, torch.Tensor) and value.dim() == 0 and _dtype_kind(value) == "bool":
        value = value.item()
    if not isinstance(value, bool):
        fault = f"it returned {_kind(value)} where True or False is asked for"
        raise WrongForm(fault, seen, FORM)
    return value


def text(value: Plain, seen: str = "") -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise WrongForm(f"it returned {_kind(value)} where a text is asked for", seen, FORM)
    return value


def items(value: Plain, length: int | None = None, seen: str = "") -> list:
    """Return a list (a tuple arrives as one), of this length if one is given."""
    if not isinstance(value, list):
        raise WrongForm(f"it returned {_kind(value)} where a list is asked for", seen, FORM)
    if length is not None and len(value) != length:
        found = len(value) if len(value) < 1000 else "1000 or more"
        fault = f"it returned {found} items where {length} are asked for"
        raise WrongForm(fault, seen, FORM)
    return value


def numbers(value: Plain, length: int | None = None, seen: str = "") -> list[float]:
    """Return a list of numbers, without NaN."""
    return [number(item, _item(n, seen)) for n, item in enumerate(items(value, length, seen))]


def wholes(value: Plain, length: int | None = None, seen: str = "") -> list[int]:
    """Return a list of whole numbers."""
    return [whole(item, _item(n, seen)) for n, item in enumerate(items(value, length, seen))]


def table(value: Plain, keys: Iterable, seen: str = "") -> dict:
    """Return a dict with exactly these keys."""
    if not isinstance(value, dict):
        raise WrongForm(f"it returned {_kind(value)} where a dict is asked for", seen, FORM)
    if set(value) != set(keys):
        found, right = show(sorted(value, key=str)), show(sorted(keys, key=str))
        raise WrongForm(
            "the keys of the dict it returned are not the right ones",
            _join(seen, f"it has {found}, asked for are {right}"),
        )
    return value


def equal(
    got: Plain,
    right: Plain,
    seen: str = "",
    fault: str = "it gives another value",
    known: Sequence[tuple[Plain, str]] = (),
    tolerance: float = TOLERANCE,
) -> None:
    """Raise Broken unless two values are equal; numbers that are not whole within a tolerance.

    got, right: numbers, texts, or lists and tensors of them, in the form that was checked before.
    known: values that known faults give, each with the sentence that names its fault; the first
    one that fits is said. Otherwise fault is said.
    """
    if close(got, right, tolerance):
        return
    for value, sentence in known:
        if close(got, value, tolerance) and not close(value, right, tolerance):
            fault = sentence
            break
    raise Broken(fault, _join(seen, difference(got, right, lambda a, b: close(a, b, tolerance))))


def close(a: Plain, b: Plain, tolerance: float = TOLERANCE) -> bool:
    """Return whether two values are equal: whole numbers exactly, a count that is off by one is
    wrong however large it is; other numbers within tolerance * max(1, their size).
    """
    if isinstance(a, torch.Tensor) or isinstance(b, torch.Tensor):
        if not (isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor)):
            return False
        if a.shape != b.shape:
            return False
        if not (a.is_floating_point() or b.is_floating_point()):
            return bool((a == b).all())
        a, b = a.double(), b.double()
        bound = tolerance * b.abs().clamp(min=1).nan_to_num(posinf=1)
        return bool(((a == b) | ((a - b).abs() <= bound)).all())
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(close(x, y, tolerance) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return set(a) == set(b) and all(close(a[key], b[key], tolerance) for key in a)
    if (isinstance(a, float) and _is_number(b)) or (isinstance(b, float) and _is_number(a)):
        try:
            a, b = float(a), float(b)
        except OverflowError:
            return False
        return a == b or math.isclose(a, b, rel_tol=tolerance, abs_tol=tolerance)
    return same(a, b)


def _is_number(value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _finite(value: torch.Tensor, infinite: bool, seen: str) -> None:
    if value.isnan().any():
        raise Broken("NaN stands in what it returned", seen)
    if not infinite and value.isinf().any():
        raise Broken("infinity stands in what it returned", seen)


def _dtype_kind(value: torch.Tensor) -> str:
    if value.dtype == torch.bool:
        return "bool"
    if value.is_floating_point():
        return "float"
    return "complex" if value.is_complex() else "int"


def _dtype(value: torch.Tensor) -> str:
    return str(value.dtype).removeprefix("torch.")


def _kind(value: Plain) -> str:
    """Return what a value is, in words."""
    if value is None:
        return "nothing (None)"
    if isinstance(value, torch.Tensor):
        return f"a tensor of {_shape(value)} ({_dtype(value)})"
    if isinstance(value, list):
        return "a list or tuple"
    return a_or_an(type(value).__name__)


def _item(number: int, seen: str) -> str:
    """Return for which input, and for which item of the list that came out."""
    return f"{seen.rstrip(':')}, in item {number}" if seen else f"in item {number}"


def _shape(value: torch.Tensor) -> str:
    """Return a shape in words; a large one without its sizes, for they could be a message."""
    if value.dim() > 5 or max(value.shape, default=0) >= 1000:
        return "a larger shape"
    return f"shape {list(value.shape)}"


def _join(first: str, second: str) -> str:
    return f"{first} {second}" if first else second
