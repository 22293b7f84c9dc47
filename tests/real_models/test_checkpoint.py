"""A real model's folder: strict names and shapes, one file or several, and nothing pickled."""

import json
import subprocess
import sys

import pytest
import torch
from safetensors.torch import save_file

from helpers.benchmark.tokenizer_agreement import library_tokenizer
from helpers.real_models.checkpoint import decoder_of, load_folder, load_tokenizer
from helpers.real_models.families import FAMILIES
from helpers.tokenizers.tokenizer import train
from tests.real_models.library_models import V, pair
from tests.small_models import tokens_of

QUERY = "model.layers.0.self_attn.q_proj.weight"


def write(folder, settings, weights, parts=1):
    """Write a folder as people have them: one file, or several and an index."""
    (folder / "config.json").write_text(json.dumps(settings))
    names = sorted(weights)
    if parts == 1:
        save_file(weights, folder / "model.safetensors")
        return
    places = {name: f"model-{i % parts}.safetensors" for i, name in enumerate(names)}
    for file in set(places.values()):
        part = {name: weights[name] for name in names if places[name] == file}
        save_file(part, folder / file)
    index = {"metadata": {}, "weight_map": places}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))


@pytest.mark.parametrize("parts", [1, 3])
def test_a_folder_with_one_file_or_several_gives_the_same_model(tmp_path, parts):
    _, settings, weights, ours = pair("llama", 0)
    write(tmp_path, settings, weights, parts)
    tokens = tokens_of(2, 5, vocab_size=V)
    model = load_folder(tmp_path)
    assert torch.equal(model(tokens), ours(tokens)) and not model.training


@pytest.mark.parametrize("name", ["gpt2", "bloom", "llama"])
def test_older_files_without_a_prefix_and_with_tables_load_too(name):
    _, settings, weights, ours = pair(name, 0)
    prefix = FAMILIES[name].prefix
    older = {key.removeprefix(prefix): value for key, value in weights.items()}
    if name == "gpt2":
        older |= {"h.0.attn.bias": torch.ones(1, 1, 9, 9), "h.0.attn.masked_bias": torch.ones(1)}
    if name == "llama":
        older["layers.0.self_attn.rotary_emb.inv_freq"] = torch.ones(3)
    tokens = tokens_of(2, 5, vocab_size=V)
    assert torch.equal(decoder_of(settings, older)(tokens), ours(tokens))


def test_16_bit_weights_are_held_as_float32():
    _, settings, weights, _ = pair("llama", 0)
    model = decoder_of(settings, {name: x.bfloat16() for name, x in weights.items()})
    assert {parameter.dtype for parameter in model.parameters()} == {torch.float32}


def test_weights_missing_left_over_or_of_another_shape_are_refused_by_both_names():
    _, settings, weights, _ = pair("llama", 0)
    missing = {name: x for name, x in weights.items() if name != QUERY}
    cases = [
        (missing, rf"1 weights of llama are missing: {QUERY} \(our blocks.0.attention.query.weig"),
        (
            {**weights, "model.layers.7.mlp.up_proj.weight": torch.ones(1)},
            "1 weights have no place in llama: model.layers.7.mlp.up_proj.weight",
        ),
        (
            {**weights, QUERY: torch.ones(3, 24)},
            rf"{QUERY} has shape \[3, 24\], which does not give our blocks.0.attention.query.wei"
            r"ght of shape \[24, 24\]",
        ),
    ]
    for given, message in cases:
        with pytest.raises(ValueError, match=message):
            decoder_of(settings, given)
    _, settings, weights, _ = pair("gpt2", 0)
    fused = "transformer.h.0.attn.c_attn.weight"
    message = rf"{fused} has shape \[24, 71\] \(transpose, then last third\), which does not give"
    with pytest.raises(ValueError, match=message):
        decoder_of(settings, {**weights, fused: torch.ones(24, 71)})


def test_a_head_beside_a_tied_embedding_must_be_equal_to_it():
    _, settings, weights, ours = pair("gpt2", 0)
    table = weights["transformer.wte.weight"]
    assert decoder_of(settings, {**weights, "lm_head.weight": table.clone()}).config == ours.config
    with pytest.raises(ValueError, match=r"lm_head\.weight and transformer\.wte\.weight differ"):
        decoder_of(settings, {**weights, "lm_head.weight": table + 1})


