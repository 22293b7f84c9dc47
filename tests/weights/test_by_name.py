"""Weights by name, each once; a tied head stays tied."""

import pytest
import torch
from torch import nn

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.weights.by_name import Undrawn, load_weights, own_weights
from tests.small_models import V, shaken, tokens_of

GPT2_SMALL = {
    "vocab_size": 50257, "context": 1024, "width": 768, "heads": 12, "blocks": 12, "pad_id": None,
    "norm_placement": "pre", "final_norm": True, "head_bias": False,
}  # fmt: skip
TIED = DecoderConfig(vocab_size=V, context=9, pad_id=None, tied_head=True, head_bias=False)


@pytest.mark.parametrize(
    "changes, wanted",
    [
        ({"tied_head": True}, 124_439_808),
        ({"tied_head": True, "positions": "none"}, 123_653_376),
        ({}, 163_037_184),
    ],
)
def test_the_parameters_of_gpt2_small_C46(changes, wanted, monkeypatch):
    monkeypatch.setattr("helpers.decoder.model.draw_weights", lambda *_: None)  # counted, not drawn
    with torch.device("meta"):
        model = Decoder(DecoderConfig(**GPT2_SMALL | changes))
    assert model.parameter_count() == wanted


def test_a_tied_head_is_one_storage_after_loading_and_after_a_step_C46():
    model, source = Decoder(TIED), shaken(Decoder(TIED, seed=1))
    weights = {name: tensor.clone() for name, tensor in own_weights(source).items()}
    assert "head.weight" not in weights
    table = weights["token_embedding.weight"]
    both_names = {**weights, "head.weight": table}
    for load in (load_weights, lambda model, _: model.load_state_dict(both_names)):
        load(model, weights)
        assert model.head.weight.data_ptr() == model.token_embedding.weight.data_ptr()
        optimiser = torch.optim.SGD(model.parameters(), lr=0.1)
        listed = [p for group in optimiser.param_groups for p in group["params"]]
        assert sum(p is model.head.weight for p in listed) == 1
        model(tokens_of(2, 5)).square().sum().backward()
        optimiser.step()
        assert torch.equal(model.head.weight, model.token_embedding.weight)
        assert not torch.equal(model.head.weight, table)


def test_weights_that_do_not_fit_are_refused_by_name_and_change_nothing():
    model = Decoder(TIED)
    before = {name: tensor.clone() for name, tensor in own_weights(model).items()}
    good = dict(own_weights(Decoder(TIED, seed=2)))
    bias = "blocks.0.attention.query.bias"
    cases = [
        ({name: x for name, x in good.items() if name != bias}, f"{bias} is missing"),
        ({**good, "extra": torch.zeros(1)}, "extra is none of the model's"),
        ({**good, bias: torch.zeros(3)}, rf"{bias} has shape \[3\], the model's \[32\]"),
    ]
    for weights, message in cases:
        with pytest.raises(ValueError, match=message):
            load_weights(model, weights)
    assert all(torch.equal(x, before[name]) for name, x in own_weights(model).items())


def test_undrawn_leaves_weights_as_they_were():
    x = torch.zeros(3, 4)
    with Undrawn():
        x.uniform_(1, 2)
        x.normal_(5)
        nn.init.kaiming_uniform_(x)
        nn.init.normal_(x, mean=9)
        x[0].fill_(1)  # all else is done
    assert x.tolist() == [[1.0] * 4, [0.0] * 4, [0.0] * 4]
    x.uniform_(1, 2)
    assert (x >= 1).all()
