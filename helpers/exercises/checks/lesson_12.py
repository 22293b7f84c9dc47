"""Checks of the exercises of lesson 12, cross-attention."""

import math
import operator
from collections import Counter

import torch

from helpers import masks
from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.exercises.plain import show


def whole_between(draw: torch.Generator, low: int, high: int) -> int:
    """Return a whole number from low to high, both included."""
    return int(torch.randint(low, high + 1, (), generator=draw))


# -- 12.1

cross_shapes = Exercise(
    "12.1",
    "cross_shapes",
    title="Shapes",
    minutes=2,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "The cell of the first section prints two of the four, and a comment in it has the shape "
        "of the key. The query is made like the key, from the other sequence.",
        "With Tq = Tk you must get the shapes of self-attention. Change Tk alone: the output must "
        "stay, since it follows the queries. Only one of the four shapes depends on both lengths.",
        "Each head has D = C // H columns: query [B, H, Tq, D], key [B, H, Tk, D]. A weight for "
        "each pair: [B, H, Tq, Tk]. With the heads side by side again, the output is [B, Tq, C].",
    ),
)
PARTS = ("query", "key", "weights", "output")


def right_shapes(B: int, Tq: int, Tk: int, C: int, H: int) -> dict:
    """Return the four shapes."""
    return {
        "query": [B, H, Tq, C // H],
        "key": [B, H, Tk, C // H],
        "weights": [B, H, Tq, Tk],
        "output": [B, Tq, C],
    }


def shapes_of(call, sizes: tuple) -> dict:
    """Return what the answer gives, as a dict of lists of whole numbers."""
    seen = "for B, Tq, Tk, C, H = " + ", ".join(map(str, sizes))
    table = expect.table(call(*sizes), PARTS, seen)
    return {name: expect.wholes(table[name], seen=f"{seen}, {name}") for name in PARTS}


@cross_shapes.property("it has four shapes, each a list of whole numbers")
def shapes_form(call, draw):
    """Heads split in three of them, merged in the output."""
    found = shapes_of(call, (2, 3, 7, 20, 5))
    for name in PARTS:
        axes = 3 if name == "output" else 4
        if len(found[name]) != axes:
            raise Broken(
                "the heads are merged again in the output: it has three axes"
                if name == "output"
                else "query, key and weights have an axis for the heads: four axes",
                f"{name} is {found[name]}",
            )


@cross_shapes.property("with a source as long as the text they are those of self-attention")
def shapes_of_self_attention(call, draw):
    """Equal lengths forgive every mix-up of the two."""
    for T in (1, whole_between(draw, 2, 9)):
        sizes = (3, T, T, 24, 4)
        found, right = shapes_of(call, sizes), right_shapes(*sizes)
        for name in PARTS:
            expect.equal(
                found[name],
                right[name],
                f"{name} for B, Tq, Tk, C, H = {sizes}:",
                fault="with equal lengths it does not give the shapes of self-attention",
                known=(
                    ([3, 4, T, 24], "the heads share the width: each has C // H columns"),
                    ([3, T, 4, 6], "the axis of the heads comes before that of the rows"),
                ),
            )


@cross_shapes.property("queries and output follow the text, keys the source, weights both")
def shapes_follow(call, draw):
    """Unequal lengths, both ways."""
    square = "the weights are a square only when both lengths are the same"
    for Tq, Tk in ((3, 8), (9, 2)):
        sizes = (whole_between(draw, 4, 6), Tq, Tk, 24, 4)
        found, right = shapes_of(call, sizes), right_shapes(*sizes)
        other = right_shapes(sizes[0], Tk, Tq, 24, 4)
        for name, sentence in (
            ("query", "the queries come from the text, not from the source"),
            ("key", "the keys come from the source, not from the text"),
            ("weights", "the weights have a row for each query and a column for each key"),
            ("output", "the output has a row for each query, however long the source is"),
        ):
            expect.equal(
                found[name],
                right[name],
                f"{name} for B, Tq, Tk, C, H = {sizes}:",
                fault="a shape is not the one asked for",
                known=(
                    (other[name], sentence),
                    ([*right["weights"][:2], Tq, Tq], square),
                    ([*right["weights"][:2], Tk, Tk], square),
                ),
            )


# -- 12.2

cross_attend = Exercise(
    "12.2",
    "cross_attend",
    title="Cross-attention from scratch",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "Take the unmasked head of lesson 03. At which two places does x become source?",
        "With a source of one row every softmax has one entry, 1, so every output row must be "
        "that row's value. And shuffling the source's rows must change nothing.",
        "query = x @ Wq, key = source @ Wk, value = source @ Wv. Then softmax over the keys "
        "(dim=-1) of query @ key.T divided by the root of the query's width, times value.",
    ),
)


OVER_QUERIES = "the softmax runs over the queries: each row must sum to 1 over the keys"


def two_sequences(draw: torch.Generator, Tq: int, Tk: int, C: int, D: int, Dv: int) -> list:
    """Return x [Tq, C], source [Tk, C], Wq and Wk [C, D], Wv [C, Dv]."""
    shapes = ((Tq, C), (Tk, C), (C, D), (C, D), (C, Dv))
    return [torch.randn(shape, generator=draw) for shape in shapes]


def attended(arguments: list, scale: float, hidden=None, axis: int = -1) -> torch.Tensor:
    """Return cross-attention in float64, with what may be done wrongly."""
    x, source, Wq, Wk, Wv = (argument.double() for argument in arguments)
    scores = (x @ Wq) @ (source @ Wk).T * scale
    if hidden is not None:
        scores = scores.masked_fill(hidden, float("-inf"))
    return scores.softmax(axis) @ (source @ Wv)


@cross_attend.property("it has one row of values for each row of x, however long the source is")
def attend_form(call, draw):
    """[Tq, C], [Tk, C] -> [Tq, Dv]."""
    for Tq, Tk in ((4, 7), (6, 2), (1, 3)):
        seen = f"for Tq = {Tq}, Tk = {Tk}, Dv = 2"
        got = call(*two_sequences(draw, Tq, Tk, 3, 3, 2))
        if isinstance(got, torch.Tensor) and list(got.shape) == [Tk, 2]:
            raise WrongForm("it has a row for each row of the source: x must ask", seen)
        expect.tensor(got, (Tq, 2), seen=seen)


@cross_attend.property("with a source of one row, every row is that row's value")
def attend_one_row(call, draw):
    """Whatever is asked."""
    arguments = two_sequences(draw, 4, 1, 3, 3, 2)
    right = (arguments[1].double() @ arguments[4].double()).expand(4, 2)
    own = (arguments[0].double() @ arguments[4].double()).expand(4, 2)
    expect.equal(
        expect.tensor(call(*arguments), (4, 2)),
        right,
        "for Tq = 4, Tk = 1:",
        fault="with one row to look at it gives something else than that row's value",
        known=(
            (own, "the values come from x, and they must come from the source"),
            (attended(arguments, 3**-0.5, axis=0), OVER_QUERIES),
        ),
    )


@cross_attend.property("every row looks at every row of the source, in whatever order they stand")
def attend_sees_all(call, draw):
    """No mask towards the source, and no places."""
    x, source, *weights = two_sequences(draw, 4, 6, 3, 3, 2)
    x = x / 4  # so that no weight is too small to be noticed
    plain = expect.tensor(call(x, source, *weights), (4, 2))
    for changed in range(6):
        other = source.clone()
        other[changed] += 1
        after = expect.tensor(call(x, other, *weights), (4, 2))
        still = ((after - plain).abs() < 1e-6).all(dim=1)
        seen = f"for Tq = 4, Tk = 6 and source row {changed}"
        if still.all():
            raise Broken("no row notices a row of the source", seen)
        if still.any():
            raise Broken(
                "some rows notice a row of the source and others do not: hide nothing there",
                f"{seen}, row {int(still.nonzero()[0])} does not",
            )
    for turn in (1, 2, 5):
        other = expect.tensor(call(x, source.roll(turn, 0), *weights), (4, 2))
        if not expect.close(other, plain):
            raise Broken(
                "it changes when the source's rows are shuffled: to attention they are a bag",
                f"for Tq = 4, Tk = 6, the source rolled by {turn}",
            )


@cross_attend.property("shuffling the rows of x shuffles the result in the same way")
def attend_shuffled(call, draw):
    """Each row asks for itself."""
    x, source, *weights = two_sequences(draw, 4, 6, 3, 3, 2)
    plain = expect.tensor(call(x, source, *weights), (4, 2))
    for turn in (1, 2, 3):
        other = expect.tensor(call(x.roll(turn, 0), source, *weights), (4, 2))
        if not expect.close(other, plain.roll(turn, 0)):
            raise Broken(
                "the rows of the result do not follow the rows of x when those are shuffled",
                f"for Tq = 4, Tk = 6, x rolled by {turn}",
            )


@cross_attend.property("the weights are softmax(q k / sqrt(width of q)), the result their average")
def attend_values(call, draw):
    """Compare with the formula, and name the known slips; also where source = x."""
    for Tq, Tk, C, D in ((4, 5, 3, 2), (3, 7, 4, 8), (5, 5, 4, 3)):
        arguments = two_sequences(draw, Tq, Tk, C, D, 3)
        if Tq == Tk:
            arguments[1] = arguments[0].clone()
        right = attended(arguments, D**-0.5)
        expect.equal(
            expect.tensor(call(*arguments), (Tq, 3)),
            right,
            f"for Tq = {Tq}, Tk = {Tk}, C = {C}, D = {D}{', source = x' * (Tq == Tk)}:",
            known=(
                (attended(arguments, 1), "the scores are not divided by anything"),
                (
                    attended(arguments, C**-0.5),
                    "the scores are divided by the root of the width of x",
                ),
                (attended(arguments, 1 / D), "the scores are divided by the width, not its root"),
                (
                    attended(arguments, D**-0.5, axis=0),
                    OVER_QUERIES,
                ),
            ),
        )


# -- 12.3

floor_of = Exercise(
    "12.3",
    "floor_of",
    title="What could be known",
    minutes=10,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "The best a reader can do after a sight is to bet by the shares of what follows it. What "
        "does one case cost, if its share is p?",
        "Two cases with one sight and two outcomes cost ln 2 each, so the mean is ln 2 too. If "
        "every sight is another one, nothing is left to guess: 0.",
        "Count the sights and the pairs with two Counters (a pair as a tuple, since a list is no "
        "key). A pair that occurs n times adds n * math.log(count of its sight / n). Divide the "
        "sum by the number of cases.",
    ),
)


