"""Files from which a run goes on: written whole, and believed only if not one bit has changed.

torch.save writes a zip file whose contents are not checked when it is loaded: with one bit flipped
it loads without a word, and gives other numbers. So the SHA-256 of all that follows stands in the
file's first line.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator
from pathlib import Path

import torch
from torch import nn

from helpers.files import check_writable, write_whole
from helpers.training.adamw import AdamW
from helpers.training.log import Log
from helpers.training.loss_scaling import LossScaler
from helpers.weights.by_name import load_weights, own_weights, unwrapped

MARK = b"training checkpoint, version "
VERSION = 1


def write_checkpoint(path: Path, state: dict) -> None:
    """Write a run's state, of tensors and plain data. The file is there as it was, or whole.

    Raises OSError with what to do if it cannot be written: the checkpoint before is still there.
    """
    buffer = io.BytesIO()
    torch.save(state, buffer)
    content = buffer.getvalue()
    head = MARK + f"{VERSION}, sha256 {hashlib.sha256(content).hexdigest()}\n".encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, head + content)
    except OSError as error:
        left = "the one before is whole" if path.exists() else "there is none before it"
        raise OSError(
            f"the checkpoint {path.name} cannot be written ({error.strerror or error}); {left}. "
            "Make room, and start the same run again: it goes on from there"
        ) from error


def read_checkpoint(path: Path) -> dict:
    """Return what write_checkpoint was given.

    Raises FileNotFoundError, and ValueError with what to do if it is no checkpoint, of another
    version, cut short, or changed by as much as one bit. Nothing in the file is run.
    """
    content = path.read_bytes()
    remedy = "remove it to begin anew, or put a copy in its place"
    head, line_end, body = content.partition(b"\n")
    if not head.startswith(MARK):
        raise ValueError(f"{path.name} is no checkpoint of a training run; {remedy}")
    version, _, found = head.removeprefix(MARK).partition(b", sha256 ")
    if version != str(VERSION).encode():
        given = version.decode("ascii", "replace")[:20]
        raise ValueError(f"{path.name} has version {given}; this code reads {VERSION}; {remedy}")
    if not line_end or found != hashlib.sha256(body).hexdigest().encode():
        raise ValueError(
            f"{path.name} is damaged: its contents do not have the SHA-256 of its first line; "
            f"{remedy}"
        )
    return torch.load(io.BytesIO(body), weights_only=True)


class Checkpoint:
    """A run's file: all that decides its next step, saved and brought back.

    That is the weights, both means and the count of the optimiser, the step, the losses and the log
    so far, the place in the batches, and torch's generator. `settings`: plain data that must be the
    same when the run goes on, such as its schedule. Raises ValueError if the batches have no place.
    """

    def __init__(
        self,
        path: Path,
        model: nn.Module,
        optimizer: AdamW,
        batches: Iterator,
        log: Log | None,
        settings: dict,
        scaler: LossScaler | None = None,
    ) -> None:
        if not (hasattr(batches, "state") and hasattr(batches, "load_state")):
            raise ValueError(
                "these batches do not know their place, so the run could not go on; give "
                "shuffled_batches, or others with state() and load_state(state)"
            )
        check_writable(path)
        self.path, self.model, self.optimizer = Path(path), model, optimizer
        self.batches, self.log, self.scaler = batches, log, scaler
        self.last = 0  # the step of the last checkpoint that was written or read
        shapes = {name: list(weight.shape) for name, weight in own_weights(model).items()}
        config = repr(getattr(unwrapped(model), "config", None))
        fixed = {"model": config, "weights": shapes, "optimizer": optimizer.settings}
        scaling = {} if scaler is None else {"scaler": scaler.settings}
        self.settings = fixed | settings | scaling

    def save(self, losses: list[float]) -> None:
        """Write the state after so many steps. Raises RuntimeError on weights that are not finite:
        a checkpoint is good, or it is not written."""
        weights = own_weights(self.model)
        spoiled = [name for name, weight in weights.items() if not weight.isfinite().all()]
        if spoiled:
            raise RuntimeError(
                f"{', '.join(spoiled)} is not finite after step {len(losses)}; {self.kept()}"
            )
        state = {
            "settings": self.settings,
            "weights": weights,
            "optimizer": self.optimizer.state(),
            "batches": self.batches.state(),
            "torch": torch.get_rng_state(),
            "losses": losses,
            "log": None if self.log is None else self.log.state(),
            "scaler": None if self.scaler is None else self.scaler.state(),
        }
        write_checkpoint(self.path, state)
        self.last = len(losses)

    def load(self, steps: int) -> list[float]:
        """Bring the saved state back, if there is one; return the losses of the steps it has made.

        torch's generator is set as well. Raises ValueError, before anything is changed, if the file
        is damaged, belongs to another run, or is further on than `steps`.
        """
        if not self.path.exists():
            return []
        state = read_checkpoint(self.path)
        saved, here = state["settings"], self.settings
        other = [name for name in saved | here if saved.get(name) != here.get(name)]
        if other:
            told = "; ".join(
                f"{name} was {_short(saved.get(name))}, is {_short(here.get(name))}"
                for name in other
            )
            raise ValueError(
                f"{self.path.name} belongs to another run: {told}. Go on with what was, or give "
                "this run a file of its own"
            )
        losses = state["losses"]
        if len(losses) > steps:
            raise ValueError(
                f"{self.path.name} has made {len(losses)} steps, and steps is {steps}; give as "
                "many or more"
            )
        self.batches.load_state(state["batches"])
        self.optimizer.load_state(state["optimizer"])
        load_weights(self.model, state["weights"])
        if self.log is not None:
            self.log.load_state(state["log"] or [])
        if self.scaler is not None:
            self.scaler.load_state(state["scaler"])
        torch.set_rng_state(state["torch"])
        self.last = len(losses)
        return list(losses)

    def kept(self) -> str:
        """In words, what there is to go back to."""
        if not self.last:
            return "there is no checkpoint before it"
        return f"the last good checkpoint is {self.path.name}, after step {self.last}"


def _short(value: object) -> str:
    """A value in one line of a sentence."""
    text = str(value)
    return text if len(text) <= 120 else f"{text[:117]}..."
