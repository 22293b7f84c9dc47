"""Checks of the exercises of lesson 03, causal attention."""

import math
from collections.abc import Sequence

import torch

from helpers import attention, masks
from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.exercises.plain import show


def unchanged(after, before, seen: str, fault: str) -> None:
    """Raise Broken unless the answer gives the same as before."""
    if not expect.close(after, before):
        raise Broken(fault, f"{seen} it gives {show(after)}, before {show(before)}")


# ---- 03.1 -----------------------------------------------------------------------------------

row_weights = Exercise(
    "03.1",
    "row_weights",
    title="Read a row",
    minutes=2,
    level="warm-up",
    points=1,
    imports=("math",),
    hints=(
        "Ratios are e to the power of differences. In [1, 3, 2, 9] the 9 is a trap: where does it "
        "stand?",
        "For t = 0 the weights are 1, 0, 0, and so on, whatever the scores are. With 1000 added to "
        "every score, nothing may change, and nothing may overflow.",
        "visible = scores[: t + 1]; powers = [math.exp(s - max(visible)) for s in visible]; each "
        "power divided by sum(powers), then a 0.0 for each hidden score.",
    ),
)
ROW = ([1.0, 3.0, 2.0, 9.0], 2)


def rows(draw: torch.Generator) -> list[tuple[list[float], int]]:
    """Return (scores, t): a fixed row, the smallest, and drawn ones, all scores above 0."""
    found = [ROW, ([0.5], 0)]
    for length, t in ((5, 3), (6, 0), (4, 3)):
        quarters = torch.randint(1, 13, (length,), generator=draw)
        found.append(((quarters / 4).tolist(), t))
    return found


def shares(powers: Sequence[float], length: int) -> list[float]:
    """Return each power as a share of all, then zeros up to a length."""
    return [power / sum(powers) for power in powers] + [0.0] * (length - len(powers))


def right_row(scores: list[float], t: int) -> list[float]:
    """Return the weights of position t."""
    return shares([math.exp(s - max(scores[: t + 1])) for s in scores[: t + 1]], len(scores))


BEYOND = "e to such a power is beyond any float: subtract the largest visible score first"


def without_overflow(call, scores: list[float], t: int, fault: str) -> list[float]:
    """Return the answer's weights, or say why powers of e overflow or are all 0."""
    seen = f"for the scores {scores} and t = {t}"
    if call.error(scores, t) in ("OverflowError", "ZeroDivisionError"):
        raise Broken(fault, seen)
    return expect.numbers(call(scores, t), len(scores), seen)


@row_weights.property("there is one weight for each score, and together they are 1")
def row_sums(call, draw):
    """Count and add."""
    for scores, t in rows(draw):
        seen = f"for the scores {scores} and t = {t}"
        weights = expect.numbers(call(scores, t), len(scores), seen)
        expect.equal(
            sum(weights),
            1.0,
            seen,
            "the weights do not add up to 1: divide by the sum of the visible powers alone",
        )


@row_weights.property("every weight after position t is exactly 0")
def row_hides(call, draw):
    """Not small: 0."""
    for scores, t in rows(draw):
        weights = expect.numbers(call(scores, t), len(scores))
        hidden = max([0.0, *map(abs, weights[t + 1 :])])
        if hidden > 0:
            fault = "a position after t has a weight"
            if hidden < 0.05:
                fault = "a weight after position t is small, but not exactly 0"
            raise Broken(fault, f"for the scores {scores} and t = {t}: {show(weights)}")


@row_weights.property("a visible weight is e to the power of its score, as a share of all of them")
def row_values(call, draw):
    """Compare with the formula, and name the known slips."""
    for scores, t in rows(draw):
        visible = scores[: t + 1]
        known = [
            (shares(visible, len(scores)), "the shares are taken of the scores, not of powers"),
            (shares([2**s for s in visible], len(scores)), "these are powers of 2, not of e"),
            (right_row(scores, len(scores) - 1), "later positions count as if they were visible"),
        ]
        if t > 0:
            known.append((right_row(scores, t - 1), "position t may see itself as well"))
        expect.equal(
            expect.numbers(call(scores, t), len(scores)),
            right_row(scores, t),
            f"for the scores {scores} and t = {t}",
            known=known,
        )


