"""GGUF, the file format of llama.cpp: settings, vocabulary and weights in one file.

The gguf package reads it. Here what can be wrong with a file becomes one sentence, and each tensor
is given in torch's order: shape [out, in], one row for each output.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor

from helpers.weights import blockwise

_PLAIN = {"F32": torch.float32, "F16": torch.float16}


@dataclass(frozen=True)
class Stored:
    """A tensor as a file holds it: numbers where kind is F32 or F16, else rows of blocks' bytes."""

    kind: str
    data: Tensor

    def weight(self) -> Float[Tensor, "..."]:
        """The numbers that are meant, float32."""
        if self.kind in _PLAIN:
            return self.data.float()
        return blockwise.unpack(self.kind, self.data).weight()


@dataclass(frozen=True)
class GGUF:
    """What a file holds: its fields by name (settings and vocabulary), and its tensors by name."""

    fields: Mapping[str, Any]
    tensors: Mapping[str, Stored]


def read_gguf(path: Path) -> GGUF:
    """Read a GGUF file; a long vocabulary takes some seconds.

    Raises FileNotFoundError, or ValueError in one sentence, for a file that is not there, of
    another kind, cut short or damaged, or with tensors of a kind that is not read here.
    """
    try:
        with open(path, "rb") as file:
            magic = file.read(4)
    except OSError as error:
        raise FileNotFoundError(f"{path.name} cannot be opened: {error.strerror}") from None
    if magic != b"GGUF":
        raise ValueError(f"{path.name} is no GGUF file: it begins with {magic!r}")
    try:
        reader = _strict_reader(path)
        fields = {name: field.contents() for name, field in reader.fields.items()}
        tensors = {tensor.name: _stored(tensor) for tensor in reader.tensors}
    except (ValueError, KeyError, IndexError, TypeError, OverflowError, RecursionError) as error:
        raise ValueError(f"{path.name} is damaged: {error}") from None
    return GGUF(fields, tensors)


def _strict_reader(path: Path):
    from gguf import GGUFReader  # only here: it takes a moment

    class Strict(GGUFReader):
        """The package's reader takes what is left of a file that ends too early; this one not."""

        def _get(self, offset, dtype, count=1, override_order=None):
            self.data = self.data.view(np.ndarray)  # cutting a memmap takes ten times as long
            if offset + np.dtype(dtype).itemsize * int(count) > len(self.data):
                raise ValueError(f"it ends too early, after {len(self.data)} bytes")
            return super()._get(offset, dtype, count, override_order)

    return Strict(path)


def _stored(tensor) -> Stored:
    kind = tensor.tensor_type.name
    if kind not in _PLAIN:
        columns = int(tensor.shape[0])  # the file names the innermost axis first
        if len(tensor.shape) != 2:
            raise ValueError(f"{tensor.name} has {len(tensor.shape)} axes; blocks need two")
        try:
            blockwise.row_bytes(kind, columns)
        except ValueError as error:
            raise ValueError(f"{tensor.name}: {error}") from None
    return Stored(kind, torch.from_numpy(np.array(tensor.data)))  # a copy: the file may be closed