def exact_floor(cases: list) -> float:
    """Return the best loss in nats a case."""
    sights, pairs = Counter(seen for seen, _ in cases), Counter(map(tuple, cases))
    return sum(n * math.log(sights[seen] / n) for (seen, _), n in pairs.items()) / len(cases)


def some_cases(draw: torch.Generator, count: int) -> list:
    """Return cases in which some sights are frequent, and some outcomes too."""
    cases = []
    for _ in range(count):
        sight = min(whole_between(draw, 0, 3), whole_between(draw, 0, 3))
        outcome = min(whole_between(draw, 0, sight + 1), whole_between(draw, 0, 2))
        cases.append([f"sight {sight}", ["plus", "circle", "small"][outcome]])
    return cases


@floor_of.property("it is one number, 0 or more, also for a single case")
def floor_form(call, draw):
    """A single case, and more."""
    for cases in ([["a", "plus"]], some_cases(draw, 12)):
        seen = f"for {show(cases)}"
        if expect.number(call(cases), seen) < -1e-9:
            raise Broken("it is below 0, which no loss can be", seen)


@floor_of.property("it is 0 if a sight is always followed by the same thing")
def floor_certain(call, draw):
    """Nothing to guess, though several things follow in all."""
    cases = [["a", "plus"], ["b", "circle"], ["a", "plus"], ["c", "circle"], ["a", "plus"]]
    got = expect.number(call(cases))
    outcomes = exact_floor([["", outcome] for _, outcome in cases])
    expect.equal(
        got,
        0.0,
        f"for {show(cases)}",
        fault="where every sight has one outcome nothing is left to guess, so it must be 0",
        known=((outcomes, "what was seen is not used: count the outcomes of each sight apart"),),
    )


