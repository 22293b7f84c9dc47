"""Wrapped and compiled models: saved and loaded under the names of the model inside."""

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import nn

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.real_models.checkpoint import decoder_of
from helpers.training import pretrained
from helpers.weights.by_name import load_weights, own_weights, plain_names, unwrapped
from tests.real_models.library_models import V as LIBRARY_V
from tests.real_models.library_models import pair
from tests.small_models import V, shaken, tokens_of

TIED = DecoderConfig(
    vocab_size=V, context=9, pad_id=None, tied_head=True, head_bias=False, blocks=2
)


def compiled_blocks(model):
    """Compiled one by one, as is done where the whole does not compile."""
    model.blocks[1] = torch.compile(model.blocks[1])
    return model


def parallel(model):
    """In torch's DataParallel, which moves to a lone GPU what it is given."""
    return nn.DataParallel(model).cpu()


WRAPPINGS = {
    "compiled": torch.compile,
    "parallel": parallel,
    "compiled, then parallel": lambda model: parallel(torch.compile(model)),
    "parallel, then compiled": lambda model: torch.compile(parallel(model)),
    "thrice": lambda model: torch.compile(parallel(torch.compile(model))),
    "a block compiled": compiled_blocks,
    "a block compiled in a parallel model": lambda model: parallel(compiled_blocks(model)),
}
wrappings = pytest.mark.parametrize("wrap", WRAPPINGS.values(), ids=WRAPPINGS)


@wrappings
def test_a_wrapped_model_has_the_names_of_the_one_inside(wrap):
    model = shaken(Decoder(TIED))
    bare = own_weights(model)
    wrapped = wrap(model)
    assert list(own_weights(wrapped)) == list(bare)
    assert any("_orig_mod" in name or "module" in name for name in wrapped.state_dict())
    assert all(torch.equal(own_weights(wrapped)[name], bare[name]) for name in bare)
    assert unwrapped(wrapped) is model


@wrappings
def test_weights_go_into_and_out_of_wrapped_models(wrap):
    source, tokens = shaken(Decoder(TIED, seed=1)), tokens_of(2, 5)
    wanted = source(tokens)
    as_torch_saves = dict(wrap(source).named_parameters())
    for model in (Decoder(TIED), wrap(Decoder(TIED))):
        load_weights(model, as_torch_saves)
        inside = unwrapped(model)
        inside.blocks[1] = unwrapped(inside.blocks[1])
        assert torch.equal(inside(tokens), wanted)
        assert inside.head.weight is inside.token_embedding.weight


@wrappings
def test_a_shipped_models_file_holds_plain_names_however_it_was_wrapped(wrap, tmp_path):
    model = pretrained.load("recall_two_blocks")
    bare = {name: tensor.clone() for name, tensor in own_weights(model).items()}
    path = pretrained.save_model("recall_two_blocks", wrap(model), tmp_path)
    with safe_open(path, framework="pt") as file:
        assert set(file.keys()) == set(bare)
        recipe = file.metadata()
    again = own_weights(pretrained.load("recall_two_blocks", tmp_path))
    assert all(torch.equal(again[name], bare[name]) for name in bare)
    # a file from before, with the prefixes in it
    save_file({f"_orig_mod.module.{name}": x for name, x in bare.items()}, path, recipe)
    again = own_weights(pretrained.load("recall_two_blocks", tmp_path))
    assert all(torch.equal(again[name], bare[name]) for name in bare)


@pytest.mark.parametrize("prefix", ["_orig_mod.", "module.", "module._orig_mod.module."])
@pytest.mark.parametrize("name", ["llama", "gpt2", "gpt_neox", "mixtral"])
def test_a_real_models_weights_are_read_with_prefixes(name, prefix):
    _, settings, weights, ours = pair(name, 0)
    wrapped = {prefix + key: tensor for key, tensor in weights.items()}
    tokens = tokens_of(2, 5, vocab_size=LIBRARY_V)
    assert torch.equal(decoder_of(settings, wrapped)(tokens), ours(tokens))
    missing = dict(list(wrapped.items())[1:])
    with pytest.raises(ValueError, match="are missing"):
        decoder_of(settings, missing)
    with pytest.raises(ValueError, match=r"have no place in .*: .*\.more"):
        decoder_of(settings, {**wrapped, f"{prefix}more": torch.ones(1)})


def test_two_weights_that_would_have_one_name_are_refused():
    with pytest.raises(ValueError, match=r"module\.a\.b and a\.b are one name, a\.b, for two wei"):
        plain_names(["module.a.b", "a.b"])
    model, weights = Decoder(TIED), own_weights(Decoder(TIED, seed=1))
    first = next(iter(weights))
    with pytest.raises(ValueError, match="are one name"):
        load_weights(model, {**weights, f"module.{first}": weights[first]})


def test_a_part_that_has_one_child_is_no_wrapper():
    model = nn.Sequential(nn.Linear(2, 2))
    assert unwrapped(model) is model and list(own_weights(model)) == ["0.weight", "0.bias"]
