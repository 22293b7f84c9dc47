"""The configuration: a frozen record that refuses impossible values by name."""

import dataclasses
import json
import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder import model
from helpers.decoder.config import DecoderConfig, need_choice, need_int
from helpers.decoder.rotary import Rotary
from tests.small_models import configs

LESSON = DecoderConfig(vocab_size=12, context=9)  # lesson 05: C=32, H=4, one block


@pytest.mark.parametrize(
    "options, message",
    [
        ({"vocab_size": 0}, "vocab_size is 0; give a whole number of 1 or more"),
        ({"vocab_size": 12.0}, "vocab_size is 12.0; give a whole number"),
        ({"context": 0}, "context is 0; give a whole number of 1 or more"),
        ({"context": -3}, "context is -3"),
        ({"context": True}, "context is True"),
        ({"width": 0}, "width is 0"),
        ({"width": "32"}, "width is '32'; give a whole number"),
        ({"heads": 0}, "heads is 0; give a whole number of 1 or more"),
        ({"heads": 5}, "width C=32 is not divisible by heads H=5"),
        ({"blocks": -1}, "blocks is -1; give a whole number of 0 or more"),
        ({"hidden": 0}, "hidden is 0; give a whole number of 1 or more"),
        (
            {"positions": "wavy"},
            "positions is 'wavy'; allowed are 'learned', 'sinusoidal', 'none', 'relative',",
        ),
        ({"positions": "sinusoidal", "width": 3, "heads": 1}, "width C=3 is odd; sinusoidal"),
        ({"norm_placement": "none"}, "norm_placement is 'none'; allowed are 'post', 'pre', 'both'"),
        ({"attention": None}, "attention is None; allowed are True, False"),
        ({"causal": "yes"}, "causal is 'yes'; allowed are True, False"),
        ({"final_norm": 2}, "final_norm is 2; allowed are True, False"),
        ({"cross_attention": "both"}, "cross_attention is 'both'; allowed are True, False"),
        ({"cross_attention": None}, "cross_attention is None; allowed are True, False"),
        ({"window": 0}, "window is 0; give a whole number of 1 or more"),
        ({"window": -2}, "window is -2; give a whole number of 1 or more"),
        ({"window": 4.0}, "window is 4.0; give a whole number of 1 or more"),
        ({"window": True}, "window is True; give a whole number of 1 or more"),
        ({"window": 4, "causal": False}, "window needs causal=True; it is how far a token looks"),
        ({"dropout": 1.0}, "dropout is 1.0; give a share of 0 or more, under 1"),
        ({"dropout": -0.1}, "dropout is -0.1"),
        ({"dropout": math.nan}, "dropout is nan"),
        ({"pad_id": 12}, "pad_id is 12; give 0 to 11 or None"),
        ({"pad_id": -1}, "pad_id is -1; give a whole number of 0 or more"),
        ({"pad_id": 0.5}, "pad_id is 0.5; give a whole number of 0 or more"),
        # heads
        ({"key_value_heads": 3}, "heads H=4 is not divisible by key_value_heads G=3"),
        ({"key_value_heads": 8}, "heads H=4 is not divisible by key_value_heads G=8"),
        ({"key_value_heads": 0}, "key_value_heads is 0; give a whole number of 1 or more"),
        ({"head_width": 0}, "head_width is 0; give a whole number of 1 or more"),
        ({"query_key_norm": 1.5}, "query_key_norm is 1.5; allowed are True, False"),
        ({"query_key_norm": True, "attention": False}, "there is no attention to normalise in"),
        # windows
        ({"window": (3,), "blocks": 2}, "window has 1 numbers for 2 blocks; give one for each"),
        ({"window": (3, 0), "blocks": 2}, r"window\[1\] is 0; give a whole number of 1 or more"),
        ({"window": (None,), "causal": False}, "window needs causal=True"),
        # positions
        ({"positions": "alibi", "attention": False}, "'alibi' act inside attention, and attention"),
        ({"positions": "alibi", "causal": False}, "positions 'alibi' need causal=True"),
        ({"positions": "relative"}, "relative_reach is None and positions 'relative'"),
        ({"relative_reach": 3}, "relative_reach is 3 and positions 'learned'"),
        ({"rotary": Rotary(base=5.0)}, r"Rotary\(base=5.0.* is given, but positions is 'learned'"),
        ({"positions": "rotary", "head_width": 5}, "rotary turns 5 lanes of head width D=5; give"),
        (
            {"positions": "rotary", "rotary": {"width": 10}},
            "rotary turns 10 lanes of head width D=8",
        ),
        (
            {"positions": "rotary", "rotary": {"base": -1}},
            "rotary base is -1; give a finite number",
        ),
        # feed-forward
        ({"feed_forward": "mish"}, "feed_forward is 'mish'; allowed are 'gelu', 'gelu_tanh'"),
        ({"experts": 4}, "experts is 4 and experts_used None; give both or none"),
        ({"experts_used": 4}, "experts is None and experts_used 4; give both or none"),
        ({"experts": 4, "experts_used": 5}, "experts_used is 5; there are 4 experts"),
        ({"experts": 4, "experts_used": 0}, "experts_used is 0; give a whole number of 1"),
        ({"routing": "first"}, "routing is 'first'; allowed are 'top_then_softmax'"),
        # norms and residuals
        ({"norm": "batch"}, "norm is 'batch'; allowed are 'layer', 'rms', 'one_plus_rms'"),
        ({"norm_eps": 0}, "norm_eps is 0; give a finite number above 0"),
        ({"parallel": True}, "parallel needs norm_placement 'pre' or 'both'"),
        (
            {"parallel": True, "norm_placement": "pre", "attention": False},
            "it needs attention=True",
        ),
        (
            {"parallel": True, "norm_placement": "pre", "cross_attention": True},
            "parallel is attention beside feed-forward: it needs attention=True and cross",
        ),
        # both ends
        ({"embedding_scale": 0}, "embedding_scale is 0; give a finite number above 0"),
        ({"logit_cap": -1.0}, r"logit_cap is -1\.0; give a finite number above 0"),
        (
            {"tied_head": True},
            "tied_head trains every row .* pad_id=0 keeps one at zero; give pad_id",
        ),
    ],
)
def test_impossible_configurations_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        DecoderConfig(**{"vocab_size": 12, "context": 9} | options)


