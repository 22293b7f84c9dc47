"""Keys and values kept from one step to the next, so that the past is computed once.

Three kinds with one interface: `GrowingCache` joins the new to the old, `PreallocatedCache` writes
into room reserved at the start, `WindowCache` forgets all but the last few tokens. A cache also
keeps which columns are real tokens, so positions and masks stay right behind padded prompts.

A model makes the cache that fits it (`model.new_cache`), and one pass through the model is:
`begin` (which keys will there be?), `append` once a block, `commit`. Until `commit` nothing counts:
a pass that fails half-way leaves the cache as it was.
"""

from __future__ import annotations

import copy
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from helpers.needs import need_int


@dataclass(frozen=True, kw_only=True)
class CacheShape:
    """What decides the size of a cache: for each block, keys and values [B, G, T, D].

    blocks: how many. batch: B. heads: G, the key/value heads. head_width: D.
    """

    blocks: int
    batch: int
    heads: int
    head_width: int
    dtype: torch.dtype = torch.float32
    device: torch.device | str = "cpu"

    def __post_init__(self) -> None:
        for name, least in (("blocks", 0), ("batch", 1), ("heads", 1), ("head_width", 1)):
            need_int(name, getattr(self, name), least)

    def bytes(self, tokens: int) -> int:
        """Bytes of keys and values for rows of this many tokens: 2 * blocks * B * G * D * T * size.

        G counts key/value heads, which may be fewer than query heads, and D is the head width as
        configured, which need not be C / H.
        """
        numbers = 2 * self.blocks * self.batch * self.heads * self.head_width * tokens
        return numbers * self.dtype.itemsize


def _weights_of(model: object) -> int | None:
    """What training or loading changes; the head stands for all weights, since it is quick."""
    weight = getattr(getattr(model, "head", None), "weight", None)
    if weight is None or weight.is_inference():  # those cannot be trained
        return None
    return weight._version


