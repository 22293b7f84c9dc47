"""Weight formats: each product equals the one with the matrix it says it means; what does not fit
is refused, and what torch lacks is replaced with a warning."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from helpers.weights import formats
from helpers.weights.blockwise import quantize_4
from helpers.weights.formats import FORMATS, Packed, missing

# the bits of x, which the operators round, and of the answer
ROUNDING = {"float32": 1e-6, "bfloat16": 2**-7, "float16": 1e-6, "int8": 2**-7, "int4": 2**-7}
# how far the matrix that is meant may be from the given one, as a share of its largest number
LOSS = {"float32": 0, "bfloat16": 2**-8, "float16": 2**-11, "int8": 0.006, "int4": 0.08}


def matrix(rows, columns, seed=0, size=0.1):
    return torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed)) * size


def linear_of(weight, bias=None):
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias=bias is not None)
    with torch.no_grad():
        layer.weight.copy_(weight)
        if bias is not None:
            layer.bias.copy_(bias)
    return layer


@pytest.mark.parametrize("name", FORMATS)
@given(
    shape=st.sampled_from([(), (1,), (1, 1), (3,), (2, 5), (40,)]),
    rows=st.sampled_from([16, 48]),
    columns=st.sampled_from([32, 96]),
    seed=st.integers(0, 99),
)
def test_the_product_is_that_of_the_matrix_that_is_meant(name, shape, rows, columns, seed):
    weight, x = matrix(rows, columns, seed), matrix(1, columns, seed + 1, 1.0)[0]
    x = x.expand(*shape, columns).contiguous() * torch.linspace(0.5, 1, columns)
    meant, _ = FORMATS[name](weight)
    assert (meant - weight).abs().max() <= LOSS[name] * weight.abs().max()
    layer = Packed(name, linear_of(weight, torch.ones(rows)))
    with torch.no_grad():
        found, wanted = layer(x), F.linear(x, meant) + 1
    assert found.shape == wanted.shape and found.dtype == torch.float32
    size = F.linear(x.abs(), meant.abs()).max() + 1  # of the terms that are summed
    assert (found - wanted).abs().max() <= ROUNDING[name] * size


@pytest.mark.parametrize("name", FORMATS)
def test_x_may_lie_in_any_order_in_memory(name):
    # int8's operator crashes on some of these where it is called without care
    layer = Packed(name, linear_of(matrix(32, 64)))
    room = matrix(64, 9, 5, 1.0)
    for x in (room.T, room.T[::2], room.T[1:, :], room.T[None].expand(3, 9, 64)):
        assert not x.is_contiguous() or x.ndim == 2
        with torch.no_grad():
            assert torch.equal(layer(x), layer(x.contiguous()))


@pytest.mark.parametrize("name", FORMATS)
def test_no_rows_give_no_rows(name):
    assert Packed(name, linear_of(matrix(32, 64)))(torch.ones(0, 64)).shape == (0, 32)


@pytest.mark.parametrize(
    "name, rows, columns, words",
    [
        # torch's int8 operator checks nothing: here it would give wrong numbers or crash
        ("int8", 16, 40, "the matrix has 40 columns K; this format needs a multiple of 16"),
        ("int4", 16, 48, "the matrix has 48 columns K; this format needs a multiple of 32"),
        ("int4", 24, 64, "the matrix has 24 rows N; this format needs a multiple of 16"),
    ],
)
def test_a_matrix_that_does_not_fit_is_refused_with_what_would(name, rows, columns, words):
    with pytest.raises(ValueError, match=words):
        Packed(name, linear_of(matrix(rows, columns)))


def test_float16_refuses_weights_beyond_its_end():
    with pytest.raises(ValueError, match=r"a weight is 7e.04; float16 ends at 65504"):
        Packed("float16", linear_of(torch.full((16, 32), 7e4)))


def test_int4_keeps_the_levels_of_a_matrix_that_has_four_bits_already():
    weight = quantize_4(matrix(32, 64)).weight()
    meant, _ = FORMATS["int4"](weight)
    # what is left is the rounding of scale and zero to bfloat16
    block = weight.unflatten(1, (-1, 32)).abs().amax(-1, keepdim=True)
    assert ((meant - weight).unflatten(1, (-1, 32)).abs() <= 2**-7 * block).all()
    assert len(meant[0, :32].unique()) == len(weight[0, :32].unique())


@pytest.mark.parametrize("name", ["int8", "int4"])
def test_rows_of_zeros_stay_zeros(name):
    weight = matrix(16, 32)
    weight[3] = 0
    meant, _ = FORMATS[name](weight)
    assert (meant[3] == 0).all() and meant.isfinite().all()


# ---- what this build of torch lacks --------------------------------------------------------------

OPERATORS = {
    "float32": ("mkldnn", "_linear_pointwise"),
    "bfloat16": ("mkldnn", "_reorder_linear_weight"),
    "float16": ("quantized", "linear_prepack_fp16"),
    "int8": ("aten", "_weight_int8pack_mm"),
    "int4": ("aten", "_convert_weight_to_int4pack_for_cpu"),
}


@pytest.fixture
def without(monkeypatch):
    """Take an operator out of torch's namespaces, as in a build that was made without it."""
    missing.cache_clear()

    def take(space, name):
        class Rest:
            def __getattr__(self, other):
                if other == name:
                    raise AttributeError(f"no operator {name}")
                return getattr(getattr(torch.ops, space), other)

        class Ops:
            def __getattr__(self, other):
                return Rest() if other == space else getattr(torch.ops, other)

        real = torch

        class Torch:
            ops = Ops()

            def __getattr__(self, other):
                return getattr(real, other)

        monkeypatch.setattr(formats, "torch", Torch())

    yield take
    missing.cache_clear()