@floor_of.property("it is ln 2 for one sight followed by two things equally often")
def floor_coin(call, draw):
    """One coin toss, in nats."""
    for times in (1, whole_between(draw, 2, 5)):
        cases = [["a", "plus"], ["a", "circle"]] * times
        expect.equal(
            expect.number(call(cases)),
            math.log(2),
            f"for one sight with {times} of each of two outcomes",
            fault="a fair coin must cost ln 2 a case",
            known=(
                (1.0, "it counts in bits: nats take the natural logarithm"),
                (2 * times * math.log(2), "it is the sum over all cases, not the mean"),
            ),
        )


@floor_of.property("it never rises when the sights say more")
def floor_falls(call, draw):
    """Split sights by a second fact; the floor falls or stays."""
    for _ in range(4):
        cases = some_cases(draw, 16)
        before = expect.number(call(cases))
        finer = [[f"{seen}, {whole_between(draw, 0, 1)}", outcome] for seen, outcome in cases]
        after = expect.number(call(finer))
        if after > before + 1e-9:
            raise Broken(
                "it rises when the sights say more",
                f"16 cases, from {before:.4g} to {after:.4g} with one more fact in each sight",
            )


@floor_of.property("each case counts as much as any other")
def floor_values(call, draw):
    """Compare, and name the known slips."""
    for count in (15, 24):
        cases = [*some_cases(draw, count), ["rare", "plus"], ["rare", "circle"]]
        cases += [["often", "plus"]] * 6 + [["often", "circle"]] * 2
        sights = Counter(seen for seen, _ in cases)
        pairs = Counter(map(tuple, cases))
        every = len(cases)
        of_sights = [exact_floor([case for case in cases if case[0] == seen]) for seen in sights]
        surest = [
            math.log(sights[seen] / max(n for (s, _), n in pairs.items() if s == seen))
            for seen, _ in cases
        ]
        expect.equal(
            expect.number(call(cases)),
            exact_floor(cases),
            f"for {every} cases of {len(sights)} sights",
            fault="it is not the mean loss of who bets by the shares",
            known=(
                (
                    exact_floor([["", outcome] for _, outcome in cases]),
                    "what was seen is not used: count the outcomes of each sight apart",
                ),
                (
                    sum(of_sights) / len(of_sights),
                    "each sight counts as much as any other, however rare it is",
                ),
                (
                    exact_floor([list(pair) for pair in pairs]),
                    "equal cases are counted once",
                ),
                (
                    exact_floor([[outcome, seen] for seen, outcome in cases]),
                    "it asks how well the sight is known from what followed",
                ),
                (
                    sum(n * math.log(every / n) for n in pairs.values()) / every,
                    "the sight itself is guessed too: it is given",
                ),
                (
                    sum(math.log(sights[seen] / n) for (seen, _), n in pairs.items()) / len(pairs),
                    "each kind of case counts once, however often it occurs",
                ),
                (sum(surest) / every, "only the likeliest outcome of each sight is counted"),
            ),
        )


