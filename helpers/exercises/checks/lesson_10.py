"""Checks of the exercises of lesson 10, the KV cache."""

import itertools
import math
from fractions import Fraction

import torch

from helpers import masks
from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

# -- 10.1

rows_computed = Exercise(
    "10.1",
    "rows_computed",
    title="Rows with and without",
    minutes=2,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "How many passes are there for `new` tokens, and how many tokens does the last pass read? "
        "Is the last new token ever read?",
        "For new = 1 there is one pass, over the prompt, with a cache or without. Each further "
        "token costs one row with a cache, and the whole text so far without.",
        "Pass k, from 0 to new - 1, stands before a text of prompt + k tokens. Without a cache add "
        "them all up. With one it is the prompt once, then new - 1 single rows.",
    ),
)


LAST = "the last new token is counted, and no pass ever reads it"


@rows_computed.property("it is a whole number, and for one new token the prompt's length")
def rows_form(call, draw):
    """One pass."""
    for prompt in (1, 5):
        for cached in (False, True):
            seen = f"for prompt = {prompt}, new = 1, cached = {cached}"
            expect.equal(
                expect.whole(call(prompt, 1, cached), seen),
                prompt,
                f"{seen}:",
                "one new token takes one pass, over the prompt alone, cache or not",
                known=((prompt + 1, LAST),),
            )


