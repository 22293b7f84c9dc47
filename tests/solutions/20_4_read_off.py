def read_off(shapes, D):
    """Return what a file of the Llama kind holds, as a dict, from its names and shapes alone.

    shapes: {name: list of sizes}. D: the width of a head. Keys of the result: vocab_size, width,
    blocks, heads, key_value_heads, hidden, experts (1 where there is no choice), and the truths
    qkv_bias, query_key_norm, tied_head.
    """
    layer = "model.layers.0."
    attention = layer + "self_attn."
    router = layer + "block_sparse_moe.gate.weight"
    part = "block_sparse_moe.experts.0.w1" if router in shapes else "mlp.gate_proj"
    numbers = [int(name.split(".")[2]) for name in shapes if name.startswith("model.layers.")]
    vocab_size, width = shapes["model.embed_tokens.weight"]
    return {
        "vocab_size": vocab_size,
        "width": width,
        "blocks": max(numbers) + 1,
        "heads": shapes[attention + "q_proj.weight"][0] // D,
        "key_value_heads": shapes[attention + "k_proj.weight"][0] // D,
        "hidden": shapes[f"{layer}{part}.weight"][0],
        "experts": shapes.get(router, [1])[0],
        "qkv_bias": attention + "q_proj.bias" in shapes,
        "query_key_norm": attention + "q_norm.weight" in shapes,
        "tied_head": "lm_head.weight" not in shapes,
    }
