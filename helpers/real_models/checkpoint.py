"""Real models from a folder on disk: config.json, weights as safetensors, and tokenizer.json.

Weights load strictly: each tensor of the file has its place, each place its tensor, in the right
shape. Unpickling runs whatever code a file holds, so of pickled weights only those are taken that
torch's weights-only loader takes, which knows tensors and plain containers and nothing else.
"""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.real_models.families import TRANSFORMS, Family, Row, family_of
from helpers.tokenizers.folder import from_folder
from helpers.tokenizers.tokenizer import Tokenizer
from helpers.weights.by_name import Undrawn, own_weights, plain_names

PICKLED = (".bin", ".pt", ".pth", ".ckpt", ".pkl")


def load_folder(folder: Path | str, *, family: Family | None = None) -> Decoder:
    """The model in a folder, as people have them on disk, in eval mode and float32.

    family: by the configuration's model_type if None.
    Raises FileNotFoundError or ValueError, in one sentence, for what is missing or does not fit.
    """
    settings, weights = read_folder(Path(folder))
    return decoder_of(settings, weights, family=family)


def load_tokenizer(folder: Path | str) -> Tokenizer:
    """The tokenizer in a folder, where it is byte-level BPE (GPT-2's kind) in a tokenizer.json.

    Raises FileNotFoundError or ValueError, in one sentence, for a folder without one, and for what
    is not built here.
    """
    return from_folder(Path(folder))


def decoder_of(
    settings: Mapping[str, Any], weights: Mapping[str, Tensor], *, family: Family | None = None
) -> Decoder:
    """A Decoder with the weights of a real model, given under that model's own names.

    The weights are copied, one after the other; a mapping may make each when it is asked for it.
    """
    family = family_of(settings) if family is None else family
    config = family.read_config(settings)
    with Undrawn():
        model = Decoder(config)
    own = own_weights(model)
    rows = family.rows(own)
    given = _FullNames(family, weights)
    _check_names(family, config, rows, given)
    for row in rows:
        own[row.ours].copy_(_transformed(row, given, config, own[row.ours].shape))
    return model.eval()


class _FullNames(Mapping[str, Tensor]):
    """Their weights under today's full names, without wrappers' prefixes and what is no weight."""

    def __init__(self, family: Family, weights: Mapping[str, Tensor]) -> None:
        heads = (family.table["head"][0] + ".", family.prefix)
        self._weights = weights
        self._names = {
            name if name.startswith(heads) else family.prefix + name: given
            for name, given in plain_names(weights).items()
            if family.not_weights is None or not re.search(family.not_weights, name)
        }

    def __getitem__(self, name: str) -> Tensor:
        return self._weights[self._names[name]]

    def __contains__(self, name: object) -> bool:
        return name in self._names  # without making the weight

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _check_names(
    family: Family, config: DecoderConfig, rows: list[Row], given: Mapping[str, Tensor]
) -> None:
    """Refuse weights missing, left over, or two that should be one."""
    left_over = set(given) - {row.theirs for row in rows}
    if config.tied_head:
        head, embedding = (
            f"{family.table[ours][0]}.weight" for ours in ("head", "token_embedding")
        )
        if head in left_over and embedding in given:
            if not torch.equal(given[head], given[embedding]):
                raise ValueError(
                    f"tie_word_embeddings is true, but {head} and {embedding} differ; one matrix "
                    "cannot be both"
                )
            left_over.remove(head)
    missing = [row for row in rows if row.theirs not in given]
    if missing:
        names = ", ".join(f"{row.theirs} (our {row.ours})" for row in missing[:5])
        raise ValueError(f"{len(missing)} weights of {family.name} are missing: {names}")
    if left_over:
        names = ", ".join(sorted(left_over)[:5])
        raise ValueError(f"{len(left_over)} weights have no place in {family.name}: {names}")


def _transformed(
    row: Row, given: Mapping[str, Tensor], config: DecoderConfig, wanted: torch.Size
) -> Tensor:
    theirs = tensor = given[row.theirs]
    try:
        for name in row.transforms:
            tensor = TRANSFORMS[name](tensor, config)
    except (RuntimeError, IndexError):  # it cannot be cut in such parts
        tensor = torch.empty(0)
    if tensor.shape != wanted:
        steps = f" ({', then '.join(row.transforms)})" if row.transforms else ""
        raise ValueError(
            f"{row.theirs} has shape {list(theirs.shape)}{steps}, which does not give "
            f"our {row.ours} of shape {list(wanted)}"
        )
    return tensor


# ---- files --------------------------------------------------------------------------------------


def read_folder(folder: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """The configuration and the weights in a folder, under the names in its files."""
    settings = _read_json(folder, "config.json")
    index, single = folder / "model.safetensors.index.json", folder / "model.safetensors"
    if index.exists():
        return settings, _read_parts(folder, _read_json(folder, index.name))
    if single.exists():
        return settings, _read_file(single)
    pickled = sorted(path for path in folder.iterdir() if path.suffix in PICKLED)
    if pickled:
        return settings, _read_pickled(folder, pickled)
    raise FileNotFoundError(f"{folder.name} holds no model.safetensors and no index of such files")


def _read_parts(folder: Path, index: dict[str, Any]) -> dict[str, Tensor]:
    places = index.get("weight_map")
    if not isinstance(places, dict) or not places:
        raise ValueError("model.safetensors.index.json has no weight_map")
    weights = {}
    for file in sorted(set(places.values())):
        if Path(file).name != file or not file.endswith(".safetensors"):
            raise ValueError(f"the index names {file!r}, which is no safetensors file beside it")
        part = _read_file(folder / file)
        wrong = {name for name in part if places.get(name) != file}
        wrong |= {name for name, place in places.items() if place == file and name not in part}
        if wrong:
            raise ValueError(f"{file} and the index disagree about {sorted(wrong)[0]}")
        weights |= part
    return weights


def _read_file(path: Path) -> dict[str, Tensor]:
    if not path.exists():
        raise FileNotFoundError(f"{path.name} is named by the index, but it is not there")
    try:
        with safe_open(path, framework="pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}
    except SafetensorError as error:
        raise ValueError(f"{path.name} is damaged: {error}") from None


def _read_pickled(folder: Path, paths: list[Path]) -> dict[str, Tensor]:
    """Weights by torch's weights-only loader, which runs no code of the file."""
    found = None
    try:
        if len(paths) == 1:
            found = torch.load(paths[0], map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, ValueError, EOFError, OSError):
        pass  # it holds more than tensors, or is damaged: refused below
    if isinstance(found, Mapping) and found and all(map(_is_weight, found, found.values())):
        return dict(found)
    raise ValueError(
        f"{folder.name} holds pickled weights ({paths[0].name}); loading them can run any code "
        "that someone put in, and torch's weights-only loader does not take them as one table of "
        "tensors: take the model's safetensors file, or have it converted"
    )


def _is_weight(name: object, tensor: object) -> bool:
    dense = isinstance(tensor, Tensor) and tensor.layout == torch.strided
    return isinstance(name, str) and dense


def _read_json(folder: Path, name: str) -> dict[str, Any]:
    if not (folder / name).exists():
        raise FileNotFoundError(f"{folder.name} holds no {name}")
    try:
        content = json.loads((folder / name).read_text(encoding="utf-8"))
    except ValueError as error:  # not JSON, or not text
        raise ValueError(f"{name} is damaged: {error}") from None
    if not isinstance(content, dict):
        raise ValueError(f"{name} is a JSON {type(content).__name__}, not an object")
    return content
