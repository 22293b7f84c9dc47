"""Multiply-adds: the formulas against what torch is really asked to multiply, and exact sums."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.counting.operations import Work, count_work, forward_work, generation_work, memory_work
from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoding.generation import generate
from tests.tiers import examples

shapes = st.fixed_dictionaries(
    {
        "vocab_size": st.integers(4, 9),
        "width": st.sampled_from([4, 8]),
        "heads": st.sampled_from([1, 2, 4]),
        "blocks": st.integers(0, 3),
        "hidden": st.sampled_from([None, 5]),
        "attention": st.booleans(),
    }
)


def decoder(shape, fused):
    model = Decoder(DecoderConfig(context=24, **shape)).eval()
    for module in model.modules():
        if hasattr(module, "fused"):
            module.fused = fused
    return model


def together(work):
    """The counter cannot tell the head's products from the others."""
    return Work(matrix=work.matrix + work.head, attention=work.attention)


@given(shapes, st.integers(1, 9), st.integers(1, 3), st.booleans())
@examples(40)
def test_a_pass_multiplies_what_the_formula_says(shape, length, batch, fused):
    model = decoder(shape, fused)
    tokens = torch.zeros(batch, length, dtype=torch.int64)
    with torch.no_grad():
        counted = count_work(lambda: model(tokens))
        last = count_work(lambda: model.next_logits(tokens))
    assert counted == together(forward_work(model.config, length, batch=batch))
    assert last == together(forward_work(model.config, length, batch=batch, logits=1))


@given(
    shapes,
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(1, 3),
    st.sampled_from([None, "growing", "preallocated", "window"]),
    st.booleans(),
)
@examples(60)
def test_generation_multiplies_what_the_formula_says(shape, prompt, new, batch, kind, fused):
    if kind == "window":
        shape = shape | {"window": 3}
    model = decoder(shape, fused)
    tokens = torch.full((batch, prompt), 3)

    def run():
        cache = None if kind is None else model.new_cache(batch, kind)
        generate(
            model, tokens, max_new_tokens=new, temperature=0, stop_ids=None, cache=cache
        )  # fmt: skip

    wanted = generation_work(model.config, new, prompt=prompt, batch=batch, cached=kind is not None)
    assert count_work(run) == together(wanted)


@pytest.mark.parametrize("fused", [True, False])
def test_cross_attention_counts_its_memory_once_and_its_looks_every_step(fused):
    shape = {"vocab_size": 7, "width": 8, "heads": 2, "blocks": 2, "cross_attention": True}
    model = decoder(shape, fused)
    source = torch.zeros(3, 11, 8)
    with torch.no_grad():
        memory = model.memory_of(source)
        counted = count_work(lambda: model.memory_of(source))
    assert counted == memory_work(model.config, 11, batch=3)
    tokens = torch.full((3, 2), 3)
    for cached in (False, True):
        cache = model.new_cache(3) if cached else None
        counted = count_work(
            lambda cache=cache: generate(
                model, tokens, max_new_tokens=4, stop_ids=None, memory=memory, cache=cache
            )
        )
        wanted = generation_work(model.config, 4, prompt=2, batch=3, cached=cached, source=11)
        assert counted == together(wanted)


@given(st.integers(1, 200), st.integers(1, 5), st.integers(1, 4))
def test_the_ratios_of_work_are_exact(length, batch, blocks):
    # lesson 10: T steps after a prompt of one token
    config = DecoderConfig(vocab_size=12, context=length + 1, blocks=blocks)
    without = generation_work(config, length, batch=batch)
    cached = generation_work(config, length, batch=batch, cached=True)
    assert 2 * without.matrix == (length + 1) * cached.matrix
    assert 3 * without.attention == (2 * length + 1) * cached.attention
    assert without.head == cached.head
    assert without.total == without.matrix + without.attention + without.head


def test_an_example_by_hand():
    # C=2, hidden 8: query, key, value, output 4 * 4 = 16 and feed-forward 2 * 16 = 32 a row
    config = DecoderConfig(vocab_size=5, context=9, width=2, heads=1)
    assert forward_work(config, 3) == Work(matrix=3 * 48, attention=3 * 3 * 4, head=3 * 10)
    assert forward_work(config, 1, 3, batch=2, logits=1) == Work(2 * 48, 2 * 3 * 4, 2 * 10)


@pytest.mark.parametrize(("fused", "products"), [(True, 2 + 5), (False, 2 + 4)])
def test_a_training_step_counts_the_gradients_of_attention_too(fused, products):
    # the fused kernel computes the scores again; a product more than the written out form
    shape = {"vocab_size": 7, "width": 8, "heads": 2, "blocks": 2}
    model = decoder(shape, fused)
    counted = count_work(lambda: model(torch.full((3, 5), 4)).sum().backward())
    forward = forward_work(model.config, 5, batch=3)
    assert 2 * counted.attention == products * forward.attention
    assert counted.matrix == 3 * together(forward).matrix
