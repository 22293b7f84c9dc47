"""Modes are set for a while, part by part, and come back whatever happens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoder.modes import evaluating, in_mode
from tests.tiers import examples

V = 12


@given(st.lists(st.booleans(), min_size=60, max_size=60))
@examples(30)
def test_evaluating_gives_every_part_its_own_mode_back_C15(modes):
    model = Decoder(DecoderConfig(vocab_size=V, context=12, blocks=2, dropout=0.5))
    parts = list(model.modules())
    assert len(parts) <= len(modes)
    for part, mode in zip(parts, modes, strict=False):
        part.training = mode
    with evaluating(model) as inside:
        assert inside is model
        assert not any(part.training for part in parts)
    assert [part.training for part in parts] == modes[: len(parts)]
    with pytest.raises(KeyError), evaluating(model):
        raise KeyError("on the way")
    assert [part.training for part in parts] == modes[: len(parts)]


def test_train_mode_for_a_while_and_back_C15():
    model = Decoder(DecoderConfig(vocab_size=V, context=12, dropout=0.5)).eval()
    with in_mode(model, training=True):
        assert all(part.training for part in model.modules())
    assert not any(part.training for part in model.modules())


def test_what_is_switched_in_between_comes_back_too_C15():
    model = Decoder(DecoderConfig(vocab_size=V, context=12, dropout=0.5)).eval()
    with evaluating(model):
        model.train()
    assert not any(part.training for part in model.modules())
