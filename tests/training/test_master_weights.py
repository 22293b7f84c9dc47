"""Training in 16 bits: with a float32 master copy small steps add up, without one they are lost."""

import copy

import pytest
import torch
from torch import nn

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.training.loop import next_token_loss
from helpers.training.master_weights import MasterWeights
from tests.small_models import tokens_of

# no biases for keys: attention cancels them, so their gradients are noise, which Adam makes large
SMALL = {"vocab_size": 12, "context": 9, "qkv_bias": False}
TIED = DecoderConfig(**SMALL, pad_id=None, head_bias=False, tied_head=True)
PADDED = DecoderConfig(**SMALL, pad_id=0, positions="sinusoidal")


def steps(model, optimizer, rate=0.01, count=8):
    """Train for `count` steps on one batch; return the losses."""
    tokens, losses = tokens_of(4, 9, vocab_size=12), []
    for _ in range(count):
        loss = next_token_loss(model(tokens), tokens)
        optimizer.zero_grad()
        loss.backward()
        if isinstance(optimizer, MasterWeights):
            optimizer.gather()
            optimizer.step(rate)
        else:
            optimizer.step()
        losses.append(loss.item())
    return losses


@pytest.mark.parametrize("config", [TIED, PADDED])
def test_in_float32_it_is_adamw_on_every_weight(config):
    ours, theirs = Decoder(config), Decoder(config)
    found = steps(ours, MasterWeights(ours, decay=0.1, dtype=torch.float32))
    adamw = torch.optim.AdamW(theirs.parameters(), lr=0.01, weight_decay=0.1)
    assert found == pytest.approx(steps(theirs, adamw), abs=1e-5)
    for (name, a), b in zip(ours.named_parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-5, msg=name)
    if config.pad_id is not None:
        assert not ours.token_embedding.weight[config.pad_id].any()


@pytest.mark.parametrize("config", [TIED, PADDED])
def test_in_bfloat16_the_model_holds_the_master_rounded_and_the_loss_follows(config):
    ours, exact = Decoder(config), Decoder(config)
    optimizer, rate = MasterWeights(ours), 0.003  # low, so that the curve itself does not jump
    found = steps(ours, optimizer, rate, 30)
    wanted = steps(exact, MasterWeights(exact, dtype=torch.float32), rate, 30)
    assert found == pytest.approx(wanted, abs=0.05) and found[-1] < found[0] - 0.5
    assert {weight.dtype for weight in ours.parameters()} == {torch.bfloat16}
    assert optimizer.vector.dtype == torch.float32
    held = torch.cat([weight.detach().flatten() for weight in ours.parameters()])
    assert torch.equal(held, optimizer.vector.detach().bfloat16())
    assert (ours.head.weight is ours.token_embedding.weight) == config.tied_head


def test_the_gradients_that_it_uses_are_the_models_own_to_the_last_bit():
    layer = nn.Linear(3, 2).bfloat16()
    optimizer = MasterWeights(layer)
    layer(torch.ones(4, 3, dtype=torch.bfloat16)).float().square().sum().backward()
    wanted = torch.cat([layer.weight.grad.flatten(), layer.bias.grad]).float()
    optimizer.gather()
    assert torch.equal(optimizer.vector.grad, wanted)


def test_steps_under_the_spacing_of_bfloat16_add_up_only_with_a_master_copy():
    # next to 1 the numbers of bfloat16 lie 2**-8 (below) and 2**-7 (above) apart
    with_master = nn.Linear(1, 1, bias=False)
    nn.init.ones_(with_master.weight)
    without = copy.deepcopy(with_master).bfloat16()
    optimizers = (
        MasterWeights(with_master),
        torch.optim.AdamW(without.parameters(), lr=0.001, weight_decay=0.0, fused=True),
    )
    for layer, optimizer in zip((with_master, without), optimizers, strict=True):
        for _ in range(100):
            layer.weight.grad = torch.ones_like(layer.weight)
            if layer is with_master:
                optimizer.gather()
                optimizer.step(0.001)
            else:
                optimizer.step()
    assert optimizers[0].vector.item() == pytest.approx(0.9, abs=1e-4)
    assert with_master.weight.item() == pytest.approx(0.9, abs=2**-9)
    assert without.weight.item() == 1  # not one of a hundred steps is left


def test_a_weight_without_a_gradient_counts_as_one_with_gradient_zero():
    layers = nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 2)])
    before = copy.deepcopy(layers)
    optimizer = MasterWeights(layers, dtype=torch.float32)
    layers[0](torch.ones(1, 2)).sum().backward()
    optimizer.gather()
    optimizer.step(0.1)
    assert torch.equal(layers[1].weight, before[1].weight)
    assert not torch.equal(layers[0].weight, before[0].weight)
    optimizer.zero_grad()
    assert layers[0].weight.grad is None


def test_its_state_goes_on_in_another_model_bit_for_bit():
    whole, first, second = (Decoder(TIED) for _ in range(3))
    optimizer = MasterWeights(first)
    steps(first, optimizer, count=3)
    state = copy.deepcopy(optimizer.state())
    other = MasterWeights(second)
    other.load_state(state)
    wanted = steps(whole, MasterWeights(whole), count=6)[3:]
    assert steps(second, other, count=3) == wanted
    with pytest.raises(ValueError, match="weights of other shapes"):
        MasterWeights(nn.Linear(2, 2)).load_state(state)
