"""Packed models: their blocks, written straight through, equal the blocks that are read; a model in
each format gives nearly the same, and the given one stays as it was."""

import copy

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from helpers.decoder.block import Block
from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoding.generation import generate
from helpers.weights.formats import FORMATS, Packed, missing
from helpers.weights.packed_model import PackedBlock, pack
from tests.small_models import modern_configs, shaken, tokens_of, vectors


def config(**changes):
    """A llama-like model whose matrices fit every format."""
    return DecoderConfig(**{
        "vocab_size": 64, "context": 40, "width": 64, "blocks": 2, "heads": 4,
        "key_value_heads": 2, "pad_id": None, "positions": "rotary",
        "rotary": {"layout": "pairs"}, "norm": "rms", "norm_placement": "pre", "final_norm": True,
        "feed_forward": "swiglu", "hidden": 96, "tied_head": True, "head_bias": False,
    } | changes)  # fmt: skip


# ---- blocks written straight through -------------------------------------------------------------


@given(config=modern_configs(), seed=st.integers(0, 99), padded=st.booleans())
def test_a_packed_model_equals_the_one_it_was_made_of_in_every_combination_of_parts(
    config, seed, padded
):
    model = shaken(Decoder(config, seed=seed)).eval()
    packed = pack(model, "float32")
    tokens = tokens_of(2, 5, seed, vocab_size=config.vocab_size)
    mask = torch.ones_like(tokens, dtype=torch.bool)
    mask[1, : 2 * padded] = False
    with torch.no_grad():
        wanted = model(tokens, mask)
        assert torch.allclose(packed(tokens, mask), wanted, atol=1e-4)
        if config.causal:
            cache = packed.new_cache(2)
            first = packed(tokens[:, :3], mask[:, :3], cache=cache)
            rest = packed(tokens[:, 3:], mask[:, 3:], cache=cache)
            found = torch.cat([first, rest], dim=1)
            assert torch.allclose(found[mask], wanted[mask], atol=1e-4)


LLAMAS = [
    {}, {"key_value_heads": 4}, {"key_value_heads": 1}, {"head_width": 24}, {"qkv_bias": True},
    {"norm": "one_plus_rms"}, {"feed_forward": "geglu_tanh"}, {"feed_forward_bias": True},
    {"rotary": {"layout": "halves"}}, {"rotary": {"layout": "pairs", "width": 8}}, {"window": 3},
    {"positions": "learned", "rotary": {}}, {"positions": "alibi", "rotary": {}},
    {"embedding_scale": 8.0},
]  # fmt: skip


@pytest.mark.parametrize("changes", LLAMAS, ids=str)
@pytest.mark.parametrize("kind", ["growing", "preallocated"])
def test_blocks_of_llamas_kind_go_straight_and_give_the_same(changes, kind):
    model = shaken(Decoder(config(**changes))).eval()
    packed = pack(model, "float32")
    assert all(isinstance(block, PackedBlock) for block in packed.blocks)
    tokens = tokens_of(3, 12, vocab_size=64)
    mask = torch.ones_like(tokens, dtype=torch.bool)
    mask[1, :4] = False
    caches = model.new_cache(3, kind), packed.new_cache(3, kind)
    with torch.no_grad():
        for piece in (slice(0, 6), slice(6, 7), slice(7, 12)):  # many, one, many behind the past
            wanted = model(tokens[:, piece], mask[:, piece], cache=caches[0])
            found = packed(tokens[:, piece], mask[:, piece], cache=caches[1])
            real = mask[:, piece]
            assert torch.allclose(found[real], wanted[real], atol=1e-4)


OTHERS = [
    {"norm": "layer"}, {"norm_placement": "both"}, {"norm_placement": "post"},
    {"query_key_norm": True}, {"parallel": True},
    {"feed_forward": "gelu"}, {"experts": 2, "experts_used": 1},
    {"attention": False, "positions": "learned", "rotary": {}},
]  # fmt: skip


@pytest.mark.parametrize("changes", OTHERS, ids=str)
def test_other_blocks_stay_blocks_with_packed_layers(changes):
    packed = pack(Decoder(config(**changes)).eval(), "float32")
    assert all(isinstance(block, Block) for block in packed.blocks)
    assert not any(isinstance(module, nn.Linear) for module in packed.modules())


def test_vectors_may_lie_in_any_order_in_memory_and_stay_as_they_were():
    model = Decoder(config()).eval()
    block = pack(model, "int8").blocks[0]
    x = torch.linspace(-1, 1, 3 * 5 * 64).sin().view(64, 5, 3).permute(2, 1, 0)  # [3, 5, 64]
    before = x.clone()
    with torch.no_grad():
        assert torch.equal(block(x), block(x.contiguous()))
        large = (2000 * x).half()  # whose squares are beyond the end of float16
        assert torch.equal(block(large), block(large.float()))
    assert torch.equal(x, before)


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


def test_cross_attention_is_packed_matrix_by_matrix():
    model = Decoder(config(cross_attention=True)).eval()
    packed = pack(model, "float32")
    assert isinstance(packed.blocks[0].cross_attention.key, Packed)
    tokens, source = tokens_of(2, 5, vocab_size=64), vectors(2, 3, 64)
    with torch.no_grad():
        wanted = model(tokens, memory=model.memory_of(source))
        assert torch.allclose(packed(tokens, memory=packed.memory_of(source)), wanted, atol=1e-5)


def test_each_matrix_is_packed_once(monkeypatch):
    packed, real = [], FORMATS["float32"]
    missing("float32")  # it packs one to try
    monkeypatch.setitem(FORMATS, "float32", lambda weight: packed.append(weight) or real(weight))
    pack(Decoder(config()).eval(), "float32")
    assert len(packed) == 2 * 4 + 1  # in each block qkv, output, both wide ones, narrow; the head


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
    for training in (True, False):
        packed = pack(Decoder(config()).train(training), "float32")
        assert all(module.training == training for module in packed.modules())
    tokens = tokens_of(1, 3, vocab_size=64)
    words = r"have no gradients; call under torch\.no_grad"
    with pytest.raises(RuntimeError, match=words):
        packed(tokens)
    with pytest.raises(RuntimeError, match=words):
        packed.blocks[0](packed.token_rows(tokens))


def test_states_that_packed_blocks_cannot_norm_are_refused():
    model = shaken(Decoder(config())).eval()
    packed, tokens = pack(model, "float32"), tokens_of(1, 4)
    assert any(isinstance(block, PackedBlock) for block in packed.blocks)
    with torch.no_grad():
        assert torch.allclose(packed(tokens), model(tokens), atol=1e-3)
        model.token_embedding.weight *= 1e25  # shared with the packed one
        assert model(tokens).isfinite().all()
        with pytest.raises(ValueError, match=r"states reach .*e\+2.; a packed model takes them up"):
            packed(tokens)
        model.token_embedding.weight.fill_(torch.nan)
        assert packed(tokens).isnan().all()  # no business of the norm