@given(st.integers(1, 40), st.integers(1, 12))
def test_width_must_be_divisible_by_heads(width, heads):
    if width % heads == 0:
        assert DecoderConfig(vocab_size=3, context=3, width=width, heads=heads).width == width
    else:
        with pytest.raises(
            ValueError, match=f"width C={width} is not divisible by heads H={heads}"
        ):
            DecoderConfig(vocab_size=3, context=3, width=width, heads=heads)


@given(st.integers(1, 30), st.integers(1, 30))
def test_a_window_may_be_as_long_as_one_likes(window, context):
    assert DecoderConfig(vocab_size=3, context=context, window=window).window == window


def test_a_window_and_a_second_sequence_are_off_unless_asked_for():
    assert LESSON.window is None and LESSON.cross_attention is False
    # a model with a causal mask only, or with no attention of its own, can look at a second one
    for options in ({"window": 2}, {"causal": False}, {"attention": False}):
        config = DecoderConfig(vocab_size=3, context=3, cross_attention=True, **options)
        assert config.cross_attention


def test_a_configuration_cannot_be_changed_or_given_without_names():
    with pytest.raises(dataclasses.FrozenInstanceError):
        LESSON.width = 64
    with pytest.raises(TypeError):
        DecoderConfig(12, 9)
    with pytest.raises(TypeError, match="headz"):
        DecoderConfig(vocab_size=12, context=9, headz=4)


@given(configs())
def test_a_configuration_is_plain_data_that_comes_back_whole(config):
    assert DecoderConfig(**dataclasses.asdict(config)) == config
    assert pickle.loads(pickle.dumps(config)) == config


def test_other_kinds_are_plain_data_that_comes_back_whole():
    config = DecoderConfig(
        vocab_size=5, context=9, positions="rotary", rotary=Rotary(base=50.0), blocks=2,
        window=(3, None),
    )  # fmt: skip
    assert DecoderConfig(**dataclasses.asdict(config)) == config
    written = json.loads(json.dumps(dataclasses.asdict(config)))
    assert DecoderConfig(**written) == config


def test_what_is_left_open_comes_to_the_usual():
    config = DecoderConfig(vocab_size=5, context=9, blocks=2)
    assert (config.G, config.D, config.hidden_width) == (4, 8, 128)
    assert config.windows == (None, None) and config.widest_window is None
    given_ones = {"key_value_heads": 2, "head_width": 5, "hidden": 7, "window": (3, 8)}
    config = dataclasses.replace(config, **given_ones)
    assert (config.G, config.D, config.hidden_width) == (2, 5, 7)
    assert config.windows == (3, 8) and config.widest_window == 8
    assert dataclasses.replace(config, window=(3, None)).widest_window is None


def test_it_can_be_had_from_the_model_file_as_well():
    assert model.DecoderConfig is DecoderConfig


@given(st.integers(-5, 5), st.integers(-5, 5))
def test_whole_numbers_pass_from_the_least_on(value, least):
    if value >= least:
        need_int("size", value, least)
        return
    with pytest.raises(ValueError, match=f"size is {value}; give a whole number of {least} or"):
        need_int("size", value, least)


@pytest.mark.parametrize("value", [True, False, 2.0, 2.5, math.nan, math.inf, "2", None, [2]])
def test_what_is_no_whole_number_is_refused_by_name(value):
    with pytest.raises(ValueError, match=r"size is .*; give a whole number of 0 or more"):
        need_int("size", value, 0)


@given(st.sampled_from(["a", "b", "c", "", None, 0]))
def test_a_choice_is_one_of_those_allowed(value):
    if value in ("a", "b"):
        need_choice("letter", value, ("a", "b"))
        return
    with pytest.raises(ValueError, match=r"letter is .*; allowed are 'a', 'b'"):
        need_choice("letter", value, ("a", "b"))
