"""Activation checkpointing: memory for time. Blocks forget their insides, and compute them again.

A forward pass keeps, for each block, some sixteen tensors of the state's size. Here it keeps what
goes into the block, and nothing else. On the way back the block is run once more from there.
Source: Chen et al. 2016.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from torch.utils.checkpoint import checkpoint

from helpers.decoder.model import Decoder


@contextmanager
def recomputing(model: Decoder, *, keep_random_state: bool = True) -> Iterator[Decoder]:
    """Within this context the model's blocks are recomputed on the way back. Numbers stay equal.

    keep_random_state: draw dropout's masks in the second run as in the first. False is there to
    show what happens then: gradients of another function.
    """
    for block in model.blocks:
        block.forward = partial(
            checkpoint, block.forward, use_reentrant=False, preserve_rng_state=keep_random_state
        )
    try:
        yield model
    finally:
        for block in model.blocks:
            del block.forward  # so the class's own is seen again
