"""A small file in the real model's place, and every system that reads it."""

import hashlib
import shutil

import pytest
import torch

from helpers.benchmark import decoding_systems
from helpers.benchmark.decoding_quality import text_ids
from helpers.real_models import model_file
from helpers.real_models.smollm2 import load_smollm2
from tests import gguf_files


@pytest.fixture(scope="session")
def small_folder(tmp_path_factory):
    """A folder with the small file and what is kept beside it."""
    folder = tmp_path_factory.mktemp("model")
    gguf_files.write(folder / model_file.NAME)
    return folder


@pytest.fixture
def folder(small_folder, tmp_path, monkeypatch):
    """A copy of it that passes for the real model's folder."""
    copy = tmp_path / "cache"
    shutil.copytree(small_folder, copy)
    content = (copy / model_file.NAME).read_bytes()
    monkeypatch.setattr(model_file, "FILE_SHA256", hashlib.sha256(content).hexdigest())
    return copy


@pytest.fixture(scope="session")
def loaded(small_folder):
    with pytest.MonkeyPatch.context() as patch:
        content = (small_folder / model_file.NAME).read_bytes()
        patch.setattr(model_file, "FILE_SHA256", hashlib.sha256(content).hexdigest())
        return load_smollm2(small_folder)


@pytest.fixture(scope="session")
def systems(small_folder, loaded):
    """Ours in five precisions and the library's four, reading the small file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoding_systems, "llama_cpp", None)
        path = small_folder / model_file.NAME
        return decoding_systems.all_systems(loaded.model, path, gguf_files.CONTEXT)


@pytest.fixture(scope="session")
def ids(loaded):
    return text_ids(loaded.tokenizer)


class FakeLlama:
    """llama.cpp's Python module in small: it keeps what it has read, as the real one does."""

    made = ()
    model = None

    def __init__(self, path, **options):
        self.options, self.known, self.read = options, [], 0
        self.scores = torch.zeros(options["n_ctx"], self.model.config.vocab_size).numpy()
        FakeLlama.made = (*FakeLlama.made, self)

    def n_ctx(self):
        return self.options["n_ctx"]

    def reset(self):
        self.known = []

    def close(self):
        self.options = None

    @torch.no_grad()
    def eval(self, ids):
        start = len(self.known)
        self.known = [*self.known, *ids]
        self.read += len(ids)
        logits = self.model(torch.tensor([self.known]))[0]
        self.scores[start : len(self.known)] = logits[start:].numpy()

    def generate(self, ids, temp):
        assert temp == 0.0
        same = 0
        while same < min(len(self.known), len(ids) - 1) and self.known[same] == ids[same]:
            same += 1
        self.known, new = self.known[:same], ids[same:]
        while True:
            self.eval(new)
            new = [int(self.scores[len(self.known) - 1].argmax())]
            yield new[0]


@pytest.fixture
def fake_llama(loaded, monkeypatch):
    """llama.cpp as if it were installed; its reading is done by our Decoder."""
    FakeLlama.made, FakeLlama.model = (), loaded.model
    module = type("module", (), {"Llama": FakeLlama, "__version__": "0.0.1"})
    monkeypatch.setattr(decoding_systems, "llama_cpp", module)
    return FakeLlama
