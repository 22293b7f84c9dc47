def read_off(shapes, D):
    """By counting names that match, and from other tensors than the first ones."""

    def ending(*ends):
        return [shape for name, shape in shapes.items() if name.endswith(ends)]

    layers = ending("input_layernorm.weight")
    inner = ending("down_proj.weight", "w2.weight")
    return {
        "vocab_size": shapes["model.embed_tokens.weight"][0],
        "width": shapes["model.norm.weight"][0],
        "blocks": len(layers),
        "heads": ending("o_proj.weight")[0][1] // D,
        "key_value_heads": ending("v_proj.weight")[0][0] // D,
        "hidden": inner[0][1],
        "experts": len(inner) // len(layers),
        "qkv_bias": bool(ending("k_proj.bias")),
        "query_key_norm": bool(ending("k_norm.weight")),
        "tied_head": not ending("lm_head.weight"),
    }