@pytest.mark.parametrize(
    "name, changes, message",
    [
        ("llama", {"model_type": "t5"}, "model_type is 't5'; known are gpt2, llama"),
        ("llama", {"hidden_act": "relu2"}, "hidden_act is 'relu2'; known are 'silu', 'gelu'"),
        ("llama", {"hidden_size": None}, r"config\.json does not say hidden_size"),
        (
            "llama",
            {"rope_parameters": {"rope_type": "longrope"}},
            "rope_type is 'longrope'; known are 'default', 'linear', 'llama3', 'yarn'",
        ),
        ("gpt2", {"scale_attn_by_inverse_layer_idx": True}, "scale_attn_by_inverse_layer_idx is T"),
        ("bloom", {"apply_residual_connection_post_layernorm": True}, "apply_residual_conn.* True"),
        ("gemma", {"use_bidirectional_attention": True}, "use_bidirectional_attention is True"),
    ],
)
def test_settings_that_the_decoder_does_not_have_are_refused_by_name(name, changes, message):
    _, settings, weights, _ = pair(name, 0)
    with pytest.raises(ValueError, match=message):
        decoder_of({**settings, **changes}, weights)


def test_older_spellings_of_rotary_settings_are_read():
    _, settings, weights, ours = pair("llama", 1)
    older = {key: value for key, value in settings.items() if key != "rope_parameters"}
    rope = dict(settings["rope_parameters"])
    older |= {"rope_theta": rope.pop("rope_theta"), "rope_scaling": rope}
    older["rope_scaling"]["type"] = rope.pop("rope_type")
    assert decoder_of(older, weights).config == ours.config
    _, settings, weights, ours = pair("gpt_neox", 1)
    older = {key: value for key, value in settings.items() if key != "rope_parameters"}
    older |= {"rotary_pct": 0.5, "rotary_emb_base": 10_000}
    assert decoder_of(older, weights).config == ours.config


# ---- files that are not right -------------------------------------------------------------------


@pytest.mark.parametrize("file", ["pytorch_model.bin", "model.pt", "model.ckpt"])
def test_pickled_weights_are_refused_with_the_reason_and_never_opened(tmp_path, file):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama"}))
    code = b"cos\nsystem\n(S'touch " + str(tmp_path / "ran").encode() + b"'\ntR."
    (tmp_path / file).write_bytes(code)
    with pytest.raises(ValueError, match=f"pickled weights .{file}.; loading them can run any cod"):
        load_folder(tmp_path)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("zipped", [True, False])
def test_pickled_weights_that_hold_tensors_alone_are_taken(tmp_path, zipped):
    _, settings, weights, ours = pair("llama", 0)
    (tmp_path / "config.json").write_text(json.dumps(settings))
    path = tmp_path / "pytorch_model.bin"
    torch.save(weights, path, _use_new_zipfile_serialization=zipped)
    tokens = tokens_of(2, 5, vocab_size=V)
    assert torch.equal(load_folder(tmp_path)(tokens), ours(tokens))


@pytest.mark.parametrize(
    "content",
    [
        {"state_dict": {QUERY: torch.ones(1)}},
        [torch.ones(1)],
        {},
        {QUERY: 1.0},
        {3: torch.ones(1)},
        {QUERY: torch.eye(3).to_sparse()},
    ],
    ids=["nested", "list", "empty", "number", "no name", "sparse"],
)
def test_pickled_weights_that_are_no_table_of_tensors_are_refused(tmp_path, content):
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama"}))
    torch.save(content, tmp_path / "model.pt")
    with pytest.raises(ValueError, match=r"pickled weights .model\.pt.; .* one table of tensors"):
        load_folder(tmp_path)


