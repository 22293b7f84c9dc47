"""What training a model takes, before it is trained: parameters, operations, bytes.

Each number comes from the configuration alone. Beside it stands the way to measure it, and tests
hold the two together.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from jaxtyping import Int
from torch import Tensor, nn
from torch.autograd.graph import saved_tensors_hooks
from torch.profiler import ProfilerActivity, profile

from helpers.counting.operations import forward_work
from helpers.decoder.config import DecoderConfig
from helpers.decoder.feed_forward import KINDS
from helpers.needs import need_int

FLOAT32 = 4  # bytes of a number


@dataclass(frozen=True)
class Parameters:
    """How many numbers a model learns, by where they stand."""

    embeddings: int
    blocks: int
    head: int

    @property
    def total(self) -> int:
        """All of them; a head that is the token embedding counts once."""
        return self.embeddings + self.blocks + self.head


def parameters(config: DecoderConfig) -> Parameters:
    """Count the parameters of a decoder from its configuration. Not for relative positions."""
    if config.positions == "relative":
        raise ValueError("positions is 'relative'; its table is not counted here: give another")
    C, V = config.width, config.vocab_size
    norm = C if config.norm in ("rms", "one_plus_rms") else 2 * C
    embeddings = V * C + (config.context * C if config.positions == "learned" else 0)
    embeddings += norm if config.embedding_norm else 0
    head = (norm if config.final_norm else 0) + (V if config.head_bias else 0)
    head += 0 if config.tied_head else V * C
    return Parameters(embeddings, config.blocks * _block(config, norm), head)


def _block(config: DecoderConfig, norm: int) -> int:
    C, h = config.width, config.hidden_width
    queries, keys = config.heads * config.D, config.G * config.D
    gated = KINDS[config.feed_forward].gated
    one = (3 if gated else 2) * C * h
    if config.feed_forward_bias:
        one += (2 if gated else 1) * h + C
    feed_forward = one if config.experts is None else config.experts * one + C * config.experts
    attention = 2 * C * (queries + keys)  # query and output, key and value
    attention += queries + 2 * keys if config.qkv_bias else 0
    attention += C if config.output_bias else 0
    if config.query_key_norm:
        attention += 2 * config.D * (1 if config.norm in ("rms", "one_plus_rms") else 2)
    attentions = config.attention + config.cross_attention
    norms = norm * (attentions + 1) * (2 if config.norm_placement == "both" else 1)
    return attentions * attention + feed_forward + norms


def rule_of_six(N: int, tokens: int) -> int:
    """Floating-point operations of training by the rule of thumb: 6 N D.

    Two a parameter and token forward, one product and one sum, and twice as many backward. It
    leaves out attention's scores, and counts embeddings, which are looked up and not multiplied.
    """
    need_int("N", N, 1), need_int("tokens", tokens, 1)
    return 6 * N * tokens


def training_flops(config: DecoderConfig, length: int, rows: int) -> int:
    """Floating-point operations of training on so many rows of `length` tokens.

    Three times the forward pass: backward, each product becomes two, one for the gradient of each
    side. Fused attention also computes its scores once more; that is left out here.
    """
    need_int("length", length, 1), need_int("rows", rows, 1)
    return 3 * 2 * forward_work(config, length, batch=rows).total


# ---- bytes ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class TrainingBytes:
    """The memory of a training step in float32 with AdamW, in bytes.

    saved: what the forward pass keeps for the backward pass. logits: two temporary tensors of the
    logits' size with which the backward pass begins. stepping: two temporary tensors as large as
    the largest weight, while AdamW moves it.
    """

    weights: int
    gradients: int
    optimizer: int
    saved: int
    logits: int
    stepping: int

    @property
    def peak(self) -> int:
        """The most at once: when the backward pass begins, and gradients are not there yet.

        Later the gradients grow while what was saved goes. Where there are more parameters than
        saved numbers, the optimizer's step is the peak.
        """
        resting = self.weights + self.optimizer
        return resting + max(self.saved + self.logits, self.gradients + self.stepping)


def training_bytes(config: DecoderConfig, batch: int, length: int) -> TrainingBytes:
    """Predict the bytes of a training step on rows [batch, length], all of them real tokens."""
    N = parameters(config).total
    logits = 2 * FLOAT32 * batch * length * config.vocab_size
    saved = saved_bytes(config, batch, length)
    rows = max(config.vocab_size, config.context, config.hidden_width, config.width)
    stepping = 2 * FLOAT32 * rows * config.width  # of the largest matrix or table
    return TrainingBytes(FLOAT32 * N, FLOAT32 * N, 2 * FLOAT32 * N, saved, logits, stepping)


def saved_bytes(config: DecoderConfig, batch: int, length: int) -> int:
    """Predict what a forward pass with its loss keeps for the backward pass, in bytes.

    In float32 with fused attention on a CPU, for blocks with pre-norm LayerNorm, GELU, learned
    positions, every head with its own keys and no dropout. Nothing of it hangs on the weights.
    Raises: ValueError for other models.
    """
    need_int("batch", batch, 1), need_int("length", length, 2)
    wanted = {
        "norm": "layer", "norm_placement": "pre", "feed_forward": "gelu", "positions": "learned",
        "parallel": False, "final_norm": True, "embedding_norm": False, "cross_attention": False,
        "attention": True, "causal": True, "window": None, "query_key_norm": False,
        "experts": None, "dropout": 0.0, "logit_cap": None, "embedding_scale": 1.0,
        "G": config.heads, "hidden_width": 4 * config.width, "D": config.width // config.heads,
    }  # fmt: skip
    for name, value in wanted.items():
        if getattr(config, name) != value:
            raise ValueError(f"{name} is {getattr(config, name)!r}; this formula is for {value!r}")
    B, T, C, H, V = batch, length, config.width, config.heads, config.vocab_size
    block = 16 * B * T * C + 4 * B * T + B * H * T + T * T
    rest = 2 * B * T * C + 2 * B * T + B * T * V
    return FLOAT32 * (config.blocks * block + rest) + 24 * B * T + 12


def measured_saved_bytes(model: nn.Module, forward: Callable[[], Tensor]) -> int:
    """Return the bytes that `forward`, which gives a loss, keeps for the backward pass.

    Each piece of memory counts once, however many operations keep it; the model's own weights,
    which are there anyway, do not count.
    """
    weights = {p.untyped_storage().data_ptr() for p in model.parameters()}
    kept: dict[int, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        if storage.data_ptr() not in weights:
            kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    with saved_tensors_hooks(keep, lambda tensor: tensor):
        loss = forward()  # alive while we count, so that no memory is used twice
    total = sum(kept.values())
    del loss
    return total


@dataclass(frozen=True)
class Allocated:
    """What the allocator did while a function ran, in bytes: the most at once, and what is left."""

    peak: int
    left: int


def allocated(function: Callable[[], object]) -> Allocated:
    """Ask torch's own allocator what a function took.

    The profiler of torch 2.13 prints lines of its own to the error stream; KINETO_LOG_LEVEL=99,
    set before torch is imported, keeps it quiet.
    """
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as run:
        function()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trace.json"
        run.export_chrome_trace(str(file))
        events = json.loads(file.read_text())["traceEvents"]
    steps = sorted((e["ts"], e["args"]["Bytes"]) for e in events if e.get("name") == "[memory]")
    now = peak = 0
    for _, size in steps:
        now += size
        peak = max(peak, now)
    return Allocated(peak, now)


def step_bytes(
    model: nn.Module, optimizer: torch.optim.Optimizer, loss: Callable[[], Tensor]
) -> int:
    """Measure the peak of a training step, in bytes, with weights and the optimizer's state.

    loss: makes the loss. The model and the optimizer go one step on twice: the first time makes the
    optimizer's state.
    """
    box: dict[str, Tensor] = {}

    def forward() -> None:
        box["loss"] = loss()

    def backward() -> None:
        box.pop("loss").backward()

    forward(), backward(), optimizer.step()
    optimizer.zero_grad(set_to_none=True)
    there = sum(p.nbytes for p in model.parameters())
    there += sum(
        value.nbytes
        for state in optimizer.state.values()
        for value in state.values()
        if isinstance(value, Tensor)
    )
    parts = [allocated(part) for part in (forward, backward, optimizer.step)]
    optimizer.zero_grad(set_to_none=True)
    now = peak = 0
    for part in parts:
        peak = max(peak, now + part.peak)
        now += part.left
    return there + peak


def checkpoint_bytes(config: DecoderConfig) -> int:
    """Weights and both of AdamW's moments in float32, in bytes; names take a little more."""
    return 3 * FLOAT32 * parameters(config).total


def sample_tokens(config: DecoderConfig, batch: int, length: int) -> Int[Tensor, "B T"]:
    """Random tokens of a shape, to measure with; the same each time."""
    generator = torch.Generator().manual_seed(0)
    return torch.randint(config.vocab_size, (batch, length), generator=generator)