class Cache:
    """What all caches share; use one of the three kinds.

    length: tokens taken in so far, with padding. token_mask: which of them are real, [B, length].
    """

    def __init__(self, shape: CacheShape) -> None:
        self.shape = shape
        self.reset()

    def reset(self) -> None:
        """Forget everything: as good as new, for the same batch size and any model that fits."""
        self.length = 0
        self._owner: weakref.ref | None = None  # the model whose keys these are
        self.token_mask = torch.zeros(
            self.shape.batch, 0, dtype=torch.bool, device=self.shape.device
        )
        self._open: Tensor | None = None  # the token mask of a pass that is under way
        self._wanted: tuple[int, ...] = ()  # the shape of new keys in it
        self._clear()

    def __copy__(self) -> Cache:
        return copy.deepcopy(self)  # two caches that share lists or memory would spoil each other

    # ---- one pass of the model ------------------------------------------------------------------

    def check_fits(self, model: object, wanted: CacheShape, new: int) -> None:
        """Raise ValueError unless `new` more tokens of this model can be taken in.

        wanted: the shape that the model's own cache for this batch would have.
        """
        for name in ("batch", "blocks", "heads", "head_width", "dtype", "device"):
            have, need = getattr(self.shape, name), getattr(wanted, name)
            if str(have) != str(need):
                raise ValueError(
                    f"the cache is for {name}={have}, but model and tokens need {name}={need}; "
                    "make one with model.new_cache(batch)"
                )
        if self.length and self._owner() is not model:
            raise ValueError("the cache holds keys of another model; reset it or make a new one")
        if self.length and self._weights != _weights_of(model):
            raise ValueError(
                "the model's weights have changed since the cache was filled; reset it and read "
                "the text again"
            )
        self._check_room(new)

    def begin(self, token_mask: Bool[Tensor, "B T"], model: object) -> Bool[Tensor, "B Tk"]:
        """Open a pass of a model over new tokens; returns which keys they will see are real.

        The new tokens are the last T of the Tk keys. Call `check_fits` first.
        """
        self._open = torch.cat([self.token_mask, token_mask], dim=1)  # [B, length + T]
        self._open_owner, self._open_weights = weakref.ref(model), _weights_of(model)
        shape = self.shape
        self._wanted = (shape.batch, shape.heads, token_mask.shape[1], shape.head_width)
        return self._open[:, self.length - self._kept_before() :]

    def append(
        self, block: int, key: Float[Tensor, "B G T D"], value: Float[Tensor, "B G T D"]
    ) -> tuple[Float[Tensor, "B G Tk D"], Float[Tensor, "B G Tk D"]]:
        """Take in one block's new keys and values; returns all that the new tokens may look at."""
        wanted = self._wanted
        if (
            key.shape != wanted or value.shape != wanted
            or key.dtype != self.shape.dtype or value.dtype != self.shape.dtype
            or key.requires_grad or value.requires_grad
        ):  # fmt: skip
            self._refuse_new(block, key, value)
        return self._join(block, key, value)

    def commit(self) -> None:
        """Close the pass: from now on the new tokens count as the past."""
        self._check_open("commit")
        self._keep_joined()
        self.token_mask, self._open, self._wanted = self._open, None, ()
        self._owner, self._weights = self._open_owner, self._open_weights
        self.length = self.token_mask.shape[1]

    # ---- changing what is kept ------------------------------------------------------------------

    def crop(self, length: int) -> None:
        """Forget all but the first `length` tokens, as after a guess that was not accepted."""
        need_int("length", length, 0)
        if length > self.length:
            raise ValueError(f"length is {length}; the cache holds {self.length} tokens")
        self._crop(length)
        self.length = length
        self.token_mask = self.token_mask[:, :length].clone()

    def reorder(self, rows: Sequence[int] | Int[Tensor, "N"]) -> None:
        """Make row n what row rows[n] was, as beam search needs. Rows may repeat; N becomes B."""
        index = torch.as_tensor(rows, device=self.shape.device)
        if index.ndim != 1 or index.dtype != torch.int64 or len(index) == 0:
            raise ValueError(f"rows is {rows!r}; give at least one row number, as whole numbers")
        if index.min() < 0 or index.max() >= self.shape.batch:
            raise ValueError(f"rows is {index.tolist()}; allowed are 0 to {self.shape.batch - 1}")
        self._reorder(index)
        self.token_mask = self.token_mask[index]
        self.shape = replace(self.shape, batch=len(index))

    def bytes(self) -> int:
        """Bytes that the keys and values really take, counted from the memory behind them."""
        storages = [tensor.untyped_storage() for tensor in self._tensors()]
        return sum({storage.data_ptr(): storage.nbytes() for storage in storages}.values())

    # ---- what is checked ------------------------------------------------------------------------

    def _check_room(self, new: int) -> None:
        pass

    def _check_open(self, step: str) -> None:
        if self._open is None:
            raise RuntimeError(f"{step} outside of a pass; call begin first")

    def _refuse_new(self, block: int, key: Tensor, value: Tensor) -> None:
        """Say what is wrong with keys and values that do not fit."""
        self._check_open("append")
        for name, x in (("key", key), ("value", value)):
            if x.shape != self._wanted or x.dtype != self.shape.dtype:
                raise ValueError(
                    f"{name} of block {block} is {x.dtype} {list(x.shape)}; this cache takes "
                    f"{self.shape.dtype} {list(self._wanted)}"
                )
        raise RuntimeError(
            "a cache is for inference and keeps no gradients; call the model under torch.no_grad()"
        )


