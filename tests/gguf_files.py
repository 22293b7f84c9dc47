"""Small GGUF files with everything that a llama model's file holds, and damage done to them."""

import gguf
import numpy as np

from helpers.tokenizers.tokenizer import train

C, H, G, D, HIDDEN, BLOCKS, CONTEXT = 64, 4, 2, 16, 96, 2, 40
TEMPLATE = "{{ messages[0]['content'] }}"
TOKENIZER = train("low lower lowest new newer newest " * 3, 43, special=["<|end|>"])
V = len(TOKENIZER)


def settings():
    """Every field, as (kind of the writer's method, value)."""
    tokens = TOKENIZER.show(range(V))
    special = set(TOKENIZER.special.values())
    return {
        "llama.context_length": ("uint32", CONTEXT),
        "llama.embedding_length": ("uint32", C),
        "llama.block_count": ("uint32", BLOCKS),
        "llama.feed_forward_length": ("uint32", HIDDEN),
        "llama.attention.head_count": ("uint32", H),
        "llama.attention.head_count_kv": ("uint32", G),
        "llama.rope.freq_base": ("float32", 500.0),
        "llama.attention.layer_norm_rms_epsilon": ("float32", 1e-5),
        "llama.rope.dimension_count": ("uint32", D),
        "llama.vocab_size": ("uint32", V),
        "tokenizer.ggml.model": ("string", "gpt2"),
        "tokenizer.ggml.pre": ("string", "gpt-2"),
        "tokenizer.ggml.tokens": ("array", tokens),
        "tokenizer.ggml.token_type": ("array", [3 if i in special else 1 for i in range(V)]),
        "tokenizer.ggml.merges": (
            "array", [f"{tokens[a]} {tokens[b]}" for a, b in TOKENIZER.merges]
        ),
        "tokenizer.ggml.eos_token_id": ("uint32", TOKENIZER.special["<|end|>"]),
        "tokenizer.chat_template": ("string", TEMPLATE),
    }  # fmt: skip


def tensors(tied=True):
    """Every tensor by its name in such files: the numbers, and how they are stored."""
    dice = np.random.default_rng(0)

    def matrix(rows, columns, kind="Q4_1"):
        return (dice.standard_normal((rows, columns)) / columns**0.5).astype(np.float32), kind

    def norm():
        return (1 + 0.3 * dice.standard_normal(C)).astype(np.float32), "F32"

    found = {"token_embd.weight": matrix(V, C, "Q8_0")}
    for i in range(BLOCKS):
        found |= {
            f"blk.{i}.attn_norm.weight": norm(),
            f"blk.{i}.ffn_down.weight": matrix(C, HIDDEN),
            f"blk.{i}.ffn_gate.weight": matrix(HIDDEN, C),
            f"blk.{i}.ffn_up.weight": matrix(HIDDEN, C),
            f"blk.{i}.ffn_norm.weight": norm(),
            f"blk.{i}.attn_k.weight": matrix(G * D, C),
            f"blk.{i}.attn_output.weight": matrix(C, H * D, "F16"),
            f"blk.{i}.attn_q.weight": matrix(H * D, C),
            f"blk.{i}.attn_v.weight": matrix(G * D, C, "F32"),
        }
    found["output_norm.weight"] = norm()
    return found if tied else found | {"output.weight": matrix(V, C, "Q8_0")}


def write(path, fields=None, weights=None, architecture="llama"):
    """Write such a file by the gguf package; returns its path."""
    writer = gguf.GGUFWriter(path, architecture)
    for name, (kind, value) in (settings() if fields is None else fields).items():
        getattr(writer, f"add_{kind}")(name, value)
    for name, (numbers, kind) in (tensors() if weights is None else weights).items():
        kind = gguf.GGMLQuantizationType[kind]
        if kind in (gguf.GGMLQuantizationType.F32, gguf.GGMLQuantizationType.F16):
            plain = {"F32": np.float32, "F16": np.float16}[kind.name]
            writer.add_tensor(name, numbers.astype(plain))
        else:
            writer.add_tensor(name, gguf.quants.quantize(numbers, kind), raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path
