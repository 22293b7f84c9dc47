"""Exercise 19.5: one step of a Llama block with its cache."""

import torch
import torch.nn.functional as F

from helpers.decoder.attention import attention
from helpers.decoder.norms import rms_norm
from helpers.decoder.rotary import Rotary, rotate, rotation
from helpers.exercises import expect
from helpers.exercises.checks.lesson_19.shared import llama_config, llama_weights, normal
from helpers.exercises.exercise import Broken, Exercise

llama_step = Exercise(
    "19.5",
    "llama_step",
    title="One step of a Llama block",
    minutes=30,
    level="challenge",
    points=5,
    hints=(
        "Begin with llama_block of this lesson and T = 1. What does the new token need of the "
        "past, and how does it know where it stands?",
        "With an empty cache the token stands at position 0, where nothing is turned, and "
        "attention gives its own value. Then compare two steps with the lesson's block on two "
        "tokens.",
        "The position is keys.shape[1]. Turn query and key by position * base ** (-2 i / D), in "
        "the halves layout; join the turned key to keys and the plain value to values; query head "
        "h reads keys[h // (H // G)].",
    ),
)

EPS = 1e-5
FAULTS = {
    "position 0": "the new token is not turned by its own position: it stands behind the cache",
    "one too far": "the new token stands one position too far: the first position is 0",
    "query not turned": "the query is not turned",
    "key not turned": "the new key is not turned",
    "value turned": "the value is turned: only queries and keys are",
    "past turned again": "the keys of the cache are turned again: they were turned when they came",
    "other way": "queries and keys are turned the other way round: only the differences are right",
    "pairs": "neighbouring lanes are paired: in this layout lane i goes with lane i + D / 2",
    "fast": "the pairs turn too fast: pair i turns by base ** (-2 i / D)",
    "tiled groups": "query heads read the wrong key/value heads: neighbours share one",
    "no scale": "the scores are not divided by the root of D",
    "share": "the scores are divided by the root of C / H, which need not be D",
    "width": "the scores are divided by the root of C, not of D",
    "no norm": "a part reads the stream without its norm",
    "mean": "the mean is subtracted: this norm is RMSNorm",
    "no weight": "the norms' own weights are left out",
    "no gate": "the gate is missing",
    "gate and widen": "gate and widen have changed places: the gate is what is bent",
    "gelu": "the gate is bent by GELU: this one is SiLU",
    "no first residual": "what attention says replaces the stream",
    "no second residual": "what the feed-forward part says replaces the stream",
    "without itself": "the new token does not look at itself",
}
# in the cache alone, position 0 and no turn at all are the same
KEY_FAULTS = {"key not turned": "the new key joins the cache as it was, and not turned"} | {
    name: words for name, words in FAULTS.items() if name not in ("position 0", "key not turned")
}


