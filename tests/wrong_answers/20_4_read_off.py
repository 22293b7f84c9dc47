"""Wrong answers to 20.4. A docstring holds the words that only this fault's feedback contains."""


def _read(shapes, D, **changes):
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
    } | changes


def last_number(shapes, D):
    """layers are counted from 0"""
    return _read(shapes, D, blocks=_read(shapes, D)["blocks"] - 1)


def last_name(shapes, D):
    """names are sorted as text"""
    names = sorted(name for name in shapes if name.startswith("model.layers."))
    return _read(shapes, D, blocks=int(names[-1].split(".")[2]) + 1)


def width_over_head_width(shapes, D):
    """heads times D need not be C"""
    return _read(shapes, D, heads=shapes["model.norm.weight"][0] // D)


def no_groups(shapes, D):
    """taken for as many as the query heads"""
    return _read(shapes, D, key_value_heads=_read(shapes, D)["heads"])


def size_of_a_group(shapes, D):
    """it is how many query heads share one"""
    read = _read(shapes, D)
    return read | {"key_value_heads": read["heads"] // read["key_value_heads"]}


def no_expert_without_a_choice(shapes, D):
    """a part without a choice is one expert"""
    experts = _read(shapes, D)["experts"]
    return _read(shapes, D, experts=0 if experts == 1 else experts)


def tied_where_there_is_a_head(shapes, D):
    """a file without a head of its own is tied"""
    return _read(shapes, D, tied_head="lm_head.weight" in shapes)


def never_a_bias(shapes, D):
    """does not say whether the queries have a bias"""
    return _read(shapes, D, qkv_bias=False)
