"""A model of Llama's kind as a folder that others can open: the transformers library, and ours.

    save_folder(model, tokenizer, template, folder)

It holds config.json, generation_config.json, model.safetensors, tokenizer.json and
tokenizer_config.json. What these files cannot say is refused by name: each of them is read again,
and has to say what it was made of.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save
from torch import Tensor, nn

from helpers.decoder.model import Decoder
from helpers.decoder.rotary import lane_order
from helpers.files import write_whole
from helpers.real_models.chat import compiled
from helpers.real_models.families import FAMILIES, TURNED
from helpers.real_models.llama_settings import settings_of
from helpers.tokenizers.folder import from_folder
from helpers.tokenizers.to_tokenizer_json import to_tokenizer_json
from helpers.tokenizers.tokenizer import Tokenizer
from helpers.weights.by_name import Undrawn, own_weights, unwrapped

FILES = (
    "config.json",
    "generation_config.json",
    "model.safetensors",
    "tokenizer.json",
    "tokenizer_config.json",
)
DTYPES = {torch.float32: "float32", torch.bfloat16: "bfloat16", torch.float16: "float16"}


def save_folder(
    model: nn.Module,
    tokenizer: Tokenizer | None,
    template: str | None,
    folder: Path | str,
    *,
    stop_ids: Sequence[int] = (),
    again: bool = False,
) -> Path:
    """Write a model with what belongs to it, and return the folder.

    tokenizer: None for a model without one. template: how a conversation is written, in Jinja; None
    or "" for a model that is not for chats. stop_ids: what ends an answer. again: replace a folder
    that this function wrote before; any other one that holds something is left alone.
    Dropout is not written, nor which row of the embedding stays zero in training.
    Raises ValueError or TypeError, by name, for what the files cannot say, FileExistsError for a
    folder that is there; nothing is written then.
    """
    folder = Path(folder)
    _check_place(folder, again)
    model = unwrapped(model)
    if not isinstance(model, Decoder):
        raise TypeError(f"the model is a {type(model).__name__}; give a Decoder")
    weights = _checked_weights(model)
    contents = _contents(model, weights, tokenizer, template, list(stop_ids))
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}.") as beside:
        new = Path(beside) / folder.name
        new.mkdir()
        for name, content in contents.items():
            write_whole(new / name, content)
        if tokenizer is not None:
            _check_tokenizer(tokenizer, new)
        _put_in_place(new, folder, Path(beside) / "old")
    return folder


def _check_place(folder: Path, again: bool) -> None:
    """Refuse a folder that holds something, unless it is our own and to be replaced."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise FileExistsError(f"{folder.name} is a file; give the name of a folder")
    found = sorted(path.name for path in folder.iterdir())
    others = [name for name in found if name not in FILES]
    if others or (found and not again):
        held = (others or found)[0]
        remedy = "give another folder" if others else "give another one, or again=True"
        raise FileExistsError(f"{folder.name} holds {held} already; {remedy}")


def _put_in_place(new: Path, folder: Path, old: Path) -> None:
    """Move a whole folder to its name; the one that was there goes only once the new one is."""
    if folder.exists():
        os.replace(folder, old)
    try:
        os.replace(new, folder)
    except OSError:
        if old.exists():
            os.replace(old, folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


# ---- what the files hold ------------------------------------------------------------------------


def _contents(
    model: Decoder,
    weights: Mapping[str, Tensor],
    tokenizer: Tokenizer | None,
    template: str | None,
    stop_ids: list[int],
) -> dict[str, str | bytes]:
    """The content of each file by its name."""
    config = model.config
    for token in stop_ids:
        if not 0 <= token < config.vocab_size:
            raise ValueError(f"stop_ids holds {token}; give ids under {config.vocab_size}")
    ends = stop_ids if len(stop_ids) > 1 else (stop_ids or [None])[0]
    # without these the library would take Llama's own ids 1 and 2
    ids = {"bos_token_id": None, "eos_token_id": ends, "pad_token_id": config.pad_id}
    dtype = DTYPES[next(iter(weights.values())).dtype]
    settings = settings_of(config) | ids | {"dtype": dtype}
    table = FAMILIES[settings["model_type"]]
    named = {
        row.theirs: _in_halves(row.ours, weights[row.ours], model) for row in table.rows(weights)
    }
    contents: dict[str, str | bytes] = {
        "config.json": _json(settings),
        "generation_config.json": _json(ids),
        "model.safetensors": save(named, metadata={"format": "pt"}),  # older readers ask for it
    }
    if tokenizer is None:
        if template:
            raise ValueError("a template is given, but no tokenizer; it is kept beside one")
        return contents
    contents["tokenizer.json"] = to_tokenizer_json(tokenizer)
    if len(tokenizer) > config.vocab_size:
        raise ValueError(
            f"the tokenizer has {len(tokenizer)} tokens, the model rows for {config.vocab_size}"
        )
    beside: dict[str, Any] = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": config.context,
        "clean_up_tokenization_spaces": False,
    }
    commands = {token: text for text, token in tokenizer.special.items()}
    if stop_ids and stop_ids[0] in commands:
        beside["eos_token"] = commands[stop_ids[0]]
    if config.pad_id in commands:
        beside["pad_token"] = commands[config.pad_id]
    if template:
        compiled(template)
        beside["chat_template"] = template
    contents["tokenizer_config.json"] = _json(beside)
    return contents


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _checked_weights(model: Decoder) -> dict[str, Tensor]:
    """The model's weights, once they are those of its configuration, finite, and of one type."""
    weights = own_weights(model)
    with torch.device("meta"), Undrawn():
        usual = own_weights(Decoder(model.config))
    for name in usual | weights:
        here, there = weights.get(name), usual.get(name)
        if here is None or there is None or here.shape != there.shape:
            raise ValueError(
                f"{name} is no weight of this model's configuration, or is missing, as in a packed "
                "or changed model; save the one that it was made of"
            )
        if here.dtype not in DTYPES or here.dtype != next(iter(weights.values())).dtype:
            raise ValueError(
                f"{name} is {here.dtype}; give all weights one of {', '.join(DTYPES.values())}"
            )
        if not here.isfinite().all():
            raise ValueError(f"{name} holds NaN or infinity")
    return {name: tensor.cpu() for name, tensor in weights.items()}


def _in_halves(name: str, x: Tensor, model: Decoder) -> Tensor:
    """A weight with rotary lanes as the files have them: pairs are i and i + R/2."""
    config = model.config
    if name.split(".")[-2] in TURNED and config.rotary.layout == "pairs":
        order = lane_order("halves", config.D, config.rotary.width)
        x = x.unflatten(0, (-1, config.D))[:, order].flatten(0, 1)  # [heads * D, ...]
    return x.contiguous()


def _check_tokenizer(tokenizer: Tokenizer, folder: Path) -> None:
    """Read the tokenizer again, and refuse the first part that became another one."""
    again = from_folder(folder)
    given = replace(tokenizer, merges=tuple(dict.fromkeys(tokenizer.merges)))
    for part in ("tokens", "merges", "looked_for", "pattern", "ignore_merges", "unknown"):
        if getattr(given, part) != getattr(again, part):
            raise ValueError(f"tokenizer.json cannot say {part} of this tokenizer")
