def wrong_blocks_as_text(shapes, D):
    """the largest block number is looked for as text, so 9 beats 10

    Feedback: names are sorted as text, where layer 9 comes last: compare numbers
    """
    # wrong for: a file with 12 blocks: blocks gives 10, right 12
    at = "model.layers.0."
    numbers = [name.split(".")[2] for name in shapes if name.startswith("model.layers.")]
    moe = at + "block_sparse_moe."
    many = moe + "gate.weight" in shapes
    inner = moe + "experts.0.w1.weight" if many else at + "mlp.gate_proj.weight"
    return {
        "vocab_size": shapes["model.embed_tokens.weight"][0],
        "width": shapes["model.embed_tokens.weight"][1],
        "blocks": int(max(numbers)) + 1,
        "heads": shapes[at + "self_attn.q_proj.weight"][0] // D,
        "key_value_heads": shapes[at + "self_attn.k_proj.weight"][0] // D,
        "hidden": shapes[inner][0],
        "experts": shapes[moe + "gate.weight"][0] if many else 1,
        "qkv_bias": at + "self_attn.q_proj.bias" in shapes,
        "query_key_norm": at + "self_attn.q_norm.weight" in shapes,
        "tied_head": "lm_head.weight" not in shapes,
    }


def wrong_heads_from_width(shapes, D):
    """the heads are counted as width / D

    Feedback: heads times D need not be C: take the rows of the query matrix
    """
    # wrong for: q_proj [48, 32], D = 12, width 32: heads gives 2, right 4
    at = "model.layers.0."
    blocks = len({name.split(".")[2] for name in shapes if name.startswith("model.layers.")})
    moe = at + "block_sparse_moe."
    many = moe + "gate.weight" in shapes
    inner = moe + "experts.0.w1.weight" if many else at + "mlp.gate_proj.weight"
    V, C = shapes["model.embed_tokens.weight"]
    return {
        "vocab_size": V,
        "width": C,
        "blocks": blocks,
        "heads": C // D,
        "key_value_heads": shapes[at + "self_attn.k_proj.weight"][0] // D,
        "hidden": shapes[inner][0],
        "experts": shapes[moe + "gate.weight"][0] if many else 1,
        "qkv_bias": at + "self_attn.q_proj.bias" in shapes,
        "query_key_norm": at + "self_attn.q_norm.weight" in shapes,
        "tied_head": "lm_head.weight" not in shapes,
    }


def wrong_tied_by_shape(shapes, D):
    """a head of the same shape as the embedding is called tied

    Feedback: a file without a head of its own is tied
    """
    # wrong for: any file with lm_head.weight [V, C]: tied_head gives True, right False
    at = "model.layers.0."
    blocks = len({name.split(".")[2] for name in shapes if name.startswith("model.layers.")})
    moe = at + "block_sparse_moe."
    many = moe + "gate.weight" in shapes
    inner = moe + "experts.0.w1.weight" if many else at + "mlp.gate_proj.weight"
    V, C = shapes["model.embed_tokens.weight"]
    return {
        "vocab_size": V,
        "width": C,
        "blocks": blocks,
        "heads": shapes[at + "self_attn.q_proj.weight"][0] // D,
        "key_value_heads": shapes[at + "self_attn.k_proj.weight"][0] // D,
        "hidden": shapes[inner][0],
        "experts": shapes[moe + "gate.weight"][0] if many else 1,
        "qkv_bias": at + "self_attn.q_proj.bias" in shapes,
        "query_key_norm": at + "self_attn.q_norm.weight" in shapes,
        "tied_head": list(shapes.get("lm_head.weight", [V, C])) == [V, C],
    }


def wrong_experts_of_all_blocks(shapes, D):
    """the experts of all blocks are counted together

    Feedback: experts is not the number of experts of a layer, 1 where there is no choice
    """
    # wrong for: a file with 2 blocks of 4 experts: experts gives 8, right 4
    at = "model.layers.0."
    blocks = len({name.split(".")[2] for name in shapes if name.startswith("model.layers.")})
    count = sum(name.endswith(".w1.weight") for name in shapes)
    inner = at + ("block_sparse_moe.experts.0.w1.weight" if count else "mlp.gate_proj.weight")
    V, C = shapes["model.embed_tokens.weight"]
    return {
        "vocab_size": V,
        "width": C,
        "blocks": blocks,
        "heads": shapes[at + "self_attn.q_proj.weight"][0] // D,
        "key_value_heads": shapes[at + "self_attn.k_proj.weight"][0] // D,
        "hidden": shapes[inner][0],
        "experts": count or 1,
        "qkv_bias": at + "self_attn.q_proj.bias" in shapes,
        "query_key_norm": at + "self_attn.q_norm.weight" in shapes,
        "tied_head": "lm_head.weight" not in shapes,
    }


