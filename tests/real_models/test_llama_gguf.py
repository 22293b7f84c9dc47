"""A llama model out of a GGUF file: the logits of the transformers library, or a refusal."""

import gguf
import numpy as np
import pytest
import torch

from helpers.real_models.llama_gguf import decoder_of_gguf
from helpers.weights.gguf_file import GGUF, Stored, read_gguf
from tests import gguf_files
from tests.gguf_files import C, D, V
from tests.real_models.library_of_gguf import library_model
from tests.small_models import tokens_of


@pytest.mark.parametrize("tied", [True, False])
def test_the_logits_are_those_of_the_transformers_library(tmp_path, tied):
    weights = gguf_files.tensors(tied)
    file = read_gguf(gguf_files.write(tmp_path / "a.gguf", weights=weights))
    model = decoder_of_gguf(file)
    assert model.config.tied_head is tied and not model.training
    assert (model.head.weight is model.token_embedding.weight) is tied
    tokens = tokens_of(2, 9, vocab_size=V)
    with torch.no_grad():
        wanted = library_model(file, tie_word_embeddings=tied)(tokens).logits
        assert torch.allclose(model(tokens), wanted, atol=1e-5)


QUERY = "blk.0.attn_q.weight"


def changed(**fields):
    """The small file's fields with other values; None leaves one out."""
    given = gguf_files.settings()
    for name, value in fields.items():
        name = "llama." + name.replace("__", ".")
        given.pop(name, None)
        if value is not None:
            given[name] = value
    return given


@pytest.mark.parametrize(
    "fields, words",
    [
        (changed(block_count=None), "the file does not say llama.block_count"),
        (changed(block_count=("string", "two")), "llama.block_count is 'two'; it should be of ty"),
        (changed(block_count=("uint32", 3)), "9 weights of llama in a GGUF file are missing: blk"),
        (changed(block_count=("uint32", 1)), r"9 weights have no place in llama.*: blk\.1"),
        (changed(attention__head_count=("uint32", 0), rope__dimension_count=None), "heads is 0"),
        (changed(attention__head_count=("uint32", 8)), "attn_q.weight has shape.*64, 64.*128, 64"),
        (changed(attention__head_count_kv=("uint32", 3)), "H=4 is not divisible by"),
        (changed(rope__freq_base=("float32", -1.0)), "rotary base is -1.0"),
        (changed(attention__layer_norm_rms_epsilon=("float32", 0.0)), "norm_eps is 0.0"),
        (changed(vocab_size=("uint32", 9)), r"token_embd.weight has shape \[271, 64\]"),
        (changed(expert_count=("uint32", 4)), "says llama.expert_count = 4; only 0 is b"),
        (changed(rope__scaling__type=("string", "yarn")), "rope.scaling.type is 'yarn'; built"),
    ],
)  # fmt: skip
def test_settings_that_do_not_fit_are_refused_in_one_sentence(tmp_path, fields, words):
    if fields.get("llama.attention.head_count") == ("uint32", 8):
        for part in ("key_length", "value_length"):
            fields[f"llama.attention.{part}"] = ("uint32", D)
    file = read_gguf(gguf_files.write(tmp_path / "a.gguf", fields=fields))
    with pytest.raises(ValueError, match=words) as caught:
        decoder_of_gguf(file)
    assert "\n" not in str(caught.value)


def test_another_architecture_is_refused(tmp_path):
    file = read_gguf(gguf_files.write(tmp_path / "a.gguf", architecture="mamba"))
    with pytest.raises(ValueError, match="the architecture 'mamba'; known is 'llama'"):
        decoder_of_gguf(file)


def damaged(change):
    weights = gguf_files.tensors()
    change(weights)
    return weights


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda w: w.pop(QUERY), rf"1 weights .* missing: {QUERY} \(our blocks.0.attention.query"),
        (lambda w: w.update({QUERY: (np.ones((32, C), np.float32), "Q4_1")}),
         rf"{QUERY} has shape \[32, 64\], which does not give our blocks.0.attention.query.weig"),
        (lambda w: w.update({QUERY: (np.ones((C, 32), np.float32), "Q8_0")}), "has shape .64, 32"),
        (lambda w: w.update({"output_norm.weight": (np.ones(C + 1, np.float32), "F32")}),
         r"output_norm.weight has shape \[65\]"),
        (lambda w: w.update({"blk.0.attn_q.bias": (np.ones(C, np.float32), "F32")}),
         "1 weights have no place in llama in a GGUF file: blk.0.attn_q.bias"),
    ],
)  # fmt: skip
def test_tensors_missing_left_over_or_of_another_shape_are_refused(tmp_path, change, words):
    file = read_gguf(gguf_files.write(tmp_path / "a.gguf", weights=damaged(change)))
    with pytest.raises(ValueError, match=words):
        decoder_of_gguf(file)


def test_each_tensor_is_made_into_numbers_once(tmp_path, monkeypatch):
    file = read_gguf(gguf_files.write(tmp_path / "a.gguf"))
    asked, whole = [], Stored.weight
    monkeypatch.setattr(Stored, "weight", lambda self: asked.append(id(self)) or whole(self))
    decoder_of_gguf(GGUF(file.fields, file.tensors))
    assert sorted(asked) == sorted(map(id, file.tensors.values()))


@pytest.mark.slow
def test_the_real_files_numbers_are_the_librarys_to_the_last_bit(model_path):
    ours = read_gguf(model_path).tensors
    for tensor in gguf.GGUFReader(model_path).tensors:
        wanted = torch.from_numpy(gguf.quants.dequantize(tensor.data, tensor.tensor_type))
        found = ours[tensor.name].weight()
        assert torch.equal(found.view(torch.int32), wanted.view(torch.int32)), tensor.name
