"""Who decodes: systems that go on from the same prompts, greedily, with the weights of one file.

Ours in five weight formats; the transformers library in two precisions and with two caches; and
llama.cpp, where its Python module is installed. All get the same threads and the same ids, none
has a stop token, and none computes logits of a prompt's inner tokens.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import transformers
from jaxtyping import Float, Int
from torch import Tensor, nn
from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

from helpers.benchmark.measuring import memory_rise
from helpers.decoder.model import Decoder
from helpers.decoding.generation import stream
from helpers.weights.blockwise import BLOCK
from helpers.weights.formats import FORMATS, missing
from helpers.weights.packed_model import HEAD_FORMATS, pack

try:
    import llama_cpp
except ImportError:
    llama_cpp = None

OURS, LIBRARY, STATIC, LLAMA = "ours", "transformers", "transformers, static cache", "llama.cpp"
FILE_BITS = "Q4_1"  # what the file holds, which llama.cpp multiplies as it is
STEPS = 32  # tokens at the end of a text that `logits` reads one at a time


@dataclass(frozen=True)
class Run:
    """One text for each prompt.

    tokens: the new ones [B, N]. first, seconds: from the start until the first tokens were there,
    and until all were.
    """

    tokens: Int[Tensor, "B N"]
    first: float
    seconds: float


@dataclass(frozen=True)
class System:
    """One way to decode, in one precision.

    decode: from prompts [B, T] and a number N to a Run. logits: of one text [1, T] -> [T, V], its
    last STEPS tokens read one at a time, as in decoding. held: bytes that are held before a run.
    read: bytes of weights that a step must read. entry: bytes of keys and values for one token.
    rows: how many prompts it takes at a time, any number if None.
    """

    name: str
    precision: str
    decode: Callable[[Int[Tensor, "B T"], int], Run]
    logits: Callable[[Int[Tensor, "1 T"]], Float[Tensor, "T V"]]
    held: int
    read: int
    entry: int
    rows: int | None = None

    @property
    def label(self) -> str:
        """Name and precision in one."""
        return f"{self.name} {self.precision}"

    def takes(self, batch: int) -> bool:
        """Whether it takes so many prompts at a time."""
        return self.rows is None or batch <= self.rows


def all_systems(model: Decoder, path: Path, longest: int) -> list[System]:
    """Every system that can run here. model: the file at `path`, read by us, in float32.

    longest: tokens of the longest text, prompt and new ones.
    """
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    config = transformers.AutoConfig.from_pretrained(path.parent, gguf_file=path.name)
    systems = [ours(model, precision) for precision in FORMATS]
    for precision in ("float32", "bfloat16"):
        theirs = library_model(path, config, getattr(torch, precision))
        systems += [library(theirs, precision, static) for static in (False, True)]
    if llama_cpp is not None:
        systems.append(llama(path, config, longest))
    return systems


def read_in_steps(tokens: Int[Tensor, "1 T"]) -> Iterator[Int[Tensor, "1 t"]]:
    """A text in pieces: most of it at once, then its last STEPS tokens one at a time."""
    start = max(1, tokens.shape[1] - STEPS)
    yield tokens[:, :start]
    for i in range(start, tokens.shape[1]):
        yield tokens[:, i : i + 1]


# ---- ours ----------------------------------------------------------------------------------------


def matrix_bytes(precision: str, rows: int, columns: int) -> int:
    """Bytes of a matrix in one of our formats, with its scales."""
    numbers = rows * columns
    if missing(precision):
        return 4 * numbers  # it is held in float32 then
    if precision == "int8":
        return numbers + 2 * rows
    if precision == "int4":
        return numbers // 2 + 4 * (numbers // BLOCK)
    return numbers * getattr(torch, precision).itemsize


def weight_bytes(model: Decoder, precision: str) -> int:
    """Bytes of all that a step reads: every matrix and norm, but not the table of token rows."""
    total = 0
    for path, module in model.named_modules():
        if isinstance(module, nn.Linear):
            of_layer = HEAD_FORMATS.get(precision, precision) if path == "head" else precision
            total += matrix_bytes(of_layer, *module.weight.shape)
        elif not isinstance(module, nn.Embedding):
            total += sum(p.nbytes for p in module.parameters(recurse=False))
    return total


def ours(model: Decoder, precision: str) -> System:
    """Our Decoder, its weights packed, with a cache that is made within the time."""
    packed = pack(model, precision)

    def decode(tokens: Tensor, new: int) -> Run:
        start = time.perf_counter()
        rows, length = tokens.shape
        cache = packed.new_cache(rows, "preallocated", capacity=length + new)
        steps = stream(
            *(packed, tokens),
            max_new_tokens=new,
            temperature=0,
            stop_ids=None,
            cache=cache,
            log_probabilities=False,
        )
        chosen = [next(steps).tokens]
        first = time.perf_counter() - start
        chosen += [step.tokens for step in steps]
        tokens = torch.stack(chosen, dim=1)  # [B, N]
        return Run(tokens, first, time.perf_counter() - start)

    @torch.no_grad()
    def logits(tokens: Tensor) -> Tensor:
        cache = packed.new_cache(1, "preallocated", capacity=tokens.shape[1])
        return torch.cat([packed(piece, cache=cache)[0] for piece in read_in_steps(tokens)])

    read = weight_bytes(model, precision)
    held = read + model.token_embedding.weight.nbytes
    entry = model.cache_shape(1).bytes(1)
    return System(OURS, precision, decode, logits, held=held, read=read, entry=entry)


# ---- the transformers library --------------------------------------------------------------------


def library_model(path: Path, config: Any, dtype: torch.dtype) -> nn.Module:
    """The library's model with the configuration and the weights that it reads from the file."""
    model = transformers.LlamaForCausalLM._from_config(config, dtype=dtype).eval()
    weights = load_gguf_checkpoint(str(path), return_tensors=True, model_to_load=model)
    model.load_state_dict(weights["tensors"], strict=False)  # the tied head is not in the file
    return model