@row_weights.property("a number added to all scores changes nothing, however large it is")
def row_shift(call, draw):
    """Add 1000 and -1000; then let one visible score lie far above the others."""
    scores, t = ROW
    before = expect.numbers(call(scores, t), len(scores))
    for shift in (1000, -1000):
        given = [score + shift for score in scores]
        got = without_overflow(call, given, t, BEYOND)
        unchanged(got, before, f"for {given}", "a number added to all scores changes the weights")
    got = without_overflow(call, [0.0, 1500.0, 3.0, 9.0], t, BEYOND)
    expect.equal(got, [0.0, 1.0, 0.0, 0.0], "for [0, 1500, 3, 9]", "a high score does not take all")


@row_weights.property("a hidden score, however large, changes nothing")
def row_hidden(call, draw):
    """The last of four scores, t = 2."""
    scores, t = ROW
    before = expect.numbers(call(scores, t), len(scores))
    for hidden in (-3.0, 20.0, 1500.0):
        given = [*scores[:3], hidden]
        fault = "the largest score is looked for among the hidden ones as well"
        got = without_overflow(call, given, t, fault)
        unchanged(got, before, f"for {given} and t = {t}", "a hidden score changes the weights")


# ---- 03.2 -----------------------------------------------------------------------------------

largest_length = Exercise(
    "03.2",
    "largest_length",
    title="The matrix in bytes",
    minutes=5,
    level="medium",
    points=2,
    imports=("math",),
    hints=(
        "First the other way round: how many bytes do all matrices of length T take together?",
        "What your function gives must fit, and one more must not. Test it at the edge: with just "
        "the bytes for T = 20, and with one byte less.",
        "All matrices take heads * blocks * bytes_each * T * T bytes. So T * T is at most memory "
        "// (heads * blocks * bytes_each), and math.isqrt gives the whole part of a root without "
        "rounding errors.",
    ),
)


def budgets(draw: torch.Generator) -> list[tuple[int, int, int, int]]:
    """Return (memory, heads, blocks, bytes_each): on the edge, beside it, and drawn ones."""
    found = [(10_000, 3, 5, 4)]
    for _ in range(3):
        # three different numbers, so that the slips differ too
        heads, blocks, size = (torch.randperm(10, generator=draw)[:3] + 3).tolist()
        T = int(torch.randint(20, 400, (), generator=draw))
        exact = heads * blocks * size * T * T
        found += [(exact, heads, blocks, size), (exact - 1, heads, blocks, size)]
        found.append((int(torch.randint(10**6, 10**9, (), generator=draw)), heads, blocks, size))
    return found


