"""Plain data: what may pass between a check and an answer, as bytes and as shown in a sentence.

Plain are None, bool, int, float, str, list, dict (keys str or int) and tensor. A tuple arrives as a
list, a NumPy number as a Python number. Whatever else an answer returns is refused by the name of
its type, so no object with comparisons of its own ever reaches a check. The bytes are JSON, then
safetensors: reading them runs no code.
"""

import itertools
import json
import struct
import types
from collections.abc import Callable, Iterable
from typing import TypeAlias

import numpy
import torch
from safetensors.torch import load, save

Plain: TypeAlias = "bool | int | float | str | list | dict | torch.Tensor | None"
Equal: TypeAlias = Callable[[Plain, Plain], bool]
DEPTH = 50  # lists within lists
SHOWN = 12  # numbers of a tensor; of a larger one, a sentence tells the shape
WIDTH = 72  # characters of a value in a sentence
# right answers of the course stay ten times below these bounds. More would take a grader long to
# read, and the answers that it grades at the same time would wait
VALUES = 20_000  # numbers, texts and lists in one message
TENSORS = 500  # in one message; each takes as long as a hundred numbers
LISTABLE = (set, frozenset, range, map, filter, zip, types.GeneratorType)


class NotPlain(TypeError):
    """A value that may not pass; its text says what it is and what is allowed."""

    def __init__(self, what: str):
        super().__init__(
            f"{what}; plain data are None, bool, int, float, str, list, tuple, dict, torch.Tensor"
        )


def encode(value: Plain) -> bytes:
    """Return the bytes of a plain value; NotPlain for anything else."""
    tensors: list[torch.Tensor] = []
    tree = _pack(value, tensors, DEPTH)
    try:
        text = json.dumps(tree).encode()
    except ValueError:  # a whole number of thousands of digits
        raise NotPlain("a whole number that is too long") from None
    if _too_many(text):
        raise NotPlain(f"more than {VALUES:,} values")
    blob = save({str(number): tensor for number, tensor in enumerate(tensors)}) if tensors else b""
    return struct.pack(">Q", len(text)) + text + blob


def decode(message: bytes) -> Plain:
    """Return the value of such bytes; ValueError if they are damaged or forged."""
    try:
        (length,) = struct.unpack(">Q", message[:8])
        text = message[8 : 8 + length]
        if len(text) != length or _too_many(text):
            raise ValueError
        blob = message[8 + length :]
        if blob and _header(blob).count(b"{") > TENSORS + 2:
            raise ValueError
        return _unpack(json.loads(text), load(blob) if blob else {}, DEPTH)
    except Exception:  # whoever forged them chose how they fail
        raise ValueError("these bytes are no plain data") from None


def _too_many(text: bytes) -> bool:
    return sum(text.count(sign) for sign in (b",", b"[", b"{")) > 2 * VALUES


def _header(blob: bytes) -> bytes:
    """Return what safetensors says of its tensors: JSON, with an object for each."""
    (length,) = struct.unpack("<Q", blob[:8])
    return blob[8 : 8 + length]


def copy(value: Plain) -> Plain:
    """Return an equal value that shares nothing with the given one."""
    return decode(encode(value))


def same(a: Plain, b: Plain) -> bool:
    """Return whether two plain values are equal to the last bit: types, shapes, dtypes, NaN too."""
    return encode(a) == encode(b)


def _pack(value, tensors: list, depth: int):
    """Return a value as JSON can write it; its tensors go to the list, by number."""
    if depth == 0:
        raise NotPlain(f"lists within lists, more than {DEPTH} deep")
    # isinstance asks an object what it claims to be; type() does not
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if issubclass(kind, torch.Tensor):
        try:
            plain = torch.Tensor.detach(value).as_subclass(torch.Tensor)
            plain = plain.resolve_conj().resolve_neg().to("cpu").contiguous().clone()
            save({"0": plain})  # refuses what safetensors cannot hold
        except Exception:  # a subclass may fail in any way
            raise NotPlain("a tensor that cannot be copied") from None
        if len(tensors) == TENSORS:
            raise NotPlain(f"more than {TENSORS:,} tensors")
        tensors.append(plain)
        return {"tensor": str(len(tensors) - 1)}
    if kind in (list, tuple, torch.Size):
        if len(value) > VALUES:
            raise NotPlain(f"more than {VALUES:,} values")
        return [_pack(item, tensors, depth - 1) for item in value]
    if issubclass(kind, dict):  # a defaultdict or a Counter too
        pairs = []
        for key, item in dict.items(value):
            if type(key) not in (str, int):
                raise NotPlain(f"a dict with a key of type {type(key).__name__[:60]}")
            pairs.append([key, _pack(item, tensors, depth - 1)])
        return {"dict": pairs}
    if issubclass(kind, numpy.generic):
        return _pack(numpy.generic.item(value), tensors, depth - 1)
    # a subclass of a number or a text counts by its value, whatever it says of itself
    for base, exact in ((int, int.__pos__), (float, float.__pos__), (str, str.__str__)):
        if issubclass(kind, base):
            return exact(value)
    if issubclass(kind, numpy.ndarray):
        raise NotPlain("a NumPy array (.tolist() makes a list of it, torch.from_numpy a tensor)")
    if kind in LISTABLE:
        raise NotPlain(f"a {kind.__name__} (list(...) makes a list of it)")
    if issubclass(kind, type) and issubclass(value, BaseException):
        raise NotPlain("an exception (write raise, not return)")
    raise NotPlain(f"a value of type {kind.__name__[:60]}")