class _FirstToken(transformers.StoppingCriteria):
    """Stops nothing, and notes when it was first asked: once the first tokens were chosen."""

    def __init__(self) -> None:
        self.time: float | None = None

    def __call__(self, input_ids: Tensor, scores: Any, **_: Any) -> Tensor:
        if self.time is None:
            self.time = time.perf_counter()
        return torch.zeros(len(input_ids), dtype=torch.bool)


def library(model: nn.Module, precision: str, static: bool) -> System:
    """The library's own `generate`; its cache is dynamic unless static, and nothing is compiled."""

    def decode(tokens: Tensor, new: int) -> Run:
        start, noted = time.perf_counter(), _FirstToken()
        out = model.generate(
            tokens,
            attention_mask=torch.ones_like(tokens),
            max_new_tokens=new,
            do_sample=False,
            eos_token_id=None,
            pad_token_id=0,
            stopping_criteria=[noted],
            cache_implementation="static" if static else None,
            disable_compile=True,
        )
        end = time.perf_counter()
        return Run(out[:, tokens.shape[1] :], noted.time - start, end - start)

    @torch.no_grad()
    def logits(tokens: Tensor) -> Tensor:
        cache, found = transformers.DynamicCache(), []
        for piece in read_in_steps(tokens):
            found.append(model(piece, cache=cache, use_cache=True).logits[0].float())
        return torch.cat(found)

    held = sum(p.nbytes for p in model.parameters())  # the tied head is counted once
    config, size = model.config, model.dtype.itemsize
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    entry = 2 * config.num_hidden_layers * config.num_key_value_heads * width * size
    name = STATIC if static else LIBRARY
    return System(name, precision, decode, logits, held=held, read=held, entry=entry)


# ---- llama.cpp -----------------------------------------------------------------------------------


def llama(path: Path, config: Any, longest: int) -> System:
    """llama.cpp by its Python module, a prompt at a time; it multiplies the file's own blocks."""
    threads = torch.get_num_threads()

    def opened(all_logits: bool = False) -> Any:
        return llama_cpp.Llama(
            str(path),
            n_ctx=longest,
            n_batch=longest,
            n_ubatch=longest,
            n_threads=threads,
            n_threads_batch=threads,
            logits_all=all_logits,
            verbose=False,
        )

    engine, rise = memory_rise(opened)

    def decode(tokens: Tensor, new: int) -> Run:
        engine.reset()  # else it would go on from what it knows of the same prompt
        ids = tokens[0].tolist()
        start = time.perf_counter()
        steps = engine.generate(ids, temp=0.0)
        chosen = [next(steps)]
        first = time.perf_counter() - start
        while len(chosen) < new:
            chosen.append(next(steps))
        return Run(torch.tensor([chosen]), first, time.perf_counter() - start)

    def logits(tokens: Tensor) -> Tensor:
        reader = opened(all_logits=True)
        for piece in read_in_steps(tokens):
            reader.eval(piece[0].tolist())
        found = torch.from_numpy(reader.scores[: tokens.shape[1]].copy())
        reader.close()
        return found

    width = config.hidden_size // config.num_attention_heads
    entry = 2 * config.num_hidden_layers * config.num_key_value_heads * width * 2  # in float16
    size = path.stat().st_size
    held = max(size + engine.n_ctx() * entry, rise or 0)  # counted; measured, it is often more
    return System(LLAMA, FILE_BITS, decode, logits, held=held, read=size, entry=entry, rows=1)
