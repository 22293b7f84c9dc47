"""Exercise 10.2: how long a text fits."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

longest = Exercise(
    "10.2",
    "longest",
    title="How long a text fits",
    minutes=5,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "What does one token of one row cost in bytes? The configuration holds two numbers that "
        "this does not need. Which are they?",
        "Llama 3 8B costs 131,072 bytes a token, Qwen3 4B 147,456. The result, times the bytes of "
        "a token and the number of rows, must fit into the memory, and one token more must not.",
        "a_token = 2 * blocks * kv_heads * head_width * bytes_each, and then "
        "memory // (a_token * batch). Whole-number division never rounds up.",
    ),
)


MODELS = {
    "a small model": (7, 120, 15, 3, 12, 4),  # every known slip gives another number here
    "Llama 3 8B": (32, 4096, 32, 8, 128, 2),
    "Qwen3 4B": (36, 2560, 32, 8, 128, 2),
    "GPT-2 small": (12, 768, 12, 12, 64, 4),
}


KEYS = ("blocks", "width", "heads", "kv_heads", "head_width", "bytes_each")


GIB = 2**30


def a_token(config: dict, **other: int) -> int:
    """Return the bytes of one token; other numbers in place of some make the known slips."""
    config = config | other
    numbers = (config[key] for key in ("blocks", "kv_heads", "head_width", "bytes_each"))
    return config.get("both", 2) * math.prod(numbers)


@longest.property("it is a whole number: one reader of Llama 3 8B has 8,192 tokens in 1 GiB")
def longest_form(call, draw):
    """The example of the lesson."""
    config = dict(zip(KEYS, MODELS["Llama 3 8B"], strict=True))
    found = expect.whole(call(GIB, config, 1), "for Llama 3 8B and 1 GiB")
    expect.equal(found, 8192, "for Llama 3 8B and 1 GiB:", "the example of the lesson is missed")


def compare_longest(found: int, memory: int, config: dict, name: str) -> None:
    """Compare but for the rounding, and name the known slips."""
    group = config["heads"] // config["kv_heads"]
    narrow = config["width"] // config["heads"]
    slips = (
        (a_token(config, both=1), "only keys or only values are counted: a token costs both"),
        (a_token(config, kv_heads=config["heads"]), "the query heads are counted: G is kv_heads"),
        (a_token(config, head_width=narrow), "width / heads is taken for the head width"),
        (a_token(config, kv_heads=group), "the size of a group is taken for the number of groups"),
        (a_token(config, blocks=1), "one block is counted: each block keeps its own"),
        (a_token(config, bytes_each=1), "the bytes of a number are left out"),
        (a_token(config, kv_heads=1), "one key/value head is counted: each keeps its own"),
    )
    expect.equal(
        found,
        memory // a_token(config),
        f"for {name}, {show(config, 110)}, 1 GiB:",
        "this is not the length whose cache fills the memory",
        known=tuple((memory // size, fault) for size, fault in slips),
    )


@longest.property("a token costs what the lesson's formula says, from the entries that count")
def longest_models(call, draw):
    """Real models and drawn ones."""
    configs = {name: dict(zip(KEYS, numbers, strict=True)) for name, numbers in MODELS.items()}
    for number in range(3):
        blocks, groups, shared = torch.randint(2, 7, (3,), generator=draw).tolist()
        numbers = (blocks, 60 * groups * shared, groups * shared, groups, 32, 2)
        configs[f"model {number}"] = dict(zip(KEYS, numbers, strict=True))
    for name, config in configs.items():
        compare_longest(expect.whole(call(GIB, config, 1)), GIB, config, name)


@longest.property("the longest fits, and one token more does not")
def longest_fits(call, draw):
    """Memory around whole numbers of tokens, and less than one token needs."""
    config = dict(zip(KEYS, (2, 24, 4, 2, 6, 4), strict=True))
    for batch, tokens in ((1, 1000), (3, 700)):
        size = a_token(config) * batch
        for extra in (0, 1, size - 1):
            known = [
                (tokens + 1, "it is rounded up, and the last token does not fit"),
                (
                    (tokens * size + extra) // a_token(config),
                    "these are the tokens of all rows together, not of one",
                ),
            ]
            if extra == 0:
                known.append((tokens - 1, "memory that is filled exactly is enough"))
            expect.equal(
                expect.whole(call(tokens * size + extra, config, batch)),
                tokens,
                f"for {tokens * size + extra} bytes, {a_token(config)} a token, batch {batch}:",
                "the length does not fit, or a longer one would",
                known,
                tolerance=0,
            )
    tiny = dict(zip(KEYS, (1, 1, 1, 1, 1, 1), strict=True))
    expect.equal(
        expect.whole(call(2**60 - 1, tiny, 1)),
        2**59 - 1,
        "for 2**60 - 1 bytes, 2 a token:",
        "a large length is off by a little: divide whole numbers with //",
    )
    expect.equal(
        expect.whole(call(a_token(config) - 1, config, 1)),
        0,
        f"for {a_token(config) - 1} bytes, {a_token(config)} a token:",
        "where not even one token fits, the length is 0",
    )


@longest.property("half the key/value heads, twice as long a text")
def longest_half(call, draw):
    """Twice, or twice and one."""
    config = dict(zip(KEYS, MODELS["Qwen3 4B"], strict=True))
    for memory in torch.randint(GIB, 4 * GIB, (3,), generator=draw).tolist():
        whole = expect.whole(call(memory, config, 2))
        half = expect.whole(call(memory, config | {"kv_heads": 4}, 2))
        if half - 2 * whole not in (0, 1):
            raise Broken(
                "with half the key/value heads the length does not double",
                f"{memory} bytes: {whole} tokens with 8 of them, {half} with 4",
            )
