"""Plain data: what passes unchanged, what is refused by name, and bytes that lie."""

import collections
import enum
import functools
import json
import math
import struct

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.exercises import plain


def alike(a, b) -> bool:
    """Compare two plain values without the code under test: types, order of keys, digits."""
    if type(a) is not type(b):
        return False
    if isinstance(a, torch.Tensor):
        if (a.dtype, a.shape) != (b.dtype, b.shape):
            return False
        bits = [x.detach().contiguous().reshape(-1).view(torch.uint8) for x in (a, b)]
        return torch.equal(*bits)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(alike, a, b))
    if isinstance(a, dict):
        return alike(list(a), list(b)) and all(alike(a[key], b[key]) for key in a)
    if isinstance(a, float):
        return repr(a) == repr(b)  # tells 0.0 from -0.0; one NaN is as good as another
    return a == b


leaves = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.text(st.characters())
)
keys = st.text() | st.integers()
values = st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(keys, inner))


@given(values)
def test_every_tree_of_plain_values_comes_back_the_same(value):
    assert alike(plain.copy(value), value)


@pytest.mark.parametrize(
    "value",
    [
        torch.zeros(0),
        torch.zeros(2, 0, 3),
        torch.tensor(2.5),
        torch.tensor([float("nan"), float("inf"), -0.0]),
        torch.arange(6).reshape(2, 3),
        torch.tensor([True, False]),
        torch.tensor([1.5, -2], dtype=torch.bfloat16),
        torch.tensor([1.5, -2], dtype=torch.float16),
        torch.tensor([1.5], dtype=torch.float64),
        torch.tensor([1], dtype=torch.uint8),
        torch.tensor([1 + 2j]),
    ],
    ids=lambda value: f"{list(value.shape)} {value.dtype}",
)
def test_tensors_of_every_kind_come_back_the_same(value):
    assert alike(plain.copy(value), value)
    assert alike(plain.copy({"a": [value, {3: value}]}), {"a": [value, {3: value}]})


def test_views_come_back_as_tensors_of_their_own():
    base = torch.arange(12.0).reshape(3, 4)
    for view in (base.T, base[:, 1], base[::2], base[0].expand(5, 4), base.flip(0)):
        copied = plain.copy(view)
        assert torch.equal(copied, view)
        assert copied.is_contiguous()
    copied = plain.copy([base, base])
    copied[0].zero_()
    assert base.sum() == 66 == copied[1].sum()


def test_no_gradient_passes():
    weight = torch.ones(2, requires_grad=True)
    for given_ in (weight, weight * 2, torch.nn.Parameter(torch.ones(2))):
        copied = plain.copy(given_)
        assert type(copied) is torch.Tensor
        assert not copied.requires_grad and copied.grad_fn is None
    assert torch.equal(plain.copy(torch.tensor([1 + 2j]).conj()), torch.tensor([1 - 2j]))


def test_tuples_become_lists_and_numpy_numbers_python_numbers():
    given_ = (1, (2.0, "a"), np.float32(0.5), np.int64(7), np.bool_(True), np.float64(2), np.str_())
    assert alike(plain.copy(given_), [1, [2.0, "a"], 0.5, 7, True, 2.0, ""])


def test_keys_keep_their_kind_and_a_dict_is_not_taken_for_a_tensor():
    value = {1: "a", "1": "b", -5: None, "tensor": "0", "dict": [["x", 1]]}
    assert alike(plain.copy(value), value)
    assert alike(plain.copy({"tensor": torch.ones(1)}), {"tensor": torch.ones(1)})


def test_subclasses_of_dict_pass_by_their_own_items():
    class Liar(dict):
        def items(self):
            return [("a", 5)]

        __iter__ = keys = values = items

    assert alike(plain.copy([collections.Counter("aab"), Liar(a=1)]), [{"a": 2, "b": 1}, {"a": 1}])


def cycle():
    made = []
    made.append({"again": made})
    return made


class Shaped:
    """An object that claims to be a tensor and a list."""

    __class__ = torch.Tensor
    shape, ndim = (), 0