class Runs:
    """Unpickling it makes a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return open, (str(self.path), "w")


def test_a_whole_torch_file_with_code_in_it_or_cut_short_is_refused_and_nothing_runs(tmp_path):
    _, settings, weights, _ = pair("llama", 0)
    (tmp_path / "config.json").write_text(json.dumps(settings))
    path = tmp_path / "pytorch_model.bin"
    torch.save({**weights, "x": Runs(tmp_path / "ran")}, path)
    with pytest.raises(ValueError, match=r"loading them can run any code"):
        load_folder(tmp_path)
    torch.save(weights, path)
    whole = path.read_bytes()
    for place in (0, 10, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:place])
        with pytest.raises(ValueError, match=r"pickled weights .pytorch_model\.bin"):
            load_folder(tmp_path)
    path.write_bytes(whole)
    torch.save(weights, tmp_path / "second.bin")
    with pytest.raises(ValueError, match="as one table of tensors"):
        load_folder(tmp_path)
    assert not (tmp_path / "ran").exists()


def test_safetensors_are_preferred_to_pickled_weights_beside_them(tmp_path):
    _, settings, weights, _ = pair("llama", 0)
    write(tmp_path, settings, weights)
    (tmp_path / "pytorch_model.bin").write_bytes(b"no pickle")
    load_folder(tmp_path)


def test_the_tokenizer_beside_a_model_is_read_or_refused_with_what_is_read_here(tmp_path):
    ours = train("low lower lowest " * 3, 5, special=["<a>"])
    library_tokenizer(ours).save(str(tmp_path / "tokenizer.json"))
    text = "lowest <a> slow"
    assert load_tokenizer(tmp_path).encode(text, allow="all") == ours.encode(text, allow="all")
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": {"type": "WordPiece"}}))
    with pytest.raises(ValueError, match="is no plain byte-level BPE; other kinds are not built"):
        load_tokenizer(tmp_path)
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(FileNotFoundError, match=r"holds no tokenizer\.json; read here is byte"):
        load_tokenizer(tmp_path)
    (tmp_path / "tokenizer.model").touch()
    with pytest.raises(FileNotFoundError, match=r"\(tokenizer\.model is SentencePiece\); read"):
        load_tokenizer(tmp_path)


def test_folders_that_lack_something_or_are_damaged_say_so_in_a_sentence(tmp_path):
    _, settings, weights, _ = pair("llama", 0)
    with pytest.raises(FileNotFoundError, match=r"holds no config\.json"):
        load_folder(tmp_path)
    (tmp_path / "config.json").write_text("{")
    with pytest.raises(ValueError, match=r"config\.json is damaged"):
        load_folder(tmp_path)
    (tmp_path / "config.json").write_text("[]")
    with pytest.raises(ValueError, match=r"config\.json is a JSON list"):
        load_folder(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps(settings))
    with pytest.raises(FileNotFoundError, match=r"holds no model\.safetensors"):
        load_folder(tmp_path)
    write(tmp_path, settings, weights)
    whole = (tmp_path / "model.safetensors").read_bytes()
    (tmp_path / "model.safetensors").write_bytes(whole[:-9])
    with pytest.raises(ValueError, match=r"model\.safetensors is damaged"):
        load_folder(tmp_path)


@pytest.mark.parametrize(
    "change, error, message",
    [
        (lambda places: places.clear(), ValueError, "has no weight_map"),
        (lambda places: places.update({QUERY: "../x.safetensors"}), ValueError, "no safetensors f"),
        (
            lambda places: places.update({QUERY: "model-9.safetensors"}),
            ValueError,
            "disagree about",
        ),
        (lambda places: places.pop(QUERY), ValueError, f"disagree about {QUERY}"),
        (lambda places: places.update({"more": "model-0.safetensors"}), ValueError, "about more"),
    ],
)
def test_an_index_that_does_not_fit_its_files_is_refused(tmp_path, change, error, message):
    _, settings, weights, _ = pair("llama", 0)
    write(tmp_path, settings, weights, parts=2)
    path = tmp_path / "model.safetensors.index.json"
    index = json.loads(path.read_text())
    change(index["weight_map"])
    path.write_text(json.dumps(index))
    with pytest.raises(error, match=message):
        load_folder(tmp_path)


def test_reading_a_folder_needs_no_transformers_library():
    command = "import sys, helpers.real_models.checkpoint; print('transformers' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stderr
