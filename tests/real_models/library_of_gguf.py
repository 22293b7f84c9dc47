"""The transformers library's llama with the numbers of a small GGUF file."""

import transformers

from tests.gguf_files import BLOCKS, CONTEXT, HIDDEN, C, D, G, H, V


def lanes_apart(x, heads):
    """Rows as the transformers library wants them: a head's even lanes, then its odd ones."""
    return x.unflatten(0, (heads, -1, 2)).transpose(1, 2).flatten(0, 2)


def library_model(file, **others):
    """The library's llama with the numbers of a file, under the library's names.

    others: what its configuration says in place of the small file's settings.
    """
    settings = {
        "vocab_size": V, "hidden_size": C, "num_attention_heads": H, "num_key_value_heads": G,
        "head_dim": D, "intermediate_size": HIDDEN, "num_hidden_layers": BLOCKS,
        "rms_norm_eps": 1e-5, "max_position_embeddings": CONTEXT, "tie_word_embeddings": True,
        "rope_parameters": {"rope_type": "default", "rope_theta": 500.0},
    }  # fmt: skip
    config = transformers.LlamaConfig(**settings | others)
    config._attn_implementation = "eager"
    theirs = {"attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
              "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj",
              "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
              "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
              "token_embd": "model.embed_tokens", "output_norm": "model.norm",
              "output": "lm_head"}  # fmt: skip
    state = {}
    for name, stored in file.tensors.items():
        *block, part, kind = name.split(".")
        weight = stored.weight()
        if part in ("attn_q", "attn_k"):
            heads = config.num_attention_heads
            weight = lanes_apart(weight, heads if part == "attn_q" else config.num_key_value_heads)
        before = f"model.layers.{block[1]}." if block else ""
        state[f"{before}{theirs[part]}.{kind}"] = weight
    if config.tie_word_embeddings:
        state["lm_head.weight"] = state["model.embed_tokens.weight"]
    model = transformers.LlamaForCausalLM(config).eval()
    model.load_state_dict(state)
    return model
