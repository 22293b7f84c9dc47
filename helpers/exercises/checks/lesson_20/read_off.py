"""Exercise 20.4: read an architecture off its shapes."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

read_off = Exercise(
    "20.4",
    "read_off",
    title="What is in this file?",
    minutes=20,
    level="hard",
    points=3,
    imports=(),
    hints=(
        "Each answer stands in one name or one shape. Which shape holds C alone? Which tells H, "
        "once D is known? And which answers depend only on whether a name is there?",
        "The number of blocks is one more than the largest number behind layers. The key matrix "
        "has G * D rows. A file without lm_head.weight has a tied head.",
        'embed = shapes["model.embed_tokens.weight"] is [V, C]; with at = "model.layers.0.'
        'self_attn." heads are shapes[at + "q_proj.weight"][0] // D, and so on. The hidden width '
        "has the rows of mlp.gate_proj, or of block_sparse_moe.experts.0.w1.",
    ),
)

KEYS = (
    *("vocab_size", "width", "blocks", "heads", "key_value_heads", "hidden", "experts"),
    *("qkv_bias", "query_key_norm", "tied_head"),
)


def shapes_of(facts: dict, D: int, other_biases: bool = False) -> dict[str, list[int]]:
    """Return the names and shapes of a file of the Llama kind with these facts.

    other_biases: with biases that are not those of queries, keys and values.
    """
    C, hidden = facts["width"], facts["hidden"]
    rows = {"q": facts["heads"] * D, "k": facts["key_value_heads"] * D}
    rows["v"] = rows["k"]
    shapes = {}
    if not facts["tied_head"]:
        shapes["lm_head.weight"] = [facts["vocab_size"], C]
    shapes["model.embed_tokens.weight"] = [facts["vocab_size"], C]
    for i in range(facts["blocks"]):
        layer = f"model.layers.{i}."
        shapes[f"{layer}input_layernorm.weight"] = [C]
        for name, count in rows.items():
            shapes[f"{layer}self_attn.{name}_proj.weight"] = [count, C]
            if facts["qkv_bias"]:
                shapes[f"{layer}self_attn.{name}_proj.bias"] = [count]
        shapes[f"{layer}self_attn.o_proj.weight"] = [C, rows["q"]]
        if other_biases:
            shapes[f"{layer}self_attn.o_proj.bias"] = [C]
            shapes[f"{layer}mlp.gate_proj.bias"] = [hidden]
        if facts["query_key_norm"]:
            shapes |= {f"{layer}self_attn.{name}_norm.weight": [D] for name in "qk"}
        shapes[f"{layer}post_attention_layernorm.weight"] = [C]
        if facts["experts"] == 1:
            shapes[f"{layer}mlp.gate_proj.weight"] = [hidden, C]
            shapes[f"{layer}mlp.up_proj.weight"] = [hidden, C]
            shapes[f"{layer}mlp.down_proj.weight"] = [C, hidden]
            continue
        moe = f"{layer}block_sparse_moe."
        shapes[f"{moe}gate.weight"] = [facts["experts"], C]
        for e in range(facts["experts"]):
            shapes[f"{moe}experts.{e}.w1.weight"] = [hidden, C]
            shapes[f"{moe}experts.{e}.w2.weight"] = [C, hidden]
            shapes[f"{moe}experts.{e}.w3.weight"] = [hidden, C]
    shapes["model.norm.weight"] = [C]
    return dict(sorted(shapes.items()))  # as a file lists them: layer 10 before layer 2


def facts_of(
    draw: torch.Generator, blocks=2, experts=1, qkv_bias=False, query_key_norm=False, tied=False
) -> tuple[dict, int]:
    """Return drawn facts, no two sizes alike, and the head width D apart from C / H."""

    def pick(low: int, high: int) -> int:
        return int(torch.randint(low, high, (), generator=draw))

    G, group, D = pick(2, 4), pick(2, 4), 2 * pick(3, 6)
    facts = {
        "vocab_size": pick(200, 300),
        "width": pick(60, 90),
        "blocks": blocks,
        "heads": G * group,
        "key_value_heads": G,
        "hidden": pick(100, 150),
        "experts": experts,
        "qkv_bias": qkv_bias,
        "query_key_norm": query_key_norm,
        "tied_head": tied,
    }
    return facts, D


FAULTS = {
    "vocab_size": "vocab_size is not the number of rows of the token embedding",
    "width": "width is not the number of columns of the token embedding",
    "blocks": "blocks is not the number of layers in the file",
    "heads": "heads is not the number of query heads",
    "key_value_heads": "key_value_heads is not the number of heads that the key matrix has",
    "hidden": "hidden is not the inner width of the feed-forward part",
    "experts": "experts is not the number of experts of a layer, 1 where there is no choice",
    "qkv_bias": "qkv_bias does not say whether the queries have a bias",
    "query_key_norm": "query_key_norm does not say whether queries and keys have a norm",
    "tied_head": "tied_head is true where the file has no head of its own",
}


def slips(key: str, facts: dict, D: int) -> list[tuple[int, str]]:
    """Return what known slips give for one key, each with its name."""
    C, H, G = facts["width"], facts["heads"], facts["key_value_heads"]
    known = {
        "blocks": [
            (facts["blocks"] - 1, "layers are counted from 0: there is one more than the last one"),
            (10, "names are sorted as text, where layer 9 comes last: compare numbers"),
        ],
        "heads": [
            (C // D, "heads times D need not be C: take the rows of the query matrix"),
            (H * D, "the rows of the query matrix are H * D: divide by D"),
        ],
        "key_value_heads": [
            (H, "the key/value heads are taken for as many as the query heads"),
            (G * D, "the rows of the key matrix are G * D: divide by D"),
            (H // G, "it is how many query heads share one, not how many there are"),
        ],
        "hidden": [(C, "hidden is what is widened to, and it is given the width")],
        "experts": [(0, "a part without a choice is one expert")],
        "tied_head": [(not facts["tied_head"], "a file without a head of its own is tied")],
    }
    return known.get(key, [])


def compare(call, facts: dict, D: int, seen: str, other_biases: bool = False) -> None:
    """Compare every answer, and name what is wrong."""
    found = expect.table(call(shapes_of(facts, D, other_biases), D), KEYS)
    for key in KEYS:
        right = facts[key]
        got = (expect.truth if isinstance(right, bool) else expect.whole)(
            found[key], f"{seen} {key}"
        )
        fault = FAULTS[key]
        if key == "qkv_bias" and other_biases:
            fault = "another bias is taken for one of queries, keys and values"
        expect.equal(got, right, f"{seen} {key}:", fault, slips(key, facts, D))


@read_off.property("it reads a plain Llama: sizes, heads, groups")
def plain(call, draw):
    """No extras."""
    for blocks in (2, 1):
        compare(call, *facts_of(draw, blocks), "for a Llama:")


@read_off.property("it counts the layers, however the names are sorted")
def many_layers(call, draw):
    """Twelve layers: as text, 9 is the last."""
    compare(call, *facts_of(draw, 12), "for 12 layers:")


@read_off.property("it sees a tied head, biases, and norms of queries and keys")
def extras(call, draw):
    """Each alone and all together."""
    for extra in ({"tied": True}, {"qkv_bias": True}, {"query_key_norm": True}):
        compare(call, *facts_of(draw, **extra), f"for a file with {next(iter(extra))}:")
    both = {"tied": True, "qkv_bias": True, "query_key_norm": True}
    compare(call, *facts_of(draw, **both), "for a file with all three:")
    compare(call, *facts_of(draw), "for a file with other biases:", other_biases=True)


@read_off.property("it counts experts, and finds their hidden width")
def experts(call, draw):
    """Mixtral's names; eleven experts too."""
    for count in (4, 11):
        compare(call, *facts_of(draw, experts=count), f"for {count} experts:")
