"""Activation checkpointing: equal numbers, less memory, more work."""

import pytest
import torch

from helpers.counting.operations import count_work
from helpers.counting.planning import measured_saved_bytes
from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.training.loop import next_token_loss
from helpers.training.recompute import recomputing

CONFIG = DecoderConfig(
    vocab_size=64,
    context=64,
    width=64,
    blocks=6,
    norm_placement="pre",
    final_norm=True,
    dropout=0.1,
    pad_id=None,
)
TOKENS = torch.randint(0, 64, (8, 64), generator=torch.Generator().manual_seed(0))


def gradients(seed=5, keep_random_state=True, recompute=True):
    model = Decoder(CONFIG, seed=0).train()
    torch.manual_seed(seed)
    if recompute:
        with recomputing(model, keep_random_state=keep_random_state):
            next_token_loss(model(TOKENS), TOKENS).backward()
    else:
        next_token_loss(model(TOKENS), TOKENS).backward()
    return torch.cat([p.grad.flatten() for p in model.parameters()])


def test_gradients_are_equal_to_the_last_bit_with_dropout_as_well():
    assert torch.equal(gradients(), gradients(recompute=False))


def test_without_the_random_state_they_are_those_of_another_function():
    plain = gradients(recompute=False)
    other = gradients(keep_random_state=False)
    assert float((other - plain).norm() / plain.norm()) > 0.1


def test_a_block_keeps_what_goes_in_and_the_whole_costs_a_third_more():
    model = Decoder(CONFIG, seed=0).train()

    def loss():
        return next_token_loss(model(TOKENS), TOKENS)

    def step():
        loss().backward()

    kept, work = measured_saved_bytes(model, loss), count_work(step).total
    with recomputing(model):
        less, more = measured_saved_bytes(model, loss), count_work(step).total
    state = 4 * 8 * 64 * 64  # bytes of [B, T, C]
    assert kept / state > 100 and less / state < 12
    assert 1.3 < more / work < 4 / 3


def test_the_model_is_as_it_was_afterwards_also_after_an_error():
    model = Decoder(CONFIG, seed=0)
    with pytest.raises(KeyError), recomputing(model):
        raise KeyError
    assert all("forward" not in vars(block) for block in model.blocks)
    assert list(model.state_dict()) == list(Decoder(CONFIG).state_dict())