def longest(memory: int, each: int) -> int:
    """Return the largest T with each * T * T <= memory."""
    return math.isqrt(memory // each)


def name_length(got: int, memory: int, heads: int, blocks: int, size: int, fault: str) -> None:
    """Raise Broken with the name of the slip that gives such a length, or with fault."""
    each = heads * blocks * size
    whole = math.isqrt(memory)
    known = (
        (longest(memory, blocks * size), "every head has a matrix of its own: count the heads"),
        (longest(memory, heads * size), "every block has matrices of its own: count the blocks"),
        (longest(memory, heads * blocks), "an entry takes more than one byte: use bytes_each"),
        (memory // each, "a matrix has T * T entries, not T"),
        ((math.isqrt(1 + 8 * (memory // each)) - 1) // 2, "the whole matrix is kept, not a half"),
        (round((memory / each) ** 0.5), "the root is rounded to the nearest number, not down"),
        (longest(memory - 1, each), "memory that is filled to the last byte still fits"),
        (whole, "the memory is not divided among the matrices"),
    )
    expect.equal(
        got,
        longest(memory, each),
        f"for {memory} bytes, {heads} heads, {blocks} blocks, {size} bytes an entry",
        fault,
        known,
        tolerance=0,
    )


@largest_length.property("it is a whole number, and 0 where not even one token fits")
def length_form(call, draw):
    """Small memories."""
    for memory in (0, 1):
        seen = f"for {memory} bytes, 2 heads, 3 blocks, 4 bytes an entry"
        got = expect.whole(call(memory, 2, 3, 4), seen)
        expect.equal(got, 0, seen, "where not even one token fits it does not give 0", tolerance=0)


@largest_length.property("the matrices of this length fit")
def length_fits(call, draw):
    """heads * blocks * bytes_each * T * T <= memory."""
    for memory, heads, blocks, size in budgets(draw):
        T = expect.whole(call(memory, heads, blocks, size))
        if heads * blocks * size * T * T > memory:
            name_length(T, memory, heads, blocks, size, "the matrices of this length do not fit")


@largest_length.property("those of one token more do not fit")
def length_next(call, draw):
    """heads * blocks * bytes_each * (T + 1)^2 > memory."""
    for memory, heads, blocks, size in budgets(draw):
        T = expect.whole(call(memory, heads, blocks, size))
        if heads * blocks * size * (T + 1) ** 2 <= memory:
            name_length(T, memory, heads, blocks, size, "a longer one would fit as well")


@largest_length.property("it is exact for memories far beyond any machine")
def length_exact(call, draw):
    """Here a root in floating-point numbers is wrong."""
    for T in (30, 3 * 10**9 + 1, 10**12 + int(torch.randint(1, 1000, (), generator=draw))):
        for memory, right in ((48 * T * T, T), (48 * T * T - 1, T - 1)):
            got = expect.whole(call(memory, 3, 4, 4))
            fault = "it is wrong for a small memory already: mend that first"
            if T > 30 and abs(got - right) == 1:
                fault = "for a huge memory it is one off: floating-point numbers lose digits"
            elif T > 30:
                fault = "for a huge memory it is far off"
            seen = f"for {memory} bytes, 3 heads, 4 blocks, 4 bytes an entry"
            expect.equal(got, right, seen, fault, tolerance=0)


# ---- 03.3 -----------------------------------------------------------------------------------

causal_head = Exercise(
    "03.3",
    "causal_head",
    title="A head from scratch",
    minutes=10,
    level="medium",
    points=3,
    hints=(
        "Six steps: three projections, scores, hide, softmax, average. Which of them is the only "
        "one in which a token meets another?",
        "Test your scores before the softmax: entry (t, s) must be -inf exactly where s is greater "
        "than t. After the softmax every row sums to 1, and the first row is [1, 0, 0, ...].",
        "scores = query @ key.T / sqrt(width of the queries). Hide what torch.triu(..., "
        "diagonal=1) marks by masked_fill(..., -inf). Then softmax(dim=-1), times value.",
    ),
)


def head(draw: torch.Generator, T: int, C: int, D: int, Dv: int) -> list[torch.Tensor]:
    """Return x [T, C], Wq and Wk [C, D], Wv [C, Dv]."""
    shapes = ((T, C), (C, D), (C, D), (C, Dv))
    return [torch.randn(shape, generator=draw) for shape in shapes]


def context(call, x: torch.Tensor, *weights: torch.Tensor) -> torch.Tensor:
    """Return the answer's context rows, after a look at their form."""
    rows = call(x, *weights)
    seen = f"for T = {len(x)}"
    if isinstance(rows, torch.Tensor) and rows.dim() == 2 and len(rows) > 1:
        if rows[0].isnan().all() and not rows[1:].isnan().any():
            raise WrongForm("the first row is 0/0: everything is hidden from it, even itself", seen)
    return expect.tensor(rows, (len(x), weights[-1].shape[1]), seen=seen)


def moved(call, x: torch.Tensor, *weights: torch.Tensor) -> torch.Tensor:
    """Return the table of influence, bool [T, T]: whether row t moves with token s."""
    x = x / 2  # small scores, so that every visible token has a weight to speak of
    before = context(call, x, *weights)
    columns = []
    for s in range(len(x)):
        other = x.clone()
        other[s] += 1
        columns.append(((context(call, other, *weights) - before).abs() > 1e-5).any(dim=1))
    return torch.stack(columns, dim=1)


@causal_head.property("it has one row of values for each token")
def head_form(call, draw):
    """[T, C] -> [T, Dv]."""
    for T, Dv in ((4, 2), (1, 3)):
        context(call, *head(draw, T, 3, 3, Dv))


@causal_head.property("equal values come out as they went in, so a row of weights sums to 1")
def head_sums(call, draw):
    """Give x a column of ones, and let only that column reach the values."""
    x, Wq, Wk, Wv = head(draw, 5, 3, 2, 2)
    x[:, 0] = 1
    Wv[1:] = 0
    scores = (x @ Wq) @ (x @ Wk).T / 2**0.5
    columns = scores.masked_fill(~masks.causal(5), float("-inf")).softmax(0) @ (x @ Wv)
    expect.equal(
        context(call, x, Wq, Wk, Wv),
        Wv[0].double().expand(5, 2),
        "with T = 5 and all values equal",
        "the weights of a row do not sum to 1: is something taken away after the softmax?",
        known=((columns.double(), "softmax runs down the columns: let it run along the keys"),),
    )


@causal_head.property("no row depends on a later token")
def head_no_leak(call, draw):
    """The leak test."""
    table = moved(call, *head(draw, 5, 3, 3, 2))
    leaks = (table & ~masks.causal(5)).nonzero().tolist()
    if not leaks:
        return
    row, token = leaks[0]
    seen = f"with T = 5, row {row} moves when token {token} is changed"
    if torch.equal(table, torch.ones(5, 5).tril(1).bool()):
        raise Broken("a row also sees the token after its own: the triangle is one too wide", seen)
    if not table.tril(-1).any():
        raise Broken("rows see the future in place of the past: the triangle is transposed", seen)
    raise Broken("a row changes with a later token: the future must have no part in it", seen)


@causal_head.property("every row depends on every token up to its own")
def head_mirror(call, draw):
    """The mirror test."""
    table = moved(call, *head(draw, 5, 3, 3, 2))
    blind = (~table & masks.causal(5)).nonzero().tolist()
    if blind:
        row, token = blind[0]
        fault = "a row does not notice a token that came before"
        if all(row == token for row, token in blind):
            fault = "a row does not notice its own token, which it may see"
        raise Broken(fault, f"with T = 5, row {row} stays the same when token {token} is changed")


@causal_head.property("the weights are softmax(q k / sqrt(width of q)), the result their average")
def head_values(call, draw):
    """Compare with the formula, and name the known slips."""
    for T, C, D in ((4, 3, 2), (6, 4, 8)):
        x, Wq, Wk, Wv = head(draw, T, C, D, 3)
        query, key, value = (x.double() @ weights.double() for weights in (Wq, Wk, Wv))

        def slip(query, key, scale, mask, value=value):
            scores = (query @ key.T * scale).masked_fill(~mask, float("-inf"))
            return scores.softmax(-1) @ value

        causal = masks.causal(T)
        right = attention.attention(query[None, None], key[None, None], value[None, None], causal)[
            0, 0
        ]
        of_x, width = slip(query, key, C**-0.5, causal), slip(query, key, 1 / D, causal)
        expect.equal(
            context(call, x, Wq, Wk, Wv),
            right,
            f"for T = {T}, C = {C}, D = {D}",
            known=(
                (slip(query, key, 1, causal), "the scores are not divided by anything"),
                (of_x, "the scores are divided by the root of x's width"),
                (width, "the scores are divided by the width, not its root"),
                (slip(key, query, D**-0.5, causal), "queries and keys have changed places"),
                (slip(query, key, D**-0.5, causal | True), "nothing is hidden at all"),
            ),
        )


# ---- 03.4 -----------------------------------------------------------------------------------

attend_last = Exercise(
    "03.4",
    "attend_last",
    title="Only the newest token",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "The last token may see everything. So what is there to hide?",
        "With one token the result is its value. With equal keys it is the plain mean of the "
        "values. Shuffle keys and values together, and nothing may change.",
        "scores = keys @ query / math.sqrt(len(query)) has shape [T]. One softmax over it, and "
        "the weights @ values give the row.",
    ),
)


def last(draw: torch.Generator, T: int, D: int, Dv: int) -> list[torch.Tensor]:
    """Return query [D], keys [T, D], values [T, Dv]."""
    return [torch.randn(shape, generator=draw) for shape in ((D,), (T, D), (T, Dv))]


def mixed_up(query: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """Return the keys in an order in which their scores rise, fall and rise again."""
    return keys[(keys @ query).argsort().roll(3)]


def average(query, keys, values, scale: float) -> torch.Tensor:
    """Return the context row in double precision."""
    return (keys.double() @ query.double() * scale).softmax(0) @ values.double()


def row_of(call, *arguments) -> torch.Tensor:
    """Return the answer's one row, after a look at its form."""
    return expect.tensor(
        call(*arguments), arguments[2].shape[1:], seen=f"for T = {len(arguments[2])}"
    )


@attend_last.property("one row comes out, and a lone token gets its own value")
def last_form(call, draw):
    """[Dv], for T = 1 too."""
    row_of(call, *last(draw, 5, 4, 3))
    for D, Dv in ((4, 3), (2, 1)):
        query, keys, values = last(draw, 1, D, Dv)
        expect.equal(
            row_of(call, query, keys, values),
            values[0].double(),
            "for T = 1",
            "a token that is alone does not get its own value",
        )


@attend_last.property("equal values come out as they went in, so the weights sum to 1")
def last_sums(call, draw):
    """All values the same."""
    query, keys, values = last(draw, 6, 4, 3)
    values[:] = values[0]
    got = row_of(call, query, keys, values)
    fault = "the weights do not sum to 1"
    if expect.close(got, 6 * values[0].double()):
        fault = "each of the weights is 1: the softmax runs over an axis of length 1"
    expect.equal(got, values[0].double(), "for T = 6 equal values", fault)


@attend_last.property("keys and values may change places together, and every one of them counts")
def last_set(call, draw):
    """The newest token sees a set of pairs."""
    query, keys, values = last(draw, 5, 4, 3)
    before = row_of(call, query, keys, values)
    for s in range(5):
        other = values.clone()
        other[s] += 1
        if expect.close(row_of(call, query, keys, other), before):
            raise Broken(
                "a token has no weight, and the newest one may see all of them",
                f"with T = 5, nothing moves when the value of token {s} is changed",
            )
    order = [4, 0, 1, 2, 3]
    unchanged(
        row_of(call, query, keys[order], values[order]),
        before,
        f"with T = 5 and the order {order}",
        "the order of keys and values matters, and it must not",
    )


@attend_last.property("it equals the last row of the full head")
def last_values(call, draw):
    """Compare with the formula, and name the known slips."""
    for T, D, Dv in ((5, 4, 3), (7, 2, 2)):
        query, keys, values = last(draw, T, D, Dv)
        keys = mixed_up(query, keys)
        full = attention.attention(
            torch.cat([torch.zeros(T - 1, D), query[None]])[None, None].double(),
            keys[None, None].double(),
            values[None, None].double(),
            masks.causal(T),
        )[0, 0, -1]
        scores = keys.double() @ query.double()
        undivided, width, length = (average(query, keys, values, x) for x in (1, 1 / D, T**-0.5))
        expect.equal(
            row_of(call, query, keys, values),
            full,
            f"for T = {T}, D = {D}",
            known=(
                (undivided, "the scores are not divided by anything"),
                (width, "the scores are divided by the width, not its root"),
                (length, "the scores are divided by the root of T, not of D"),
                (values.double().mean(0), "all tokens weigh the same: the scores do not count"),
                (values[scores.argmax()].double(), "only the best key counts: average by softmax"),
                (values[0].double(), "only the oldest token is seen: a lone query stands last"),
                (
                    average(query, keys[:-1], values[:-1], D**-0.5),
                    "the newest token may see itself as well",
                ),
            ),
        )


# ---- 03.5 -----------------------------------------------------------------------------------

attend_in_pieces = Exercise(
    "03.5",
    "attend_in_pieces",
    title="Never the whole row",
    minutes=30,
    level="challenge",
    points=5,
    hints=(
        "Softmax does not care which constant is subtracted from all scores. So you may begin with "
        "the largest of the first piece. What must you do when a later piece brings a larger one?",
        "Keep three things: the largest score so far, the sum of powers, the sum of powers times "
        "values. After every piece their quotient is the right answer for the tokens seen so far. "
        "Test that with one piece, then with two.",
        "For each piece: new = max(largest, scores.max()); powers = exp(scores - new); shrink = "
        "exp(largest - new). Then total = total * shrink + powers.sum(), and weighted = weighted * "
        "shrink + powers @ values of the piece. Begin with -inf, 0, 0.",
    ),
)


def in_one(query, keys, values) -> torch.Tensor:
    """Return the right row."""
    return average(query, keys, values, len(query) ** -0.5)


def exact(draw: torch.Generator, scores: list[float]) -> list[torch.Tensor]:
    """Return a query [4], keys and values [T, 3] with these scores, without any rounding.

    The division by the root of the width, which is 2, is done: scores [T].
    """
    query = torch.tensor([2.0, 0.0, 0.0, 0.0])
    keys = torch.randint(-4, 5, (len(scores), 4), generator=draw).float()
    keys[:, 0] = torch.tensor(scores)
    return [query, keys, torch.randn(len(scores), 3, generator=draw)]


def pieces(T: int, size: int) -> list[slice]:
    """Return the places of the pieces."""
    return [slice(start, start + size) for start in range(0, T, size)]


def running(query, keys, values, size: int, total_shrinks: bool, weighted_shrinks: bool):
    """Return what comes out when the sums so far do not shrink with a new largest score."""
    scores = keys.double() @ query.double() / len(query) ** 0.5
    largest, total, weighted = torch.tensor(-torch.inf).double(), 0, 0
    for part in pieces(len(keys), size):
        new = torch.maximum(largest, scores[part].max())
        powers, shrink = (scores[part] - new).exp(), (largest - new).exp()
        total = total * (shrink if total_shrinks else 1) + powers.sum()
        weighted = weighted * (shrink if weighted_shrinks else 1) + powers @ values[part].double()
        largest = new
    return weighted / total


@attend_in_pieces.property("with all keys in one piece, it is the newest token's row")
def pieces_one(call, draw):
    """A size of T and more; one token."""
    for T, size in ((5, 5), (5, 8), (1, 1), (1, 3)):
        query, keys, values = last(draw, T, 4, 3)
        seen = f"for T = {T} and size {size}"
        got = expect.tensor(call(query, keys, values, size), (3,), seen=seen)
        expect.equal(
            got,
            in_one(query, keys, values),
            seen,
            "one piece alone is not right",
            known=(
                (average(query, keys, values, 1), "the scores are not divided by the root of D"),
                (torch.zeros(3).double(), "a piece shorter than the size asked for is left out"),
            ),
        )


@attend_in_pieces.property("the size of a piece changes nothing, from 1 to T")
def pieces_sizes(call, draw):
    """All sizes, also those that do not divide T."""
    T = 7
    query, keys, values = last(draw, T, 4, 3)
    keys = mixed_up(query, keys)
    given = (query, keys, values)
    in_a_row = expect.tensor(call(*given, T), (3,), seen=f"for size {T}")
    for size in range(1, T + 1):
        whole = T - T % size
        alone = torch.stack([in_one(query, keys[part], values[part]) for part in pieces(T, size)])
        half = "only one of the two sums shrinks when a larger score comes: both must"
        got = expect.tensor(call(*given, size), (3,), seen=f"for size {size}")
        if expect.close(got, in_a_row):
            continue
        expect.equal(
            got,
            in_one(*given),
            f"for T = {T} and size {size}",
            "another size gives another row",
            known=(
                (
                    in_one(query, keys[:whole], values[:whole]),
                    "the last piece, where T is no multiple of the size, does not count",
                ),
                (alone.mean(0), "each piece weighs the same, whatever its scores are"),
                (alone.sum(0), "the pieces' averages are added up: they must share one total"),
                (alone[-1], "only the last piece is left of it: keep the sums of those before"),
                (
                    running(*given, size, False, False),
                    "when a larger score comes, the sums so far must shrink to fit it",
                ),
                (running(*given, size, True, False), half),
                (running(*given, size, False, True), half),
            ),
        )
        raise Broken("the row is right for small pieces only", f"for T = {T}, not for size {T}")


@attend_in_pieces.property("scores of 1000 and -1000 do no harm, whichever comes first")
def pieces_large(call, draw):
    """Small scores first, then rising and falling ones, and all far below 0."""
    overflow = "large scores overflow: subtract the largest one before you take powers"
    low = "scores that all lie far below 0 come to nothing: the largest so far must begin at -inf"
    for number, scores in enumerate(
        (
            [1.0, 2.0, 4.0, 3.0],
            [1000.0, 999.0, 1000.0, 998.0],
            [-1000.0, -999.0, -1001.0, -998.0],
            [-1000.0, 0.0, 1000.0, 999.0, -1000.0],
            [1000.0, -1000.0, 999.0],
        )
    ):
        arguments = exact(draw, scores)
        fault = low if max(scores) < 0 else overflow
        for size in (1, 2, 3):
            seen = f"for the scores {scores} and size {size}"
            if number > 0:
                if call.error(*arguments, size) in ("OverflowError", "ZeroDivisionError"):
                    raise Broken(fault, seen)
                row = call(*arguments, size)
                if isinstance(row, torch.Tensor) and not row.isfinite().all():
                    raise Broken(fault, seen)
            row = expect.tensor(call(*arguments, size), (3,), seen=seen)
            fault = "with large scores the row is another one"
            if number == 0:
                fault = "it is wrong for small scores already: mend that first"
            expect.equal(row, in_one(*arguments), seen, fault)


EXERCISES = (row_weights, largest_length, causal_head, attend_last, attend_in_pieces)
