"""Weight formats: each product equals the one with the matrix it says it means; what does not fit
is refused, and what torch lacks is replaced with a warning."""

import copy

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from helpers import formats
from helpers.decoding import generate
from helpers.formats import FORMATS, Packed, Part, missing, pack
from helpers.model import Decoder, DecoderConfig
from tests.small_models import tokens_of

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


def config(**changes):
    """A llama-like model whose matrices fit every format."""
    return DecoderConfig(**{
        "vocab_size": 64, "context": 40, "width": 64, "blocks": 2, "heads": 4,
        "key_value_heads": 2, "pad_id": None, "positions": "rotary",
        "rotary": {"layout": "pairs"}, "norm": "rms", "norm_placement": "pre", "final_norm": True,
        "feed_forward": "swiglu", "hidden": 96, "tied_head": True, "head_bias": False,
    } | changes)  # fmt: skip


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
    weight = formats.quantize_4(matrix(32, 64)).weight()
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


# ---- whole models --------------------------------------------------------------------------------


PLAIN = {"feed_forward": "gelu", "norm": "layer", "head_bias": True}
# all of them work at each position: which of them do could turn on a last bit
EXPERTS = {"experts": 16, "experts_used": 16, "tied_head": False}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("changes", [{}, PLAIN, EXPERTS], ids=["llama", "plain", "experts"])
def test_a_packed_model_gives_nearly_the_same_and_the_given_one_stays(name, changes):
    model = Decoder(config(**changes)).eval()
    before = copy.deepcopy(model.state_dict())
    packed = pack(model, name)
    tokens = tokens_of(2, 9, vocab_size=64)
    with torch.no_grad():
        wanted, found = model(tokens), packed(tokens)
    allowed = {"float32": 1e-5, "float16": 0.01, "bfloat16": 0.06, "int8": 0.1, "int4": 0.6}[name]
    assert (found - wanted).abs().max() <= allowed * wanted.abs().max()
    assert not any(isinstance(module, nn.Linear) for module in packed.modules())
    assert packed.token_embedding.weight is model.token_embedding.weight
    after = model.state_dict()
    assert all(torch.equal(after[key], value) for key, value in before.items())
    assert not any(isinstance(module, Packed) for module in model.modules())


@pytest.mark.parametrize("name", FORMATS)
def test_generation_works_unchanged_cached_and_uncached_alike(name):
    packed = pack(Decoder(config()).eval(), name)
    tokens = tokens_of(2, 7, vocab_size=64)
    options = {"max_new_tokens": 12, "temperature": 0, "stop_ids": None}
    plain = generate(packed, tokens, **options)
    for kind in ("growing", "preallocated"):
        cached = generate(packed, tokens, cache=packed.new_cache(2, kind), **options)
        assert torch.equal(cached.tokens, plain.tokens)
        assert torch.allclose(cached.log_probabilities, plain.log_probabilities, atol=0.02)


def test_layers_that_read_the_same_are_one_product_and_each_is_there_alone():
    model = Decoder(config(query_key_norm=True)).eval()
    packed = pack(model, "float32")
    layer, old = packed.blocks[0].attention, model.blocks[0].attention
    assert (layer.joint.out_features, packed.blocks[0].feed_forward.joint.out_features) == (
        128,
        192,
    )
    x = matrix(5, 64, 3, 1.0)[None]
    with torch.no_grad():
        for part in ("query", "key", "value"):
            assert isinstance(getattr(layer, part), Part)
            assert torch.allclose(getattr(layer, part)(x), getattr(old, part)(x), atol=1e-5)
        assert torch.allclose(layer.weights(x), old.weights(x), atol=1e-5)
        assert torch.allclose(layer(x), old(x), atol=1e-5)
        assert torch.allclose(layer(x, source=x[:, :2]), old(x, source=x[:, :2]), atol=1e-5)


def test_cross_attention_is_packed_matrix_by_matrix():
    model = Decoder(config(cross_attention=True)).eval()
    packed = pack(model, "float32")
    assert packed.blocks[0].cross_attention.joint is None
    tokens, source = tokens_of(2, 5, vocab_size=64), matrix(6, 64, 2, 1.0).view(2, 3, 64)
    with torch.no_grad():
        wanted = model(tokens, memory=model.memory_of(source))
        assert torch.allclose(packed(tokens, memory=packed.memory_of(source)), wanted, atol=1e-5)


def test_the_head_of_a_model_with_few_bits_is_held_in_float16():
    model = Decoder(config()).eval()
    assert {name: pack(model, name).head.format for name in FORMATS} == {
        "float32": "float32", "bfloat16": "bfloat16", "float16": "float16",
        "int8": "float16", "int4": "float16",
    }  # fmt: skip


def test_a_layer_that_does_not_fit_and_an_unknown_format_are_named():
    model = Decoder(config(hidden=72))
    with pytest.raises(ValueError, match=r"blocks\.0\.feed_forward\.narrow: the matrix has 72 col"):
        pack(model, "int8")
    with pytest.raises(ValueError, match="format is 'int3'; allowed are 'float32', 'bfloat16'"):
        pack(model, "int3")


def test_gradients_are_refused_and_modes_are_kept():
    packed = pack(Decoder(config()).train(), "float32")
    assert all(module.training for module in packed.modules())
    with pytest.raises(RuntimeError, match=r"have no gradients; call under torch\.no_grad"):
        packed(tokens_of(1, 3, vocab_size=64))
