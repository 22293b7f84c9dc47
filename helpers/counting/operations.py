"""How much work a model does, in multiply-adds: exact, and the same on every machine.

Two ways that tests hold equal: by formula (`forward_work`, `generation_work`), and by counting what
torch is really asked to multiply (`count_work`). Norms, softmax and additions are left out: they
grow like the number of token rows, as the matrix products do, and are far fewer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import add

import torch
from torch.utils.flop_counter import FlopCounterMode

from helpers.decoder.config import DecoderConfig
from helpers.decoder.feed_forward import KINDS


@dataclass(frozen=True)
class Work:
    """Multiply-adds. A product of [n, k] and [k, m] takes n * k * m of them.

    matrix: projections and feed-forward of all blocks, one share for every token row.
    attention: scores and weighted averages, one share for every pair of a query and a key.
    head: the projection to the vocabulary.
    """

    matrix: int = 0
    attention: int = 0
    head: int = 0

    def __add__(self, other: Work) -> Work:
        return Work(
            self.matrix + other.matrix, self.attention + other.attention, self.head + other.head
        )

    @property
    def total(self) -> int:
        """All of it together."""
        return self.matrix + self.attention + self.head


def forward_work(
    config: DecoderConfig,
    queries: int,
    keys: int | None = None,
    *,
    batch: int = 1,
    logits: int | None = None,
    source: int = 0,
) -> Work:
    """One pass over `queries` token rows that look at `keys` keys each (queries if None).

    Every pair is computed, also those that the mask hides. logits: positions that get logits; all
    queries if None. source: length of the memory that cross-attention looks at; making its keys and
    values is not part of a pass (`memory_work`).
    """
    width, heads_width = config.width, config.heads * config.D
    keys = queries if keys is None else keys
    matrix, pairs = _feed_forward_work(config), 0
    if config.attention:
        matrix += 2 * width * heads_width + 2 * width * config.G * config.D  # q and out, k and v
        pairs += queries * keys
    if config.cross_attention:
        matrix += 2 * width * heads_width  # query and output
        pairs += queries * source
    return Work(
        matrix=batch * config.blocks * queries * matrix,
        attention=batch * config.blocks * pairs * 2 * heads_width,  # scores, then averages
        head=batch * (queries if logits is None else logits) * width * config.vocab_size,
    )


def _feed_forward_work(config: DecoderConfig) -> int:
    """Multiply-adds of the feed-forward for one token row of one block."""
    matrices = 3 if KINDS[config.feed_forward].gated else 2
    one = matrices * config.width * config.hidden_width
    if config.experts is None:
        return one
    return config.width * config.experts + config.experts_used * one  # the router, then the chosen


def memory_work(config: DecoderConfig, source: int, *, batch: int = 1) -> Work:
    """Making the keys and values of a second sequence of this length, once (`memory_of`)."""
    return Work(matrix=batch * config.blocks * source * 2 * config.width * config.G * config.D)


def generation_work(
    config: DecoderConfig,
    new: int,
    *,
    prompt: int = 1,
    batch: int = 1,
    cached: bool = False,
    source: int = 0,
) -> Work:
    """Making `new` tokens after a prompt, each step's logits at the last position only.

    Without a cache every step passes the whole text through the model; with one, the prompt once
    and then one token a step (a window cache keeps config.widest_window keys).
    """
    steps = []
    for step in range(new):
        keys = prompt + step
        queries = keys if not cached or step == 0 else 1
        if cached and config.widest_window is not None:
            keys = min(keys, queries + config.widest_window - 1)
        steps.append(forward_work(config, queries, keys, batch=batch, logits=1, source=source))
    return reduce(add, steps, Work())


def count_work(function: Callable[[], object]) -> Work:
    """What torch is really asked to multiply while `function` runs, counted call by call.

    The head's products are counted under matrix, since torch cannot tell them apart.
    """
    fused = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu
    back = torch.ops.aten._scaled_dot_product_flash_attention_for_cpu_backward
    mapping = {fused: _fused_operations, back: _fused_back_operations}
    with FlopCounterMode(display=False, custom_mapping=mapping) as counter:
        function()
    counted = counter.get_flop_counts().get("Global", {})  # kernel -> operations
    kernels = (torch.ops.aten.bmm, fused, back)
    attention = sum(n for kernel, n in counted.items() if kernel in kernels)
    # two floating-point operations, one * and one +, are one multiply-add
    return Work(matrix=(sum(counted.values()) - attention) // 2, attention=attention // 2)


def _fused_operations(query, key, value, *rest, **named):
    """Operations of the fused kernel from the shapes [B, H, T, D] of what it is given."""
    batch, heads, queries, width = query
    return 2 * batch * heads * queries * key[2] * (width + value[3])


def _fused_back_operations(gradient, query, key, value, *rest, **named):
    """The same for gradients: scores once more, then for weights, queries, keys and values."""
    batch, heads, queries, width = query
    return 2 * batch * heads * queries * key[2] * (3 * width + 2 * value[3])