@rows_computed.property("without a cache every pass reads the whole text so far")
def rows_without(call, draw):
    """28 for (1, 7), 22 for (4, 4), and drawn ones."""
    for prompt, new in ((4, 4), (1, 7), *lengths(draw)):
        expect.equal(
            expect.whole(call(prompt, new, False)),
            sum(prompt + k for k in range(new)),
            f"for prompt = {prompt}, new = {new}, no cache:",
            "without a cache, pass k reads the prompt and the k tokens written so far",
            known=(
                (prompt + new - 1, "without a cache, only the new rows are counted"),
                (new * prompt, "the text that a pass reads grows, and this one does not"),
                (new * (new + 1) // 2, "the prompt is read again in each pass without a cache"),
                (sum(prompt + k + 1 for k in range(new)), LAST),
            ),
        )


@rows_computed.property("with a cache every row is computed once")
def rows_with(call, draw):
    """7 for (1, 7) and for (4, 4), and drawn ones."""
    for prompt, new in ((4, 4), (1, 7), *lengths(draw)):
        expect.equal(
            expect.whole(call(prompt, new, True)),
            prompt + new - 1,
            f"for prompt = {prompt}, new = {new}, with a cache:",
            "with a cache, the first pass reads the prompt and each further one a single row",
            known=(
                (new, "prefill is forgotten: the prompt goes through too, once"),
                (prompt + new, LAST),
                (sum(prompt + k for k in range(new)), "the cache makes no difference"),
            ),
        )


def lengths(draw: torch.Generator) -> list[list[int]]:
    """Return a few pairs of prompt and new."""
    return torch.randint(2, 40, (4, 2), generator=draw).tolist()


# -- 10.2

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
        f"for {name}, {show(config, 110)}, 1 TiB:",
        "this is not the length whose cache fills the memory",
        known=tuple((memory // size, fault) for size, fault in slips),
    )


@longest.property("a token costs 2 · blocks · kv_heads · head_width · bytes_each")
def longest_models(call, draw):
    """Real models and drawn ones."""
    configs = {name: dict(zip(KEYS, numbers, strict=True)) for name, numbers in MODELS.items()}
    for number in range(3):
        blocks, groups, shared = torch.randint(2, 7, (3,), generator=draw).tolist()
        numbers = (blocks, 60 * groups * shared, groups * shared, groups, 32, 2)
        configs[f"model {number}"] = dict(zip(KEYS, numbers, strict=True))
    for name, config in configs.items():
        compare_longest(expect.whole(call(1024 * GIB, config, 1)), 1024 * GIB, config, name)


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


# -- 10.3

step = Exercise(
    "10.3",
    "step",
    title="Append and attend",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "The new token is the last of the text, and everything in the cache is its past. What does "
        "it look at, and is there anything to hide?",
        "With no past (t = 0) the context must be the value itself. The first t rows of the new "
        "keys must be the old keys, in their order, and the last row the new key.",
        "keys = torch.cat([keys, key[None]]), and values likewise, first. Then "
        "weights = (keys @ query / len(query) ** 0.5).softmax(dim=0), and weights @ values.",
    ),
)


def head_row(query, keys, values, scale=None):
    """Return one context row in float64."""
    query, keys, values = query.double(), keys.double(), values.double()
    scale = len(query) ** -0.5 if scale is None else scale
    return (keys @ query * scale).softmax(0) @ values


def stepped(call, *given: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (context [D], keys [t + 1, D], values [t + 1, D]) of an answer."""
    t, D = given[3].shape
    seen = f"for t = {t}, D = {D}"
    context, keys, values = expect.items(call(*given), 3, seen)
    return (
        expect.tensor(context, (D,), seen=f"context, {seen}"),
        expect.tensor(keys, (t + 1, D), seen=f"keys, {seen}"),
        expect.tensor(values, (t + 1, D), seen=f"values, {seen}"),
    )


def step_inputs(draw: torch.Generator, t: int, D: int) -> list[torch.Tensor]:
    """Return query, key, value [D] and keys, values [t, D]."""
    shapes = ((D,), (D,), (D,), (t, D), (t, D))
    return [torch.randn(shape, generator=draw) for shape in shapes]


@step.property("it gives a context row, and keys and values that are one row longer")
def step_form(call, draw):
    """[D], [t + 1, D], [t + 1, D]."""
    for t, D in ((3, 4), (1, 3), (4, 4)):
        stepped(call, *step_inputs(draw, t, D))


@step.property("the new key and value stand behind the old ones, which stay")
def step_append(call, draw):
    """In order."""
    for t in (1, 4):
        _, key, value, keys, values = given = step_inputs(draw, t, 3)
        _, new_keys, new_values = stepped(call, *given)
        right = torch.cat([keys, key[None]]).double(), torch.cat([values, value[None]]).double()
        if expect.close(new_keys, right[1]) and expect.close(new_values, right[0]):
            raise Broken("keys and values are exchanged", f"for t = {t}")
        for name, found, wanted, row in (
            ("keys", new_keys, right[0], key),
            ("values", new_values, right[1], value),
        ):
            if expect.close(found, wanted):
                continue
            fault = "what is kept is not the old rows and then the new one"
            if expect.close(found[0], row.double()):
                fault = "the newest token stands first: it is the last of the text"
            elif expect.close(found[-1], (value if name == "keys" else key).double()):
                fault = "key and value of the new token are mixed up"
            raise Broken(fault, f"for t = {t}, {name}")


@step.property("the first token, with nothing kept, gets its own value")
def step_first(call, draw):
    """t = 0."""
    query, key, value, keys, values = step_inputs(draw, 0, 4)
    context, new_keys, _ = stepped(call, query, key, value, keys, values)
    if not expect.close(new_keys, key[None].double()):
        raise Broken("with no past, the key that is kept is the new one", "for t = 0")
    expect.equal(
        context,
        value.double(),
        "for t = 0:",
        "with no past, the context is the value",
        known=((torch.zeros(4).double(), "an average over nothing: the token must see itself"),),
    )


@step.property("the context is softmax(q k / sqrt(D)) over past and new, times the values")
def step_context(call, draw):
    """Right values and known slips."""
    for t, D in ((1, 4), (5, 3), (3, 8)):
        query, key, value, keys, values = given = step_inputs(draw, t, D)
        joined = torch.cat([keys, key[None]]), torch.cat([values, value[None]])
        scores = (joined[0].double() @ query.double()) / D**0.5
        expect.equal(
            stepped(call, *given)[0],
            head_row(query, *joined),
            f"for t = {t}, D = {D}:",
            "the context is another row than the head gives",
            known=(
                (head_row(query, keys, values), "the new token does not see itself: append first"),
                (head_row(query, *joined, 1), "the scores are not divided by anything"),
                (head_row(query, *joined, 1 / D), "the scores are divided by D, not by its root"),
                (
                    head_row(query, *joined, (t + 1) ** -0.5),
                    "the scores are divided by the root of the number of keys",
                ),
                (head_row(key, *joined), "the new key asks, in place of the query"),
                (
                    scores @ joined[1].double(),
                    "the weights do not sum to 1: a softmax is missing",
                ),
            ),
        )


@step.property("run over a text, it gives the rows of the causal head")
def step_text(call, draw):
    """Its own keys and values go in again."""
    T, D = 6, 4
    query, key, value = torch.randn(3, T, D, generator=draw)
    keys = values = torch.zeros(0, D)
    for t in range(T):
        context, keys, values = stepped(call, query[t], key[t], value[t], keys, values)
        keys, values = keys.float(), values.float()
        expect.equal(
            context,
            head_row(query[t], key[: t + 1], value[: t + 1]),
            f"at token {t} of a text:",
            "over a text, a row is not that of the causal head",
        )


# -- 10.4

piece_mask = Exercise(
    "10.4",
    "piece_mask",
    title="The mask of a piece",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "The queries are the last tokens of the text, not the first. At which position does the "
        "first query of the piece stand?",
        "With past = 0 it is the causal triangle, and the last row always sees the last key. Cut "
        "16 tokens into 7 + 9: the rows of both pieces, the first ones filled up with False, must "
        "be the mask of the whole text.",
        "query = past + torch.arange(new)[:, None] and key = torch.arange(past + new). A key may "
        "be seen if query - key is at least 0 and, with a window, less than it.",
    ),
)


def piece(call, past: int, new: int, window: int | None) -> torch.Tensor:
    """Return the mask of an answer, boolean [new, past + new]."""
    seen = f"for past = {past}, new = {new}, window = {window}"
    return expect.tensor(call(past, new, window), (new, past + new), "bool", seen)


def grid(mask: torch.Tensor) -> str:
    """Return a mask in few signs, a row between bars."""
    return " | ".join("".join("x" if seen else "." for seen in row) for row in mask.tolist())


def compare_masks(found, past: int, new: int, window: int | None, fault: str) -> None:
    """Compare with the right mask, and name the known slips."""
    distance = past + torch.arange(new)[:, None] - torch.arange(past + new)
    right = distance >= 0
    top_left = torch.ones(new, past + new, dtype=torch.bool).tril()
    slips = [
        (~right, "True must mean: may attend"),
        (distance > 0, "a token does not see itself"),
        (distance <= 0, "the triangle is turned: a token sees the future and not the past"),
        (top_left, "the triangle starts at the first key, and the queries are the last tokens"),
        (right | True, "everything is open: later tokens of the same piece must be hidden"),
        (distance >= -1, "each token sees one that comes after it"),
    ]
    if window is not None:
        unlimited, right = right, right & (distance < window)
        inside = torch.arange(past + new) >= past
        slips = [
            (unlimited, "the window is ignored"),
            (unlimited & (distance <= window), "a row sees one token more than the window"),
            (unlimited & (distance < window - 1), "the window must count the token itself"),
            (distance < window, "the window has no end: later tokens must stay hidden"),
            (
                unlimited & ((distance < window) | ~inside),
                "the window is laid on the new tokens only, and all of the past stays open",
            ),
            *slips,
        ]
    if not torch.equal(found, right):
        fault = next((words for mask, words in slips if torch.equal(found, mask)), fault)
        raise Broken(
            fault,
            f"for past = {past}, new = {new}, window = {window} it gives {grid(found)}, "
            f"right is {grid(right)}",
        )


@piece_mask.property("it is boolean, a row for each new token, a column for each one so far")
def piece_form(call, draw):
    """[new, past + new]."""
    for past, new, window in ((2, 4, None), (0, 3, None), (5, 1, None), (3, 2, 2)):
        piece(call, past, new, window)


@piece_mask.property("without a past it is the causal triangle")
def piece_no_past(call, draw):
    """past = 0."""
    for new in (4, 1):
        compare_masks(piece(call, 0, new, None), 0, new, None, "it is not the causal triangle")


@piece_mask.property("behind a past, a row sees all of it and the new tokens up to itself")
def piece_past(call, draw):
    """Also for one new token, which sees all."""
    for past, new in ((5, 1), (2, 4), (3, 2), (1, 3)):
        fault = "a row sees too much or too little behind a past"
        compare_masks(piece(call, past, new, None), past, new, None, fault)


@piece_mask.property("with a window of W, a row sees the last W tokens, itself among them")
def piece_window(call, draw):
    """W = 1, W beyond the text, and between."""
    for past, new, window in ((4, 3, 2), (0, 6, 4), (5, 2, 1), (2, 3, 9), (6, 1, 4)):
        fault = "a row does not see the last W tokens"
        compare_masks(piece(call, past, new, window), past, new, window, fault)


@piece_mask.property("the pieces of a text, put together, are the mask of the whole text")
def piece_pieces(call, draw):
    """16 tokens as 7 + 9, 1 + 15, 15 + 1, one by one, and as drawn."""
    cut = int(torch.randint(2, 15, (), generator=draw))
    for pieces in ([7, 9], [1, 15], [15, 1], [1] * 16, [cut, 16 - cut]):
        for window in (None, 4):
            whole = masks.causal(16) if window is None else masks.window(16, width=window)
            past = 0
            for new in pieces:
                found = piece(call, past, new, window)
                if not torch.equal(found, whole[past : past + new, : past + new]):
                    raise Broken(
                        "put together, the pieces are not the mask of the whole text",
                        f"16 tokens as {' + '.join(map(str, pieces))}, window {window}, "
                        f"piece that begins at {past}",
                    )
                past += new


# -- 10.5

saving = Exercise(
    "10.5",
    "saving",
    title="When attention takes over",
    minutes=15,
    level="hard",
    points=3,
    imports=(),
    hints=(
        "Write down four counts for one block: rows and pairs, without and with a cache. A row "
        "costs 12 C², a pair 2 C. Why does the number of blocks not matter?",
        "For T = 1 the ratio is 1. For a very wide model it comes close to (T + 1) / 2, for a very "
        "long text close to (2T + 1) / 3. It is a mean of the two, weighted with the cached work: "
        "where do 12 C² · T and 2 C · T (T + 1) / 2 weigh the same?",
        "plain = 12 * C**2 * T * (T + 1) // 2 + 2 * C * (T * (T + 1) * (2 * T + 1) // 6), "
        "cached = 12 * C**2 * T + 2 * C * (T * (T + 1) // 2), then "
        "ratio = Fraction(plain, cached), and its numerator and denominator.",
    ),
)


def work(rows: int, pairs: int, C: int, row: int = 12, pair: int = 2) -> int:
    """Return the multiply-adds of one block."""
    return row * C * C * rows + pair * C * pairs


def counts(T: int) -> tuple[int, int, int, int]:
    """Return rows and pairs without a cache, then with one, counted pass by pass."""
    passes = range(1, T + 1)
    return sum(passes), sum(t * t for t in passes), T, sum(passes)


def ratio(call, T: int, C: int) -> Fraction:
    """Return the fraction of an answer; WrongForm or Broken if it is none."""
    seen = f"for T = {T}, C = {C}"
    top, bottom = expect.wholes(call(T, C), 2, seen)
    if bottom <= 0:
        raise Broken("the denominator must be above 0", f"{seen} it gives {[top, bottom]}")
    return Fraction(top, bottom)


def right_ratio(T: int, C: int) -> Fraction:
    """Return the fraction of the counts."""
    rows, pairs, rows_cached, pairs_cached = counts(T)
    return Fraction(work(rows, pairs, C), work(rows_cached, pairs_cached, C))


def drawn_widths(draw: torch.Generator) -> list[list[int]]:
    """Return pairs of T and C."""
    return torch.randint(2, 60, (4, 2), generator=draw).tolist()


@saving.property("it is a fraction in lowest terms, and [1, 1] for one token")
def saving_form(call, draw):
    """T = 1: nothing to save."""
    for C in (1, 32):
        found = ratio(call, 1, C)
        if found != 1:
            raise Broken("with one token to write there is nothing to save", f"C = {C}: {found}")
    for T, C in ((1, 32), (9, 32), (3, 1)):
        top, bottom = expect.wholes(call(T, C), 2)
        if math.gcd(top, bottom) != 1:
            raise Broken(
                "the fraction is not in lowest terms", f"T = {T}, C = {C}: {[top, bottom]}"
            )


@saving.property("it stays between (T+1)/2 and (2T+1)/3")
def saving_range(call, draw):
    """The two ratios of the table."""
    for T, C in ((2, 1), (9, 32), (500, 4), *drawn_widths(draw)):
        found = ratio(call, T, C)
        low, high = Fraction(T + 1, 2), Fraction(2 * T + 1, 3)
        if not low < found < high:
            fault = "the saving is too small" if found < low else "the saving is too large"
            if found in (low, high):
                fault = "the saving lies on the edge: matrix and attention work both count"
            raise Broken(
                fault,
                f"T = {T}, C = {C}: {float(found):.4g} is not between {float(low):.4g} and "
                f"{float(high):.4g}",
            )


@saving.property("for a longer text than one token, it falls as C grows")
def saving_falls(call, draw):
    """Wider models are nearer to (T+1)/2."""
    for T in (2, 40):
        found = [ratio(call, T, C) for C in (1, 8, 64, 512)]
        if any(a <= b for a, b in itertools.pairwise(found)):
            raise Broken(
                "a wider model does more matrix work for each pair, so it must save less",
                f"T = {T}, C = 1, 8, 64, 512: {show([float(f) for f in found])}",
            )


@saving.property("it is the work without a cache over the work with one")
def saving_values(call, draw):
    """The exact fraction, and the usual slips."""
    for T, C in ((2, 3), (7, 4), *drawn_widths(draw)):
        rows, pairs, _, pairs_cached = counts(T)
        right = right_ratio(T, C)
        visible = sum(t * (t + 1) // 2 for t in range(1, T + 1))

        def slip(row=12, pair=2, pairs=pairs, pairs_cached=pairs_cached, T=T, C=C, rows=rows):
            plain = work(rows, pairs, C, row, pair)
            return Fraction(plain, work(T, pairs_cached, C, row, pair))

        known = (
            (1 / right, "the fraction stands on its head: what is saved is more than 1"),
            (slip(row=4), "a row costs 12 C²: the feed-forward part is missing"),
            (slip(row=8), "a row costs 12 C²: the four C × C projections are missing"),
            (slip(pair=1), "a pair costs 2 C: once for the score, once for the average"),
            (slip(pairs=visible), "without a cache the hidden half of the scores is computed too"),
            (slip(pairs_cached=T * T), "with a cache, query t has t keys, not T"),
            (slip(row=12 * C, pair=2 * C), "a pair costs 2 C, not 2 C²"),
            (
                (Fraction(T + 1, 2) + Fraction(2 * T + 1, 3)) / 2,
                "the two ratios are averaged: their weights are the work, which depends on C",
            ),
        )
        found = ratio(call, T, C)
        if found != right:
            fault = "this is another ratio than that of the counts"
            fault = next((sentence for value, sentence in known if found == value), fault)
            raise Broken(fault, f"for T = {T}, C = {C} it gives {found}, right is {right}")


@saving.property("it is exactly halfway for one length, which depends on C")
def saving_halfway(call, draw):
    """At T = 12 C - 1 both kinds of cached work are equal."""
    for C in (1, 4):
        T = 12 * C - 1
        halfway = (Fraction(T + 1, 2) + Fraction(2 * T + 1, 3)) / 2
        found = ratio(call, T, C)
        if found != halfway:
            raise Broken(
                "where both kinds of cached work are equal, it must be halfway between the two",
                f"T = {T}, C = {C}: {found}, right is {halfway}",
            )


# -- 10.6

ring_attention = Exercise(
    "10.6",
    "ring_attention",
    title="The ring",
    minutes=30,
    level="challenge",
    points=5,
    hints=(
        "Write token by token, as in the cache by hand, but into W places that exist from the "
        "start. Which place is the oldest when all are full? And which are filled before that?",
        "With W = 1 each row is its own value. With W of T or more it is the causal head. For "
        "T = 6 and W = 4 the ring holds the keys 4, 5, 2, 3 at the end. A place that was never "
        "filled must get no weight: a key of zeros has the score 0, and that is not nothing.",
        "keys, values = torch.zeros(2, W, D). For each t: keys[t % W], values[t % W] = key[t], "
        "value[t]; filled = min(t + 1, W); then softmax(keys[:filled] @ query[t] / D ** 0.5) over "
        "the filled places, times values[:filled]. Return torch.stack(rows), keys.",
    ),
)


def ring(call, query, key, value, W: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (context [T, D], keys [W, D]) of an answer."""
    T, D = query.shape
    seen = f"for T = {T}, D = {D}, W = {W}"
    context, keys = expect.items(call(query, key, value, W), 2, seen)
    return (
        expect.tensor(context, (T, D), seen=f"context, {seen}"),
        expect.tensor(keys, (W, D), seen=f"keys, {seen}"),
    )


def windowed(query, key, value, first, empty=None) -> torch.Tensor:
    """Return rows in float64: row t sees the keys first(t) to t, and empty(t) keys of zeros."""
    rows = []
    for t in range(len(query)):
        zeros = torch.zeros(empty(t) if empty else 0, query.shape[1])
        keys = torch.cat([key[max(first(t), 0) : t + 1], zeros])
        values = torch.cat([value[max(first(t), 0) : t + 1], zeros])
        rows.append(head_row(query[t], keys, values))
    return torch.stack(rows)


@ring_attention.property("it gives a context row for each token, and the W keys of the ring")
def ring_form(call, draw):
    """[T, D] and [W, D]."""
    for T, D, W in ((5, 3, 2), (1, 2, 1), (3, 4, 6)):
        ring(call, *torch.randn(3, T, D, generator=draw), W)


@ring_attention.property("token t is written into place t modulo W, over the oldest")
def ring_places(call, draw):
    """What the ring holds at the end."""
    for T, W in ((6, 4), (7, 3), (4, 4), (3, 5), (5, 1)):
        query, key, value = torch.randn(3, T, 3, generator=draw)
        right, shifted, first = (torch.zeros(W, 3).double() for _ in range(3))
        for t in range(T):
            right[t % W] = key[t]
            shifted[(t + 1) % W] = key[t]
            if t < W:
                first[t] = key[t]
        in_order = torch.cat([torch.zeros(W, 3), key])[-W:].double()
        left = torch.cat([key[max(T - W, 0) :], torch.zeros(max(W - T, 0), 3)]).double()
        found = ring(call, query, key, value, W)[1]
        if not expect.close(found, right):
            known = (
                (shifted, "each token is written one place too far: token 0 goes into place 0"),
                (first, "the first W tokens stay, and nothing is written over"),
                (in_order, "the last W keys stand in order: a ring does not move what it holds"),
                (left, "the last W keys stand in order: a ring does not move what it holds"),
            )
            fault = "a place of the ring holds another key than it should"
            fault = next((words for keys, words in known if expect.close(found, keys)), fault)
            raise Broken(
                fault,
                f"T = {T}, W = {W}: it ends with the keys of tokens {names(found, key)}, "
                f"right are {names(right, key)}",
            )


def names(keys: torch.Tensor, key: torch.Tensor) -> str:
    """Return which token each key of a ring belongs to; - is a place of zeros."""
    found = []
    for row in keys:
        tokens = [str(t) for t in range(len(key)) if expect.close(row, key[t].double())]
        found.append(tokens[0] if tokens else "?" if row.any() else "-")
    return ", ".join(found)


@ring_attention.property("it equals attention with a window of W, for every W")
def ring_window(call, draw):
    """W from 1 to T + 3."""
    T, D = 6, 3
    query, key, value = torch.randn(3, T, D, generator=draw)
    for W in range(1, T + 4):
        found = ring(call, query, key, value, W)[0]
        right = windowed(query, key, value, lambda t, W=W: t - W + 1)
        if not expect.close(found, right):
            known = (
                (
                    windowed(query, key, value, lambda t: 0),
                    "old tokens are never left behind: a row sees the whole past",
                ),
                (
                    windowed(query, key, value, lambda t, W=W: t - W),
                    "a row sees W + 1 tokens: the token itself is one of the W",
                ),
                (
                    windowed(query, key, value, lambda t, W=W: min(t, t - W + 2)),
                    "a row sees only W - 1 tokens",
                ),
                (
                    windowed(
                        query,
                        key,
                        value,
                        lambda t, W=W: t - W + 1,
                        lambda t, W=W: max(W - 1 - t, 0),
                    ),
                    "places that were never filled get weight: a score of 0 is not nothing",
                ),
                (
                    windowed(query * D**0.5, key, value, lambda t, W=W: t - W + 1),
                    "the scores are not divided by anything",
                ),
            )
            fault = "a row is not the average over the last W tokens"
            fault = next((words for rows, words in known if expect.close(found, rows)), fault)
            row = next(t for t in range(T) if not expect.close(found[t], right[t]))
            raise Broken(
                fault,
                f"T = {T}, W = {W}: row {row} of the context is {show(found[row])}, "
                f"right is {show(right[row])}",
            )


@ring_attention.property("each token sees itself")
def ring_itself(call, draw):
    """Change a value; the token's own row must move."""
    query, key, value = torch.randn(3, 5, 3, generator=draw)
    for W in (1, 3):
        before = ring(call, query, key, value, W)[0]
        for t in range(5):
            other = value.clone()
            other[t] += 1
            after = ring(call, query, key, other, W)[0]
            if expect.close(after[t], before[t]):
                fault = "a token does not see itself: write first, then look into the ring"
                if t >= W:
                    fault = "a token does not see itself once the ring is full"
                raise Broken(
                    fault,
                    f"W = {W}: row {t} stayed when value {t} was changed",
                )


@ring_attention.property("what was written over leaves no trace")
def ring_trace(call, draw):
    """NaN in the first token: later rows are clean as soon as it has left the ring."""
    for T, W in ((6, 3), (4, 1)):
        query, key, value = torch.randn(3, T, 2, generator=draw)
        clean = ring(call, query, key, value, W)[0]
        right = expect.close(clean, windowed(query, key, value, lambda t, W=W: t - W + 1))
        key[0] = value[0] = float("nan")
        context = expect.items(call(query, key, value, W), 2)[0]
        if not isinstance(context, torch.Tensor) or context.shape != clean.shape:
            raise Broken("with other numbers the context has another form", f"T = {T}, W = {W}")
        if context[W:].isnan().any():
            fault = "a row still looks at a token that the ring has lost"
            if right:
                fault = (
                    "a token that has left the window still spoils later rows: hold only W values, "
                    "and hide nothing by a weight of 0"
                )
            raise Broken(fault, f"T = {T}, W = {W}, NaN in token 0: a row from {W} on holds NaN")


EXERCISES = (rows_computed, longest, step, piece_mask, saving, ring_attention)