class GrowingCache(Cache):
    """Keys and values joined to the old ones at every step, in newly allocated memory.

    The form to read. It holds exactly what was seen, and copies all of it at every step.
    """

    def _clear(self) -> None:
        shape = self.shape
        empty = torch.empty(
            shape.batch, shape.heads, 0, shape.head_width, dtype=shape.dtype, device=shape.device
        )
        self.keys = [empty for _ in range(shape.blocks)]
        self.values = [empty for _ in range(shape.blocks)]
        self._joined: dict[int, tuple[Tensor, Tensor]] = {}

    def _kept_before(self) -> int:
        return self.length

    def _join(self, block: int, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        joined = (
            torch.cat([self.keys[block], key], dim=2),  # [B, G, Tk, D]
            torch.cat([self.values[block], value], dim=2),
        )
        self._joined[block] = joined
        return joined

    def _keep_joined(self) -> None:
        for block, (keys, values) in self._joined.items():
            self.keys[block], self.values[block] = keys, values
        self._joined = {}

    def _crop(self, length: int) -> None:
        # copies, since a part of a tensor holds on to the memory of the whole
        self.keys = [keys[:, :, :length].clone() for keys in self.keys]
        self.values = [values[:, :, :length].clone() for values in self.values]

    def _reorder(self, index: Tensor) -> None:
        self.keys = [keys[index] for keys in self.keys]
        self.values = [values[index] for values in self.values]

    def _tensors(self) -> list[Tensor]:
        return self.keys + self.values


class WindowCache(GrowingCache):
    """Keeps the last `width` tokens: for a model whose attention looks back no further.

    Its memory stops growing after `width` tokens.
    """

    def __init__(self, shape: CacheShape, width: int) -> None:
        need_int("width", width, 1)
        self.width = width
        super().__init__(shape)

    def _kept_before(self) -> int:
        # the first new token sees itself and width - 1 before it
        return min(self.length, self.width - 1)

    def _join(self, block: int, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        kept = self._kept_before()
        joined = tuple(
            torch.cat([old[:, :, old.shape[2] - kept :], new], dim=2)
            for old, new in ((self.keys[block], key), (self.values[block], value))
        )
        self._joined[block] = tuple(x[:, :, -self.width :].clone() for x in joined)
        return joined

    def _crop(self, length: int) -> None:
        stored = self.keys[0].shape[2] if self.keys else self.length  # fewer after another crop
        left = max(0, stored - (self.length - length))
        if left < min(length, self.width - 1):
            raise ValueError(
                f"a window of {self.width} has forgotten what it would need at length {length}; "
                "reset the cache and read the text again"
            )
        super()._crop(left)


class PreallocatedCache(Cache):
    """Room for `capacity` tokens reserved at the start and filled from the left.

    The form to run: a step writes only what is new. It takes its full memory from the first step.
    """

    def __init__(self, shape: CacheShape, capacity: int) -> None:
        need_int("capacity", capacity, 1)
        self.capacity = capacity
        size = (2 * shape.blocks, shape.batch, shape.heads, capacity, shape.head_width)
        # not filled with zeros, which would touch all of it: only what was written is ever read.
        # And an ordinary tensor: one made in inference mode could not be written to outside of it.
        with torch.inference_mode(False):  # keys of block 0, its values, keys of block 1 ...
            self._room = torch.empty(size, dtype=shape.dtype, device=shape.device)
        super().__init__(shape)

    def _clear(self) -> None:
        pass  # a reset keeps the room, and what stands in it is written over

    def begin(self, token_mask: Bool[Tensor, "B T"], model: object) -> Bool[Tensor, "B Tk"]:
        """As in every cache; all blocks' parts of the room are cut out here, once a pass."""
        seen = super().begin(token_mask, model)
        end = self.length + token_mask.shape[1]
        self._new = self._room[:, :, :, self.length : end].unbind()  # of [B, G, T, D]
        self._all = self._room[:, :, :, :end].unbind()  # of [B, G, Tk, D]
        return seen

    def _kept_before(self) -> int:
        return self.length

    def _check_room(self, new: int) -> None:
        if self.length + new > self.capacity:
            raise ValueError(
                f"the cache is full: it holds {self.length} of {self.capacity} tokens and "
                f"{new} more do not fit; reset it, crop it, or make a larger one"
            )

    def _join(self, block: int, key: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
        self._new[2 * block].copy_(key)
        self._new[2 * block + 1].copy_(value)
        return self._all[2 * block], self._all[2 * block + 1]

    def _keep_joined(self) -> None:
        pass

    def _crop(self, length: int) -> None:
        pass

    def _reorder(self, index: Tensor) -> None:
        with torch.inference_mode(False):
            self._room = self._room[:, index.clone()]  # the index may come from inference mode
        self._new = self._all = ()  # parts of the old room would keep it in memory

    def _tensors(self) -> list[Tensor]:
        return list(self._room.unbind())