# -- 12.4

cheapest_split = Exercise(
    "12.4",
    "cheapest_split",
    title="The cheapest split",
    minutes=15,
    level="hard",
    points=3,
    imports=(),
    hints=(
        "How does the total change when one block moves from the encoder to the decoder? Does "
        "that depend on how many have moved already?",
        "For S much larger than N you must get one encoder block, for N much larger than S one "
        "decoder block. With two blocks there is only [1, 1].",
        "One encoder block: S * 12 * C**2 + S * S * 2 * C. One decoder block: memory S * 2 * C**2, "
        "rows N * 14 * C**2 (two more projections than in an encoder), pairs "
        "(N * (N + 1) // 2 + N * S) * 2 * C. The side whose block costs more gets one.",
    ),
)


def encoder_block(S: int, N: int, C: int) -> int:
    """Return the multiply-adds of one encoder block."""
    return S * 12 * C**2 + S * S * 2 * C


def decoder_block(S: int, N: int, C: int, rows=14, memory=2, pairs=None) -> int:
    """Return those of one decoder block, with what may be counted wrongly."""
    pairs = N * (N + 1) // 2 + N * S if pairs is None else pairs
    return S * memory * C**2 + N * rows * C**2 + pairs * 2 * C


MISCOUNTS = {  # what is wrong -> (one encoder block, one decoder block)
    "the longer sequence alone does not decide: count the work": lambda S, N, C: (S, N),
    "the memory of each decoder block is left out: keys and values of S rows": lambda S, N, C: (
        encoder_block(S, N, C),
        decoder_block(S, N, C, memory=0),
    ),
    "the query and output of cross-attention are left out": lambda S, N, C: (
        encoder_block(S, N, C),
        decoder_block(S, N, C, rows=12),
    ),
    "the memory is made anew for each word, and once is enough": lambda S, N, C: (
        encoder_block(S, N, C),
        decoder_block(S, N, C, memory=2 * N),
    ),
    "the words' pairs with the source are left out": lambda S, N, C: (
        encoder_block(S, N, C),
        decoder_block(S, N, C, pairs=N * (N + 1) // 2),
    ),
    "with a cache word i looks at i words: N (N + 1) / 2 pairs, not N squared": lambda S, N, C: (
        encoder_block(S, N, C),
        decoder_block(S, N, C, pairs=N * N + N * S),
    ),
    "attention is left out": lambda S, N, C: (
        S * 12 * C**2,
        S * 2 * C**2 + N * 14 * C**2,
    ),
    "every source row looks at every other: S squared pairs": lambda S, N, C: (
        S * 12 * C**2 + S * (S + 1) // 2 * 2 * C,
        decoder_block(S, N, C),
    ),
    "without a cache the whole text passes at each word, and here there is one": lambda S, N, C: (
        encoder_block(S, N, C),
        S * 2 * C**2
        + N * (N + 1) // 2 * 14 * C**2
        + (N * (N + 1) * (2 * N + 1) // 6 + N * (N + 1) // 2 * S) * 2 * C,
    ),
}


def right_blocks(S: int, N: int, C: int) -> tuple[int, int]:
    """Return the multiply-adds of one encoder block and of one decoder block."""
    return encoder_block(S, N, C), decoder_block(S, N, C)


# S, N, C at which a block costs the same on either side
TIES = ((25, 18, 4), (99, 72, 5), (107, 78, 2))


def choice(blocks: int, costs: tuple) -> list[int]:
    """Return the split, one encoder block at a tie."""
    return [1, blocks - 1] if costs[0] >= costs[1] else [blocks - 1, 1]


def border(costs, S: int, C: int) -> int:
    """Return the smallest N for which a decoder block costs more than an encoder block."""
    low, high = 0, 1
    while costs(S, high, C)[0] >= costs(S, high, C)[1]:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if costs(S, middle, C)[0] >= costs(S, middle, C)[1]:
            low = middle
        else:
            high = middle
    return high


@cheapest_split.property("it is a pair of whole numbers, each 1 or more, together all blocks")
def split_form(call, draw):
    """Two blocks and more."""
    for blocks in (2, 3, 12):
        for S, N in ((40, 5), (5, 40)):
            seen = f"for blocks = {blocks}, S = {S}, N = {N}, C = 8"
            found = expect.wholes(call(blocks, S, N, 8), 2, seen)
            if min(found) < 1:
                raise WrongForm("one side has no block, and each needs at least one", seen)
            if sum(found) != blocks:
                raise WrongForm("the two do not add up to all blocks", f"{seen} it gives {found}")


@cheapest_split.property("few blocks stand where the rows are many")
def split_extremes(call, draw):
    """S much larger than N, and the reverse."""
    many, blocks = whole_between(draw, 2000, 4000), whole_between(draw, 5, 12)
    for S, N, right in ((many, 5, [1, blocks - 1]), (5, many, [blocks - 1, 1])):
        expect.equal(
            expect.wholes(call(blocks, S, N, 64), 2),
            right,
            f"for blocks = {blocks}, S = {S:,}, N = {N:,}, C = 64:",
            fault="for very unequal lengths it is neither end of the scale",
            known=((right[::-1], "most blocks stand where most rows are: that costs most"),),
        )


@cheapest_split.property("near the border, where one row decides, the exact work decides")
def split_border(call, draw):
    """Ask on both sides of the right border and of those of known miscounts."""
    cases = []
    for C in (4, 8, 16, 64):
        S = whole_between(draw, 150, 400)
        exact = border(right_blocks, S, C)
        for N in (exact - 1, exact, *(border(rule, S, C) for rule in MISCOUNTS.values())):
            cases.append((whole_between(draw, 4, 9), S, max(N, 1), C))
    for _ in range(30):
        S, C = whole_between(draw, 300, 900), whole_between(draw, 2, 6)
        N = border(right_blocks, S, C)
        cases += [(5, S, N - 1, C), (5, S, N, C)]
    found = [expect.wholes(call(*case), 2) for case in cases]
    right = [choice(case[0], right_blocks(*case[1:])) for case in cases]
    if found == right:
        return
    fault = "another split needs fewer multiply-adds"
    for sentence, rule in MISCOUNTS.items():
        if found == [choice(case[0], rule(*case[1:])) for case in cases]:
            fault = sentence
    number = next(i for i, pair in enumerate(zip(found, right, strict=True)) if pair[0] != pair[1])
    blocks, S, N, C = cases[number]
    costs = right_blocks(S, N, C)
    work = [sum(map(operator.mul, split[number], costs)) for split in (found, right)]
    raise Broken(
        fault,
        f"for blocks = {blocks}, S = {S}, N = {N}, C = {C} it gives {found[number]}, "
        f"{work[0]:,} multiply-adds; {right[number]} needs {work[1]:,}",
    )


@cheapest_split.property("where all splits cost the same, the encoder gets one block")
def split_tie(call, draw):
    """Sizes at which a block costs the same on either side."""
    blocks = whole_between(draw, 3, 9)
    few, many = [1, blocks - 1], [blocks - 1, 1]
    for S, N, C in TIES:
        for near, right in ((N - 1, few), (N + 1, many)):
            if expect.wholes(call(blocks, S, near, C), 2) != right:
                raise Broken(
                    "beside a tie it is wrong too, so mend the counts first",
                    f"for blocks = {blocks}, S = {S}, N = {near}, C = {C}",
                )
    for S, N, C in TIES:
        expect.equal(
            expect.wholes(call(blocks, S, N, C), 2),
            few,
            f"for blocks = {blocks}, S = {S}, N = {N}, C = {C}:",
            fault="at a tie it is not the split with one encoder block",
        )


# -- 12.5

prefix_mask = Exercise(
    "12.5",
    "prefix_mask",
    title="Let the patches look both ways",
    minutes=30,
    level="challenge",
    points=4,
    hints=(
        "Which part of the square is the causal triangle of S + T rows wrong about? And for the "
        "second half of the exercise: in the first block, what are the patches' keys and values "
        "made from?",
        "Without patches it must be the causal triangle, without words all True. No patch may see "
        "a word. Row S is the first word: it sees S + 1 columns.",
        "Begin with torch.ones(S + T, S + T, dtype=torch.bool).tril(), then set the upper left "
        "S by S square to True.",
    ),
)


@prefix_mask.property("it is a boolean table of S + T rows and columns")
def prefix_form(call, draw):
    """Also without patches, and without words."""
    for S, T in ((3, 2), (1, 1), (0, 3), (4, 0)):
        expect.tensor(call(S, T), (S + T, S + T), "bool", f"for S = {S}, T = {T}")


@prefix_mask.property("patches see all patches, and no patch sees a word")
def prefix_patches(call, draw):
    """The upper half."""
    for S, T in ((4, 3), (2, 5), (whole_between(draw, 3, 8), whole_between(draw, 2, 6))):
        seen = f"for S = {S}, T = {T}"
        table = expect.tensor(call(S, T), (S + T, S + T), "bool", seen)
        hidden = S * S - int(table[:S, :S].sum())
        if hidden == S * S:
            raise WrongForm("no patch sees any patch: True means may attend", seen)
        if hidden:
            raise Broken("a patch is hidden from a patch", f"{seen}, {hidden} such pairs")
        leaks = int(table[:S, S:].sum())
        if leaks:
            raise Broken("a patch sees a word", f"{seen}, {leaks} such pairs")


@prefix_mask.property("words see all patches")
def prefix_words_on_patches(call, draw):
    """The lower left."""
    for S, T in ((4, 3), (2, 5), (whole_between(draw, 3, 8), whole_between(draw, 2, 6))):
        seen = f"for S = {S}, T = {T}"
        table = expect.tensor(call(S, T), (S + T, S + T), "bool", seen)
        hidden = S * T - int(table[S:, :S].sum())
        if hidden:
            raise Broken("a patch is hidden from a word", f"{seen}, {hidden} such pairs")


@prefix_mask.property("words see themselves and the words before them, and no later one")
def prefix_words(call, draw):
    """The lower right."""
    for S, T in ((0, 4), (4, 3), (2, 5), (whole_between(draw, 3, 8), whole_between(draw, 2, 6))):
        seen = f"for S = {S}, T = {T}"
        table = expect.tensor(call(S, T), (S + T, S + T), "bool", seen)
        words, right = table[S:, S:], masks.causal(T)
        if (words & ~right).any():
            raise Broken(
                "a word sees a later word", f"{seen}, {int((words & ~right).sum())} such pairs"
            )
        if not words.diagonal().all():
            raise Broken("a word does not see itself", seen)
        if (right & ~words).any():
            raise Broken("a word does not see an earlier word", seen)


EXERCISES = (cross_shapes, cross_attend, floor_of, cheapest_split, prefix_mask)
