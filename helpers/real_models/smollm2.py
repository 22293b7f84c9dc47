"""SmolLM2-135M-Instruct, a real chat model, in our own Decoder.

    model, tokenizer, template, stop_ids = load_smollm2()

The model's file is itself a 4-bit version of what was trained: float32 means its numbers written
out. Reading its vocabulary takes seconds, so what was read is kept beside it, as safetensors: the
same blocks of weights, with the tokenizer as this course writes it. That file is made anew where it
is missing, damaged, or made of another GGUF file or by another version of this code.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

from safetensors import SafetensorError, safe_open
from safetensors.torch import save as to_safetensors

from helpers.decoder.model import Decoder
from helpers.files import write_whole
from helpers.real_models import model_file
from helpers.real_models.llama_gguf import decoder_of_gguf
from helpers.tokenizers.files import from_json, to_json
from helpers.tokenizers.gguf import from_gguf_fields
from helpers.tokenizers.tokenizer import Tokenizer
from helpers.weights.gguf_file import GGUF, Stored, read_gguf

FORM = "course real model 2"  # another number whenever what is kept changes
KEPT = "SmolLM2-135M-Instruct.Q4_1.safetensors"


class RealModel(NamedTuple):
    """A model with what belongs to it.

    template: how a conversation is written, in the Jinja language. stop_ids: what ends its answer.
    """

    model: Decoder
    tokenizer: Tokenizer
    template: str
    stop_ids: tuple[int, ...]


def load_smollm2(folder: Path = model_file.FOLDER) -> RealModel:
    """The model in eval mode and float32, and its tokenizer; its file is checked each time.

    Raises model_file.NoModelFile with the remedy if the file is not there or damaged.
    """
    path = model_file.find(folder)
    kept = _read_kept(folder / KEPT)
    if kept is None:
        file = read_gguf(path)
        kept = file, from_gguf_fields(file.fields, path.name)
        _keep(folder / KEPT, *kept)
    file, tokenizer = kept
    stop_id = file.fields["tokenizer.ggml.eos_token_id"]
    template = file.fields["tokenizer.chat_template"]
    return RealModel(decoder_of_gguf(file), tokenizer, template, (stop_id,))


# ---- what is kept -------------------------------------------------------------------------------


def _keep(path: Path, file: GGUF, tokenizer: Tokenizer) -> None:
    """Write what was read; where it cannot be written, the next start takes longer."""
    content = {
        "form": FORM,
        "gguf_sha256": model_file.FILE_SHA256,
        "fields": json.dumps({name: x for name, x in file.fields.items() if type(x) is not list}),
        "kinds": json.dumps({name: stored.kind for name, stored in file.tensors.items()}),
        "tokenizer": to_json(tokenizer),
    }
    content["sha256"] = _digest(content, file.tensors)
    tensors = {name: stored.data for name, stored in file.tensors.items()}
    try:
        write_whole(path, to_safetensors(tensors, metadata=content))
    except OSError:
        pass


def _read_kept(path: Path) -> tuple[GGUF, Tokenizer] | None:
    """What was kept, or None if it is not there or not to be used."""
    try:
        with safe_open(path, framework="pt") as opened:
            content = dict(opened.metadata() or {})
            if (content.get("form"), content.get("gguf_sha256")) != (FORM, model_file.FILE_SHA256):
                return None
            kinds = json.loads(content["kinds"])
            tensors = {name: Stored(kinds[name], opened.get_tensor(name)) for name in kinds}
        if content.pop("sha256") != _digest(content, tensors):
            return None
        fields = json.loads(content["fields"])
    except (OSError, SafetensorError, ValueError, KeyError):
        return None
    return GGUF(fields, tensors), from_json(content["tokenizer"], path.name)


def _digest(content: dict[str, Any], tensors: dict[str, Stored]) -> str:
    """A SHA-256 over all that is kept."""
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode())
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(tensors[name].data.numpy().data)
    return digest.hexdigest()
