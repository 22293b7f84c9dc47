"""Loading the real model: what is kept beside its file is used only when it is whole and of it."""

import hashlib
import json
import subprocess
import sys

import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file

from helpers.decoding.generation import generate
from helpers.real_models import model_file, smollm2
from helpers.real_models.smollm2 import KEPT, load_smollm2
from helpers.weights.gguf_file import Stored
from tests import gguf_files
from tests.small_models import tokens_of


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a small file in the real one's place."""
    path = gguf_files.write(tmp_path / model_file.NAME)
    monkeypatch.setattr(model_file, "FILE_SHA256", hashlib.sha256(path.read_bytes()).hexdigest())
    return tmp_path


@pytest.fixture
def reads(monkeypatch):
    """How often a GGUF file was read, as a list that grows."""
    found, whole = [], smollm2.read_gguf
    monkeypatch.setattr(smollm2, "read_gguf", lambda path: found.append(path) or whole(path))
    return found


def same(a, b):
    tokens = tokens_of(2, 9, vocab_size=gguf_files.V)
    logits = torch.equal(a.model(tokens), b.model(tokens))
    return logits and a[1:] == b[1:] and a.model.config == b.model.config


def test_what_is_kept_gives_the_same_without_reading_the_file_again(folder, reads):
    first, second = load_smollm2(folder), load_smollm2(folder)
    assert len(reads) == 1 and same(first, second)
    assert first.tokenizer == gguf_files.TOKENIZER.__class__(
        **{**vars_of(gguf_files.TOKENIZER), "drop_unknown": True}
    )
    assert first.template == gguf_files.TEMPLATE
    assert first.stop_ids == (gguf_files.TOKENIZER.special["<|end|>"],)
    assert sorted(path.name for path in folder.iterdir()) == sorted([model_file.NAME, KEPT])


def vars_of(tokenizer):
    names = ("tokens", "merges", "special", "pattern", "drop_unknown")
    return {name: getattr(tokenizer, name) for name in names}


def rewritten(path, change, honest=False):
    """Write a kept file again with other content; honest: with the hash of the new content."""
    with safe_open(path, framework="pt") as file:
        content = dict(file.metadata())
        tensors = {name: file.get_tensor(name).clone() for name in file.keys()}
    change(content, tensors)
    if honest:
        del content["sha256"]
        kinds = json.loads(content["kinds"])
        stored = {name: Stored(kind, tensors[name]) for name, kind in kinds.items()}
        content["sha256"] = smollm2._digest(content, stored)
    save_file(tensors, path, metadata=content)


def flip(content, tensors):
    tensors["blk.0.attn_q.weight"][0, 7] ^= 1


def rename(content, tensors):
    content["tokenizer"] = content["tokenizer"].replace("lowest", "lowerr")


@pytest.mark.parametrize(
    "change",
    [
        flip,
        rename,
        lambda content, tensors: content.update(form="course real model 0"),
        lambda content, tensors: content.update(gguf_sha256="0" * 64),
        lambda content, tensors: content.update(fields="{}"),
        lambda content, tensors: content.pop("sha256"),
        lambda content, tensors: content.pop("kinds"),
        lambda content, tensors: tensors.pop("output_norm.weight"),
        lambda content, tensors: content.clear(),
    ],
    ids=["bit", "token", "form", "of another file", "fields", "no hash", "no kinds", "short", "no"],
)
def test_what_is_kept_is_made_anew_when_it_is_stale_or_changed(folder, reads, change):
    whole = load_smollm2(folder)
    rewritten(folder / KEPT, change)
    assert same(load_smollm2(folder), whole) and len(reads) == 2
    assert same(load_smollm2(folder), whole) and len(reads) == 2


@pytest.mark.parametrize("field", ["form", "gguf_sha256"])
def test_what_another_version_kept_or_of_another_file_is_not_used(folder, reads, field):
    whole = load_smollm2(folder)
    rewritten(folder / KEPT, lambda content, tensors: None, honest=True)
    assert same(load_smollm2(folder), whole) and len(reads) == 1
    rewritten(folder / KEPT, lambda content, tensors: content.update({field: "0"}), honest=True)
    assert same(load_smollm2(folder), whole) and len(reads) == 2


def test_what_is_kept_is_made_anew_when_it_is_cut_short_anywhere(folder, reads):
    whole = load_smollm2(folder)
    content = (folder / KEPT).read_bytes()
    for place in (0, 7, 8, 100, len(content) // 2, len(content) - 1):
        (folder / KEPT).write_bytes(content[:place])
        assert same(load_smollm2(folder), whole)
    assert len(reads) == 7
    assert same(load_smollm2(folder), whole) and len(reads) == 7


def test_a_damaged_model_file_is_refused_though_what_is_kept_is_whole(folder):
    load_smollm2(folder)
    path = folder / model_file.NAME
    path.write_bytes(path.read_bytes() + b"X")
    with pytest.raises(model_file.NoModelFile, match="is damaged or another one; get it"):
        load_smollm2(folder)
    path.unlink()
    with pytest.raises(model_file.NoModelFile, match="is missing; get it"):
        load_smollm2(folder)


def test_where_nothing_can_be_kept_the_model_loads_all_the_same(folder, reads, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(smollm2, "write_whole", full)
    assert same(load_smollm2(folder), load_smollm2(folder))
    assert len(reads) == 2 and not (folder / KEPT).exists()


def test_the_real_model_answers(model_path):
    model, tokenizer, template, stop_ids = load_smollm2()
    assert (model.config.D, model.config.G, model.parameter_count()) == (64, 3, 134_515_008)
    assert "<|im_start|>" in template and stop_ids == (tokenizer.special["<|im_end|>"],)
    chat = "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n"
    tokens = torch.tensor([tokenizer.encode(chat, allow="all")])
    said = generate(model, tokens, max_new_tokens=9, temperature=0, stop_ids=stop_ids,
                    cache=model.new_cache(1))  # fmt: skip
    assert tokenizer.decode(said.rows()[0]) == "The capital of France is Paris.<|im_end|>"


@pytest.mark.slow
def test_the_real_model_takes_less_than_a_gigabyte_and_a_half(model_path):
    # not getrusage, which gives a child the memory of its parent, here that of all tests before
    code = (
        "from helpers.process_memory import peak_memory\n"
        "from helpers.real_model.smollm2 import load_smollm2\nload_smollm2()\nprint(peak_memory())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert int(done.stdout) < 1.5e9, done.stderr