@pytest.mark.parametrize(
    "value, name",
    [
        (object(), "a value of type object"),
        ({1, 2}, "a set .list"),
        (frozenset(), "a frozenset .list"),
        (len, "a value of type builtin_function_or_method"),
        (lambda: 1, "a value of type function"),
        (functools.partial(len), "a value of type partial"),
        (range(3), "a range .list"),
        ((n for n in "a"), "a generator .list"),
        (b"a", "a value of type bytes"),
        (1 + 2j, "a value of type complex"),
        (np.zeros(3), "a NumPy array .*tolist"),
        (np.zeros(()), "a NumPy array"),
        (np.complex64(1), "a value of type complex"),
        (map(len, []), "a map .list"),
        (ValueError, "an exception .write raise, not return"),
        (ValueError("a"), "a value of type ValueError"),
        (torch.float32, "a value of type dtype"),
        (ValueError, "an exception .write raise"),
        (torch.nn.Linear(1, 1), "a value of type Linear"),
        (Shaped(), "a value of type Shaped"),
        (type("L", (list,), {})(), "a value of type L"),
        (type("x" * 10**6, (), {})(), "a value of type xxx"),
        (cycle(), "more than 50 deep"),
        (10**5000, "too long"),
        ({(1, 2): 1}, "a key of type tuple"),
        ({1.5: 1}, "a key of type float"),
        ({True: 1}, "a key of type bool"),
        (torch.ones(2).to_sparse(), "a tensor that cannot be copied"),
        (torch.ones(2, device="meta"), "a tensor that cannot be copied"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_anything_else_is_refused_by_name(value, name):
    for given_ in (value, [value], {"a": value}):
        with pytest.raises(plain.NotPlain, match=name) as caught:
            plain.encode(given_)
    assert "plain data are None, bool, int, float, str, list, tuple, dict, torch.Tensor" in str(
        caught.value
    )
    assert len(str(caught.value)) < 250


def nested(depth):
    value = 1
    for _ in range(depth):
        value = [value]
    return value


def test_fifty_levels_are_the_limit():
    assert plain.copy(nested(49)) == nested(49)
    for depth in (50, 100_000):
        with pytest.raises(plain.NotPlain, match="lists within lists"):
            plain.encode(nested(depth))


class AgreeableTensor(torch.Tensor):
    def __eq__(self, other):
        return True

    __hash__ = None


class AgreeableInt(int):
    def __eq__(self, other):
        return True

    def __ne__(self, other):
        return False

    def __repr__(self):
        return "12345"

    __hash__ = int.__hash__
    __pos__ = __int__ = __index__ = lambda self: 12345


class AgreeableFloat(float):
    def __eq__(self, other):
        return True

    def __repr__(self):
        return "0.25"

    __hash__ = float.__hash__
    __pos__ = __float__ = lambda self: 0.25


class AgreeableText(str):
    def __eq__(self, other):
        return True

    def __str__(self):
        return "right"

    __hash__ = str.__hash__
    __repr__ = __str__


class Choice(enum.IntEnum):
    LAST = 3


def test_subclasses_with_comparisons_of_their_own_arrive_as_their_plain_value():
    tensor = torch.tensor([1.0, 2.0]).as_subclass(AgreeableTensor)
    given_ = [tensor, AgreeableInt(7), AgreeableFloat(1.5), AgreeableText("wrong"), Choice.LAST]
    assert alike(plain.copy(given_), [torch.tensor([1.0, 2.0]), 7, 1.5, "wrong", 3])


def test_a_tensor_that_interferes_is_refused():
    class Stubborn(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            raise OSError

    with pytest.raises(plain.NotPlain, match="a tensor that cannot be copied"):
        plain.encode(torch.ones(1).as_subclass(Stubborn))


def forged(tree, blob=b"") -> bytes:
    text = tree if isinstance(tree, bytes) else json.dumps(tree).encode()
    return struct.pack(">Q", len(text)) + text + blob


GOOD = plain.encode({"a": [torch.arange(3.0), torch.tensor(1)]})


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"1234567",
        forged(b""),
        forged(b"{"),
        forged(b"\xff\xfe\x00"),
        forged(b"1" * 5000),
        forged(b"[" * 100_000),
        forged({}),
        forged({"tensor": "0"}),
        forged({"tensor": ["0"]}),
        forged({"tensor": 0}),
        forged({"dict": 5}),
        forged({"dict": None}),
        forged({"dict": [["a", 1, 2]]}),
        forged({"dict": [[["a"], 1]]}),
        forged({"dict": [[1.5, 1]]}),
        forged({"dict": [[True, 1]]}),
        forged(nested(50)),
        forged(1, b"\x00"),
        forged(1, struct.pack("<Q", 2**62) + b"{}"),
        forged(1, struct.pack("<Q", 2) + b"{}" + b"more"),
        GOOD[:-1],
        GOOD + b"0",
        GOOD[:8] + b"x" + GOOD[9:],
    ],
)
def test_damaged_and_forged_bytes_are_refused_in_one_sentence(message):
    with pytest.raises(ValueError, match="these bytes are no plain data"):
        plain.decode(message)


@given(st.data())
def test_a_changed_byte_gives_another_value_or_a_refusal_never_another_failure(data):
    place = data.draw(st.integers(0, len(GOOD) - 1))
    byte = data.draw(st.integers(0, 255))
    message = GOOD[:place] + bytes([byte]) + GOOD[place + 1 :]
    try:
        value = plain.decode(message)
    except ValueError as error:
        assert str(error) == "these bytes are no plain data"
    else:
        assert plain.same(value, plain.copy(value))


@pytest.mark.parametrize("shape", [[0, 2**62], [2**40, 2**40], [-1], [1.5], "a", None])
def test_forged_headers_of_tensors_are_refused(shape):
    header = json.dumps({"0": {"dtype": "F32", "shape": shape, "data_offsets": [0, 0]}}).encode()
    blob = struct.pack("<Q", len(header)) + header
    try:
        value = plain.decode(forged({"tensor": "0"}, blob))
    except ValueError as error:
        assert str(error) == "these bytes are no plain data"
    else:
        assert value.numel() == 0


def test_decoding_runs_no_code():
    import pickle

    for message in (pickle.dumps(print), forged(pickle.dumps(print)), forged(1, pickle.dumps(1))):
        with pytest.raises(ValueError, match="no plain data"):
            plain.decode(message)


@pytest.mark.parametrize(
    "a, b",
    [
        (1, True),
        (1, 1.0),
        (0.0, -0.0),
        (None, 0),
        ("1", 1),
        ([], {}),
        ({"a": 1}, {"a": 1.0}),
        (torch.ones(2), torch.ones(2, dtype=torch.float64)),
        (torch.ones(2), torch.ones(2, 1)),
        (torch.tensor(1), 1),
        (torch.tensor([1.0]), torch.tensor([math.nextafter(1.0, 2) * (1 + 2e-7)])),
    ],
)
def test_same_tells_values_apart_to_the_last_bit(a, b):
    assert not plain.same(a, b)
    assert plain.same(a, plain.copy(a)) and plain.same(b, plain.copy(b))


def test_nan_is_the_same_as_nan():
    for value in (math.nan, torch.tensor([math.nan])):
        assert plain.same(value, plain.copy(value))


@pytest.mark.parametrize(
    "value, text",
    [
        (None, "None"),
        (True, "True"),
        (1234567, "1234567"),
        (0.123456, "0.1235"),
        (float("-inf"), "-inf"),
        ("a\nb", r"'a\nb'"),
        ([1, [2.5, "x"]], "[1, [2.5, 'x']]"),
        ({1: 0.25, "a": []}, "{1: 0.25, 'a': []}"),
        (torch.tensor([[1.0, 0.33333]]), "[[1, 0.3333]]"),
        (torch.tensor([True]), "[True]"),
        (torch.tensor(2), "2"),
        (torch.zeros(4, 4), "tensor of shape [4, 4]"),
    ],
)
def test_show_says_a_value_in_few_characters(value, text):
    assert plain.show(value) == text


def test_show_cuts_what_is_long():
    for value in (list(range(1000)), "x" * 1000, 10**4000):
        assert len(plain.show(value)) == 72
        assert plain.show(value).endswith(" ...")
    assert len(plain.show(list(range(1000)), 20)) == 20
