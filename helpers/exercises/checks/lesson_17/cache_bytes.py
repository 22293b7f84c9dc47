"""Exercise 17.1: a cache in bytes."""

from helpers.exercises import expect
from helpers.exercises.checks.lesson_17.shared import pick
from helpers.exercises.exercise import Exercise

cache_bytes = Exercise(
    "17.1",
    "cache_bytes",
    title="A cache in bytes",
    minutes=4,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "How many tokens does one block keep, if it has a window, and if it has none?",
        "One block, one head, D = 1, one token, one text, one byte a number: 2 bytes, one for the "
        "key and one for the value.",
        "Add up min(tokens, window) over the blocks, tokens where the window is None. Multiply by "
        "2, batch, G, D and size.",
    ),
)


def kept(windows: list, tokens: int) -> int:
    """Return the tokens that all blocks together keep of one text."""
    return sum(tokens if window is None else min(tokens, window) for window in windows)


def widest(windows: list, tokens: int) -> int:
    """Return the tokens that the block which keeps most of them keeps."""
    return max((kept([window], tokens) for window in windows), default=0)


def together(windows: list, tokens: int, batch: int) -> int:
    """Return the tokens that are kept if all texts were one."""
    return kept(windows, tokens * batch)


def compare(call, cases: list[tuple], seen: str) -> None:
    """Raise Broken unless every case gets its bytes; slips are known by their name."""
    found = [expect.whole(call(*case), seen) for case in cases]

    def counted(tokens_of, factor=2):
        return [
            factor * tokens_of(windows, tokens) * batch * G * D * size
            for windows, G, D, tokens, batch, size in cases
        ]

    expect.equal(
        found,
        counted(kept),
        seen,
        known=(
            (counted(kept, factor=1), "it counts keys or values, and a cache holds both"),
            (counted(lambda w, t: len(w) * t), "it takes no notice of the windows"),
            (
                counted(lambda w, t: len(w) * widest(w, t)),
                "it takes the widest window for all blocks",
            ),
            (
                [
                    2 * together(windows, tokens, batch) * G * D * size
                    for windows, G, D, tokens, batch, size in cases
                ],
                "a window is held against the tokens of all texts together",
            ),
            (
                counted(lambda w, t: sum(t if x is None or x > t else x - 1 for x in w)),
                "a token sees itself too: a window of W keeps W tokens",
            ),
            (counted(lambda w, t: kept(w[:1], t)), "it counts one block only"),
            (
                counted(lambda w, t: len(w) * min([t, *(x for x in w if x is not None)])),
                "it takes the smallest window for all blocks",
            ),
            (
                counted(lambda w, t: sum(x or t for x in w)),
                "a window is counted whole, although the text is shorter",
            ),
            (
                counted(lambda w, t: sum(0 if x is None else min(t, x) for x in w)),
                "a block without a window is not counted",
            ),
            (
                [right // case[4] for right, case in zip(counted(kept), cases, strict=True)],
                "it counts one text, however many there are",
            ),
        ),
    )


@cache_bytes.property("it gives the bytes of real models")
def real_models(call, draw):
    """Numbers of the lesson's table."""
    for name, case in {
        "Llama-2 7B, 4,096 tokens": ([None] * 32, 32, 128, 4096, 1, 2),
        "Llama-2 70B, 1 token": ([None] * 80, 8, 128, 1, 1, 2),
        "SmolLM2-135M, 8,192 tokens": ([None] * 30, 3, 64, 8192, 1, 2),
    }.items():
        compare(call, [case], f"for {name}, in bytes")


@cache_bytes.property("a block with a window keeps no more than its window")
def windows(call, draw):
    """Mistral, then blocks that differ, with shorter and longer texts."""
    compare(call, [([4096] * 32, 8, 128, 8192, 1, 2)], "for Mistral 7B, 8,192 tokens")
    few = [[7, 3, 7, 1], [3, None, 7], [None, 3, 7, 7], [7, 3, 7]]
    cases = [([3, 7, 5], 2, 4, 20, 3, 2), ([4], 1, 1, 10, 3, 1)]
    compare(call, cases, "for windows [3, 7, 5] and [4], and three texts")
    for tokens in (2, 20, 5, 7, 8, 3):
        cases = [(blocks, 2, 4, tokens, 1, 2) for blocks in few]
        compare(call, cases, f"for windows {few} and {tokens} tokens")


@cache_bytes.property("it counts any sizes, several texts and other numbers of bytes")
def any_sizes(call, draw):
    """Drawn; no two of the factors alike. Then single numbers, and nearly a petabyte."""
    cases = [([3, 6, 4, 5], 2, 5, pick(draw, 7, 40), pick(draw, 7, 9), 4)]
    for _ in range(6):
        blocks = [None if pick(draw, 0, 1) else pick(draw, 2, 30) for _ in range(4)]
        sizes = pick(draw, 2, 3), 5, pick(draw, 6, 40), pick(draw, 7, 9), (1, 4)[pick(draw, 0, 1)]
        cases.append((blocks, *sizes))
    compare(call, cases, f"for {cases[0]} and five more:")
    compare(call, [([], 2, 4, 8, 1, 2), ([None], 2, 4, 0, 1, 2)], "for no block, and for no token")
    compare(call, [([1], 1, 1, 1, 1, 1), ([5], 1, 1, 5, 1, 1)], "for one number of each kind")
    large = [([None] * 79 + [999_999], 7, 129, pick(draw, 900_000, 10**6), 1001, 3)]
    compare(call, large, "for a cache of several hundred tebibytes")