def step(x, weights: dict, keys, values, base: float, fault: str = "") -> dict:
    """Return the block's step in float64, with a known fault if one is named."""
    w = {name: value.double() for name, value in weights.items()}
    x, keys, values = x.double(), keys.double(), values.double()
    G, past, D = keys.shape
    H = len(w["attention.query.weight"]) // D

    def norm(name, x):
        weight = w[f"{name}.weight"]
        if fault == "no norm":
            return x
        if fault == "mean":
            x = x - x.mean()
        return rms_norm(x, torch.ones_like(weight) if fault == "no weight" else weight, eps=EPS)

    def turned(x, position):  # [heads, n, D] at one position or several
        layout = "pairs" if fault == "pairs" else "halves"
        by = rotation(position, Rotary(base=base, layout=layout), D)
        if fault == "fast":
            by = rotation(position, Rotary(base=base**0.5, layout=layout), D)
        if fault == "other way":
            by = by._replace(sin=-by.sin)
        return rotate(x[None], by)[0]

    place = torch.tensor([[{"position 0": 0, "one too far": past + 1}.get(fault, past)]])
    read = norm("attention_norm", x)
    query = (w["attention.query.weight"] @ read).view(H, 1, D)
    key = (w["attention.key.weight"] @ read).view(G, 1, D)
    key = key if fault == "key not turned" else turned(key, place)
    value = (w["attention.value.weight"] @ read).view(G, 1, D)
    query = query if fault == "query not turned" else turned(query, place)
    value = turned(value, place) if fault == "value turned" else value
    if fault == "past turned again" and past:
        keys = turned(keys, torch.arange(past)[None])
    keys, values = torch.cat([keys, key], dim=1), torch.cat([values, value], dim=1)
    seen = (keys, values)
    if fault == "without itself" and past:
        seen = (keys[:, :-1], values[:, :-1])
    if fault == "tiled groups":
        seen = tuple(part.repeat(H // G, 1, 1) for part in seen)
    scale = {"no scale": 1.0, "width": len(x) ** -0.5, "share": (H / len(x)) ** 0.5}.get(fault)
    said = attention(query[None], *(part[None] for part in seen), scale=scale)[0]  # [H, 1, D]
    said = w["attention.output.weight"] @ said.flatten()
    x = said if fault == "no first residual" else x + said
    read = norm("feed_forward_norm", x)
    gate, wide = w["feed_forward.gate.weight"] @ read, w["feed_forward.widen.weight"] @ read
    if fault == "gate and widen":
        gate, wide = wide, gate
    bent = F.gelu(gate) if fault == "gelu" else F.silu(gate)
    wide = F.silu(wide) if fault == "no gate" else bent * wide
    thought = w["feed_forward.narrow.weight"] @ wide
    x = thought if fault == "no second residual" else x + thought
    return {"x": x, "keys": keys, "values": values}


def drawn(draw: torch.Generator, C: int, H: int, G: int, D: int, past: int, hidden: int = 10):
    """Return the arguments of one call: x, weights, keys, values, base."""
    base = 50.0
    config = llama_config(C, H, G, hidden, base)
    assert config.D == D
    weights = llama_weights(draw, config)
    return [normal(draw, C), weights, normal(draw, G, past, D), normal(draw, G, past, D), base]


SIZES = ((16, 4, 2, 4, 5), (16, 4, 4, 4, 3), (12, 2, 1, 6, 7))
NAMES = ("x", "keys", "values")


def said(size) -> str:
    """Return the sizes of one call in words."""
    C, H, G, D, past = size
    return f"for C = {C}, H = {H}, G = {G}, D = {D} and {past} tokens in the cache:"


def compare(call, arguments: list, seen: str, names=NAMES) -> None:
    """Compare the named results with the right ones, and the slips by name."""
    G, past, D = arguments[2].shape
    shapes = {"x": arguments[0].shape, "keys": (G, past + 1, D), "values": (G, past + 1, D)}
    found, right = expect.table(call(*arguments), NAMES), step(*arguments)
    for name in names:
        got = expect.tensor(found[name], shapes[name], seen=f"{seen} {name}")
        if expect.close(got, right[name]):
            continue
        faults = KEY_FAULTS if name == "keys" else FAULTS
        slips = [(step(*arguments, fault)[name], words) for fault, words in faults.items()]
        fault = f"{name} is not what the block makes of this token and its past"
        expect.equal(got, right[name], f"{seen} {name}", fault, slips)


@llama_step.property("it returns x [C], and keys and values [G, T + 1, D]")
def form(call, draw):
    """Three sizes, and a block that has seen nothing."""
    for size in (*SIZES, (8, 2, 1, 4, 0)):
        arguments = drawn(draw, *size)
        C, _, G, D, past = size
        found = expect.table(call(*arguments), NAMES)
        expect.tensor(found["x"], (C,), seen=f"{said(size)} x")
        for name in ("keys", "values"):
            expect.tensor(found[name], (G, past + 1, D), seen=f"{said(size)} {name}")


@llama_step.property("the first token of all stands at position 0 and finds itself")
def first_token(call, draw):
    """An empty cache."""
    for size in ((16, 4, 2, 4, 0), (8, 2, 1, 4, 0)):
        compare(call, drawn(draw, *size), said(size))


@llama_step.property("the cache gets the turned key and the plain value, and keeps what it had")
def cache_grows(call, draw):
    """Keys and values alone."""
    for size in SIZES:
        compare(call, drawn(draw, *size), said(size), ("keys", "values"))


@llama_step.property("x is what the block makes of the new token, with all of its past in sight")
def new_state(call, draw):
    """The token's state, and the slips by name."""
    for size in SIZES:
        compare(call, drawn(draw, *size), said(size), ("x",))


@llama_step.property("heads need not be C / H wide, and scores may be large")
def other_widths(call, draw):
    """Twice as wide; then keys a thousand times as long."""
    arguments = drawn(draw, 16, 4, 2, 4, 5)
    x, weights, *_, base = arguments
    for name, shape in (("query", (32, 16)), ("key", (16, 16)), ("value", (16, 16))):
        weights[f"attention.{name}.weight"] = normal(draw, *shape) / 4
    weights["attention.output.weight"] = normal(draw, 16, 32) / 32**0.5
    keys, values = normal(draw, 2, 5, 8), normal(draw, 2, 5, 8)
    compare(call, [x, weights, keys, values, base], said((16, 4, 2, 8, 5)))
    large = [x, weights, 1000 * keys, values, base]
    got = expect.table(call(*large), NAMES)["x"]
    if isinstance(got, torch.Tensor) and not got.isfinite().all():
        raise Broken(
            "exponentials of large scores overflow: take off the maximum first", "large keys"
        )