def wrong_any_bias(shapes, D):
    """any bias in the file is taken for one of queries, keys and values

    Feedback: another bias is taken for one of queries, keys and values
    """
    # wrong for: a file whose only biases are mlp.gate_proj.bias or self_attn.o_proj.bias: qkv_bias gives True, right False
    at = "model.layers.0."
    blocks = len({name.split(".")[2] for name in shapes if name.startswith("model.layers.")})
    moe = at + "block_sparse_moe."
    many = moe + "gate.weight" in shapes
    inner = moe + "experts.0.w1.weight" if many else at + "mlp.gate_proj.weight"
    V, C = shapes["model.embed_tokens.weight"]
    return {
        "vocab_size": V,
        "width": C,
        "blocks": blocks,
        "heads": shapes[at + "self_attn.q_proj.weight"][0] // D,
        "key_value_heads": shapes[at + "self_attn.k_proj.weight"][0] // D,
        "hidden": shapes[inner][0],
        "experts": shapes[moe + "gate.weight"][0] if many else 1,
        "qkv_bias": any(name.endswith(".bias") for name in shapes),
        "query_key_norm": any(name.endswith("q_norm.weight") for name in shapes),
        "tied_head": "lm_head.weight" not in shapes,
    }


def wrong_order_of_the_file(shapes, D):
    """takes the first entry for the embedding and the last for the head, whatever they are called

    Feedback: a file without a head of its own is tied
    """
    # wrong for: a file whose names are sorted (lm_head.weight first, model.norm.weight last): untied gives tied_head True
    at = "model.layers.0."
    names = list(shapes)
    blocks = len({name.split(".")[2] for name in shapes if name.startswith("model.layers.")})
    moe = at + "block_sparse_moe."
    many = moe + "gate.weight" in shapes
    inner = moe + "experts.0.w1.weight" if many else at + "mlp.gate_proj.weight"
    first = shapes[names[0]]
    return {
        "vocab_size": first[0],
        "width": first[-1],
        "blocks": blocks,
        "heads": shapes[at + "self_attn.q_proj.weight"][0] // D,
        "key_value_heads": shapes[at + "self_attn.k_proj.weight"][0] // D,
        "hidden": shapes[inner][0],
        "experts": shapes[moe + "gate.weight"][0] if many else 1,
        "qkv_bias": at + "self_attn.q_proj.bias" in shapes,
        "query_key_norm": at + "self_attn.q_norm.weight" in shapes,
        "tied_head": names[-1] != "lm_head.weight",
    }


def right_patterns(shapes, D):
    """looks at the ends of all names, in any order"""

    def sizes(*ends):
        return [list(shape) for name, shape in shapes.items() if name.endswith(ends)]

    V, C = sizes("model.embed_tokens.weight")[0]
    routers = sizes("block_sparse_moe.gate.weight")
    inner = sizes("mlp.gate_proj.weight", "experts.0.w1.weight")
    queries = sizes("self_attn.q_proj.weight")
    return dict(
        vocab_size=V,
        width=C,
        blocks=len(queries),
        heads=queries[0][0] // D,
        key_value_heads=sizes("self_attn.k_proj.weight")[0][0] // D,
        hidden=inner[0][0],
        experts=routers[0][0] if routers else 1,
        qkv_bias=bool(sizes("q_proj.bias", "k_proj.bias", "v_proj.bias")),
        query_key_norm=bool(sizes("q_norm.weight", "k_norm.weight")),
        tied_head=not sizes("lm_head.weight"),
    )


def right_tree(shapes, D):
    """builds a tree of the names and walks it"""
    tree = {}
    for name, shape in shapes.items():
        node = tree
        *path, last = name.split(".")
        for step in path:
            node = node.setdefault(step, {})
        node[last] = tuple(shape)
    layers = tree["model"]["layers"]
    block = layers["0"]
    attention = block["self_attn"]
    V, C = tree["model"]["embed_tokens"]["weight"]
    if "block_sparse_moe" in block:
        experts = len(block["block_sparse_moe"]["experts"])
        hidden = block["block_sparse_moe"]["experts"]["0"]["w1"]["weight"][0]
    else:
        experts, hidden = 1, block["mlp"]["gate_proj"]["weight"][0]
    result = {"vocab_size": V, "width": C, "blocks": len(layers)}
    result |= {"heads": attention["q_proj"]["weight"][0] // D}
    result |= {"key_value_heads": attention["k_proj"]["weight"][0] // D}
    result |= {"hidden": hidden, "experts": experts}
    result["qkv_bias"] = "bias" in attention["q_proj"]
    result["query_key_norm"] = "q_norm" in attention
    result["tied_head"] = "lm_head" not in tree
    return result


# STATEMENT: the names of the biases are not given (self_attn.q_proj.bias is to be inferred). Whether other biases (o_proj, mlp: Llama's
# attention_bias / mlp_bias) can be in the file is not said. A file with block_sparse_moe and one expert: allowed? A file with routers but
# fewer expert names than the router has rows? Truths as bool, or 0/1?