def _unpack(tree, tensors: dict, depth: int):
    if depth == 0:
        raise ValueError
    if type(tree) is list:
        return [_unpack(item, tensors, depth - 1) for item in tree]
    if type(tree) is dict:
        if "tensor" in tree:
            return tensors.pop(tree["tensor"])  # each stands once: named often, it would be copied
        return {_key(key): _unpack(item, tensors, depth - 1) for key, item in tree["dict"]}
    return tree


def _key(key):
    if type(key) not in (str, int):
        raise ValueError
    return key


def show(value: Plain, width: int = WIDTH, digits: int = 4) -> str:
    """Return a value in few characters, for a sentence: numbers to 4 digits, long ones cut."""
    text = _show(value, digits)
    return text if len(text) <= width else text[: width - 4] + " ..."


def shown_whole(value: Plain) -> bool:
    """Return whether `show` tells all of a value, and cuts nothing off."""
    if isinstance(value, torch.Tensor):
        return value.numel() <= SHOWN
    return len(_show(value, 4)) <= WIDTH


def _show(value, digits: int) -> str:
    if isinstance(value, torch.Tensor):
        if not 0 < value.numel() <= SHOWN:  # an empty one may have a billion rows
            return f"tensor of shape {list(value.shape)}"
        return _show(value.tolist(), digits)
    if isinstance(value, float):
        return f"{value:.{digits}g}"
    if isinstance(value, list):
        return "[" + ", ".join(_show(item, digits) for item in value) + "]"
    if isinstance(value, dict):
        return (
            "{" + ", ".join(f"{key!r}: {_show(item, digits)}" for key, item in value.items()) + "}"
        )
    return repr(value)


def difference(got: Plain, right: Plain, equal: Equal) -> str:
    """Return what came out and what is right; of long values, the first place that is off."""
    path, place = [], ""
    while not (shown_whole(got) and shown_whole(right)):
        step = _first_off(got, right, equal)
        if step is None:
            break
        path += step
        for key in step:
            got, right = got[key], right[key]
    if not (shown_whole(got) and shown_whole(right)):
        got, right, start = _from_the_first_off(got, right, equal)
        place = f"from [{', '.join(map(repr, [*path, start]))}] on " if start else ""
    if path and not place:
        place = f"at [{', '.join(map(repr, path))}] "
    texts = show(got), show(right)
    if texts[0] == texts[1]:  # they differ further on; was something rounded?
        texts = show(got, digits=9), show(right, digits=9)
    return f"{place}it gives {texts[0]}, right is {texts[1]}"


def _first_off(got: Plain, right: Plain, equal: Equal) -> list | None:
    """Return where two values of one form differ first: the keys that lead there, or None."""
    places: Iterable[list] = []
    if isinstance(got, torch.Tensor) and isinstance(right, torch.Tensor):
        if got.shape == right.shape:
            places = map(list, itertools.product(*map(range, got.shape)))
    elif isinstance(got, list) and isinstance(right, list):
        places = ([n] for n in range(min(len(got), len(right))))
    elif isinstance(got, dict) and isinstance(right, dict):
        places = ([key] for key in right if key in got)
    for place in places:
        one, other = got, right
        for key in place:
            one, other = one[key], other[key]
        if not equal(one, other):
            return place
    return None


def _from_the_first_off(got: Plain, right: Plain, equal: Equal) -> tuple[Plain, Plain, int]:
    """Return the ends of two texts or lists from their first difference on, and where it is.

    Of texts, with a few characters before it. Others come back as they are, with 0.
    """
    pairs = (str, str), (list, list)
    if (type(got), type(right)) not in pairs:
        return got, right, 0
    both = zip(got, right, strict=False)
    same_so_far = itertools.takewhile(lambda pair: equal(*pair), both)
    start = sum(1 for _ in same_so_far)
    start = max(0, start - 12) if isinstance(got, str) else start
    return got[start:], right[start:], start