@pytest.mark.parametrize("name", FORMATS)
def test_without_its_operator_a_format_warns_and_multiplies_what_it_means(name, without):
    weight, x = matrix(32, 64), matrix(3, 64, 1, 1.0)
    meant, _ = FORMATS[name](weight)
    without(*OPERATORS[name])
    words = f"no product for {name}: .*{OPERATORS[name][1]}; the weights are held in float32"
    with pytest.warns(UserWarning, match=words):
        layer = Packed(name, linear_of(weight))
    with torch.no_grad():
        assert torch.equal(layer(x), F.linear(x, meant))


def test_an_operator_that_multiplies_wrongly_is_not_used(monkeypatch):
    missing.cache_clear()
    real = FORMATS["int4"]

    def crooked(weight):
        meant, pack_product = real(weight)
        return meant, lambda: (lambda product: lambda x: product(x) * 1.1)(pack_product())

    monkeypatch.setitem(FORMATS, "int4", crooked)
    assert missing("int4") == "this build of torch multiplies wrongly in int4"
    missing.cache_clear()


# ---- numbers of any size -------------------------------------------------------------------------

RAMP = torch.linspace(-1, 1, 32).expand(16, 32)


@pytest.mark.parametrize("size", [1e-37, 1e-30, 1e-7, 1e-6, 1e-4, 1.0, 6e4, 1e6, 1e30])
@pytest.mark.parametrize("name", ["int8", "int4"])
def test_a_matrix_of_tiny_or_huge_numbers_keeps_its_levels(name, size):
    """Table 1: scale and low went through float16, and such blocks came back 22 % off, or equal."""
    weight = (RAMP * size).contiguous()
    meant, _ = FORMATS[name](weight)
    half_a_level = {"int8": 1 / 254, "int4": 1 / 15}[name]  # of numbers from -size to size
    assert (meant / size - RAMP).abs().max() <= 1.1 * half_a_level
    if name == "int4":  # the same levels at every size
        assert (meant / size - FORMATS[name](RAMP.contiguous())[0]).abs().max() < 0.01


@given(
    seed=st.integers(0, 2**32 - 1),
    size=st.floats(-33, 33),
    offset=st.sampled_from([0.0, 0.5, 1.0, 3.0, 30.0, 1e4]),
)
def test_a_block_comes_back_within_half_a_level_or_is_refused(seed, size, offset):
    weight = (torch.rand(16, 32, generator=torch.Generator().manual_seed(seed)) + offset) * 10**size
    low, high = weight.aminmax(dim=1, keepdim=True)
    try:
        meant, _ = FORMATS["int4"](weight)
    except ValueError as error:
        assert "levels bfloat16 cannot hold" in str(error) or "levels float16 cannot" in str(error)
        assert offset >= 3
    else:
        assert ((meant - weight).abs() <= 0.6 * (high - low) / 15).all()
        assert offset <= 30


@pytest.mark.parametrize("name", ["int4", "int8", "float16", "bfloat16"])
@pytest.mark.parametrize("broken", [math.nan, math.inf])
def test_weights_that_are_not_finite_are_refused(name, broken):
    weight = matrix(16, 32)
    weight[3, 7] = broken
    with pytest.raises(ValueError, match=f"the weight in row 3, column 7 is {broken}"):
        FORMATS[name](weight)


def test_levels_that_cannot_be_held_are_refused_by_their_place():
    weight = matrix(16, 64)
    weight[2, 32:] = torch.tensor([6, 6.0001]).repeat(16)  # came back eight levels off
    words = r"row 2, columns 32 to 63, holds numbers from 6 to 6\.0001, whose levels bfloat16 can"
    with pytest.raises(ValueError, match=words):
        FORMATS["int4"](weight)
    for small in (1e-6, 1e-9):
        with pytest.raises(ValueError, match=r"weight is 1e-0.; float16 has only a few bits for"):
            FORMATS["float16"]((RAMP * small).contiguous())
    with pytest.raises(ValueError, match=r"row 0, columns 0 to 31, .* bfloat16 cannot hold"):
        FORMATS["int8"]((RAMP * 1e-41).contiguous())
