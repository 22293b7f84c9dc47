"""Train mode and eval mode, set for a while and left as they were found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from torch import nn


@contextmanager
def in_mode(model: nn.Module, training: bool) -> Iterator[nn.Module]:
    """`with in_mode(model, True):` sets train mode (or eval), and leaves each part as it was found.

    Each part's own mode comes back, so a model with some parts kept in eval mode keeps them so.
    """
    modes = [(module, module.training) for module in model.modules()]
    if any(was_training != training for _, was_training in modes):  # mostly none, in each step
        model.train(training)
    try:
        yield model
    finally:
        for module, was_training in modes:
            if module.training != was_training:
                module.training = was_training


def evaluating(model: nn.Module) -> AbstractContextManager[nn.Module]:
    """`with evaluating(model):` switches dropout off, and leaves the mode as it was found."""
    return in_mode(model, training=False)
