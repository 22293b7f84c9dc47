"""Checks of the exercises of lesson 04, masks."""

import math
from collections.abc import Callable, Sequence

import torch

from helpers import masks
from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.exercises.plain import show


def first_wrong(got: torch.Tensor, right: torch.Tensor) -> list[int] | None:
    """Return the place of the first entry in which two masks differ, or None."""
    places = (got != right).nonzero().tolist()
    return places[0] if places else None


def name_of(dtype: torch.dtype) -> str:
    """Return float16 for torch.float16."""
    return str(dtype).removeprefix("torch.")


def name_mask(got: torch.Tensor, known: Sequence[tuple[torch.Tensor, str]], seen: str) -> None:
    """Raise Broken with the sentence of the first mask that is the same."""
    for mask, sentence in known:
        if torch.equal(got, mask.expand_as(got)):
            raise Broken(sentence, seen)


# ---- 04.1 -----------------------------------------------------------------------------------

visible_pairs = Exercise(
    "04.1",
    "visible_pairs",
    title="Count before you build",
    minutes=2,
    level="warm-up",
    points=1,
    imports=(),
    seconds=5,
    hints=(
        "How many keys does query 0 see? And query i?",
        "With a width of 1 the count is the length. From a width of the length on, it is the whole "
        "triangle, length * (length + 1) / 2. For six tokens and width 4 it is 18.",
        "Query i sees min(i + 1, width) keys. Add that up.",
    ),
)


def count(length: int, width: int) -> int:
    """Return the number of pairs: a triangle, then full rows."""
    width = min(width, length)
    return width * (width + 1) // 2 + (length - width) * width


@visible_pairs.property("it is a whole number, and a window of 1 shows each token only itself")
def pairs_form(call, draw):
    """Width 1; no token at all."""
    for length in (1, 6, 0):
        seen = f"for length {length} and width 1"
        expect.equal(
            expect.whole(call(length, 1), seen), length, seen, "a window of 1 is the token itself"
        )


@visible_pairs.property("from a width of the length on, it is the whole triangle")
def pairs_triangle(call, draw):
    """Width at the length and beyond."""
    for length in (6, 1, int(torch.randint(10, 90, (), generator=draw))):
        for width in (length, length + 1, 3 * length):
            expect.equal(
                expect.whole(call(length, width)),
                count(length, length),
                f"for length {length} and width {width}",
                "a width from the length on does not give the causal triangle",
                known=(
                    (length * width, "the first tokens have no past to fill the window"),
                    (count(length - 1, width), "query i sees i + 1 keys: its own is one of them"),
                ),
            )


@visible_pairs.property("it is the number of yeses in the mask, for every width")
def pairs_count(call, draw):
    """Against the mask itself, and for a mask too large to build."""
    drawn = int(torch.randint(7, 12, (), generator=draw))
    sizes = [(length, width) for length in (6, drawn) for width in range(1, length)]
    for length, width in [*sizes, (100_000, 4096)]:
        if length < 100:
            right = int(masks.window(length, width=width).sum())
        else:
            right = count(length, width)
        expect.equal(
            expect.whole(call(length, width)),
            right,
            f"for length {length} and width {width}",
            "it is another number than the mask holds",
            known=(
                (length * width, "the first tokens have no past to fill the window"),
                (count(length, width + 1), "the width counts the token itself as well"),
                (count(length, length), "the window has no effect"),
                (count(length - 1, width), "query i sees i + 1 keys: its own is one of them"),
            ),
            tolerance=0,
        )


# ---- 04.2 -----------------------------------------------------------------------------------

to_may_attend = Exercise(
    "04.2",
    "to_may_attend",
    title="Three conventions in, one out",
    minutes=5,
    level="medium",
    points=1,
    hints=(
        "Two of the three conventions are boolean, so nothing but their name can tell you which "
        "one you have.",
        "Write one causal mask of three tokens by hand in all three ways. You must get the same "
        "lower triangle back three times.",
        "may: the mask itself. hidden: ~mask. additive: which comparison is true for 0 and false "
        "for -inf? Everything else: raise ValueError.",
    ),
)


def three_ways(mask: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return a mask in the three conventions."""
    return {"may": mask, "hidden": ~mask, "additive": masks.to_additive(mask)}


def some_masks(draw: torch.Generator) -> list[torch.Tensor]:
    """Return masks of several shapes, one of them with blind rows."""
    drawn = torch.rand((2, 1, 3, 4), generator=draw) < 0.5
    return [masks.causal(3), masks.causal(2, 5), drawn, torch.zeros(2, 2).bool()]


def one_convention(name: str, fault: str) -> Callable:
    """Return a property's function: what comes out for one convention."""

    def function(call, draw):
        for mask in some_masks(draw):
            given = three_ways(mask)[name]
            seen = f'for "{name}" and {show(given)}'
            got = expect.tensor(call(given, name), mask.shape, "bool", seen)
            expect.equal(got, mask, seen, f'"{name}" is read wrongly', known=((~mask, fault),))

    return function


to_may_attend.property('a mask that is "may" comes out as it went in')(
    one_convention("may", '"may" is turned around, though it needs no change')
)
to_may_attend.property('a mask that is "hidden" comes out turned around')(
    one_convention("hidden", '"hidden" is not turned around: True says must not there')
)
to_may_attend.property('a mask that is "additive" is True where it holds 0')(
    one_convention("additive", "the additive mask comes out upside down: 0 says yes, -inf no")
)


@to_may_attend.property("an additive mask of any float type will do")
def additive_types(call, draw):
    """float16, bfloat16 and float64, against float32."""
    mask = torch.rand((3, 4), generator=draw) < 0.5
    before = expect.tensor(call(masks.to_additive(mask), "additive"), (3, 4), "bool")
    for dtype in (torch.float16, torch.bfloat16, torch.float64):
        given = masks.to_additive(mask, dtype)
        seen = f"for {show(given)} in {name_of(dtype)}"
        got = expect.tensor(call(given, "additive"), (3, 4), "bool", seen)
        if not torch.equal(got, before):
            raise Broken("another float type gives another mask", f"{seen} it gives {show(got)}")


@to_may_attend.property("an unknown convention raises ValueError")
def unknown_convention(call, draw):
    """Whatever the mask is."""
    for name in ("visible", "", "Hidden"):
        for given in (masks.causal(2), masks.to_additive(masks.causal(2))):
            raised = call.error(given, name)
            if not raised:
                raise Broken(
                    "an unknown convention is taken without a word", f"for {name!r}, {show(given)}"
                )
            if raised != "ValueError":
                raise Broken(
                    "an unknown convention raises something else than ValueError",
                    f"for {name!r} it raised {raised}",
                )


# ---- 04.3 -----------------------------------------------------------------------------------

batch_mask = Exercise(
    "04.3",
    "batch_mask",
    title="The mask of a padded batch",
    minutes=10,
    level="medium",
    points=3,
    hints=(
        "There are two questions for each pair: is the key a real token, and is it not later than "
        "the query? Which of the two depends on the row of the batch?",
        "In a batch without padding every row is the triangle. One real token at the left of four "
        "gives a first column, whatever the query. With one query and five keys, the query is the "
        "last position and may see every real key.",
        "places = torch.arange(T); query_at = places[T - queries :]; causal = places[None, :] <= "
        "query_at[:, None] is [queries, T]; the keys are token_mask[:, None, None, :]. Join them "
        "with &.",
    ),
)
LEFT, RIGHT = [False, False, True, True, True], [True, True, True, False, False]
FULL = [True] * 5


def padded(draw: torch.Generator) -> torch.Tensor:
    """Return a token mask [4, 5]: padded left, right, not at all, and with drawn holes."""
    holes = (torch.rand(5, generator=draw) < 0.5).tolist()
    return torch.tensor([LEFT, RIGHT, FULL, holes])


def mask_of(call, token_mask: torch.Tensor, queries: int) -> torch.Tensor:
    """Return the answer's mask, after a look at its form."""
    B, T = token_mask.shape
    seen = f"for a token mask of shape {[B, T]} and {queries} queries"
    return expect.tensor(call(token_mask, queries), (B, 1, queries, T), "bool", seen)


def told(token_mask: torch.Tensor, place: Sequence[int]) -> str:
    """Return a sentence on a wrong entry."""
    b, _, i, s = place
    return f"for the tokens {token_mask[b].int().tolist()}, query {i} and key {s}"


@batch_mask.property("it is boolean, with a plane for each row and a line for each query")
def batch_form(call, draw):
    """[B, 1, queries, T]."""
    token_mask = padded(draw)
    mask_of(call, token_mask, 5)
    mask_of(call, token_mask[:3], 2)
    mask_of(call, token_mask[2:3, :1], 1)


@batch_mask.property("without padding it is the causal triangle")
def batch_causal(call, draw):
    """As many queries as keys."""
    for T in (5, 1):
        got = mask_of(call, torch.ones(2, T).bool(), T)[:, 0]
        right = masks.causal(T)
        place = first_wrong(got, right.expand_as(got))
        if place is None:
            continue
        seen = f"with {T} real tokens, query {place[1]} and key {place[2]}"
        ones = torch.ones(T, T)
        known = (
            (right.T, "the triangle is transposed: line i belongs to query i"),
            (ones.tril(-1).bool(), "no token may see itself, and it should"),
            (ones.tril(1).bool(), "each query sees one key ahead"),
            (~right, "the mask is upside down: True must say may attend"),
            (ones.bool(), "every query sees the future"),
        )
        name_mask(got, known, seen)
        raise Broken("it is another mask than the triangle", seen)


@batch_mask.property("no query sees padding, on either side")
def batch_padding(call, draw):
    """Columns of padding are empty."""
    token_mask = padded(draw)
    got = mask_of(call, token_mask, 5)
    seen = got & ~token_mask[:, None, None, :]
    if seen.any():
        causal = masks.causal(5)
        fault = "a query sees padding"
        if torch.equal(got, causal.expand_as(got)):
            fault = "padding is not hidden at all: the token mask has no effect"
        elif torch.equal(got[1, 0], causal & token_mask[1]):
            fault = "padding on the right is hidden, but padding on the left is seen"
        raise Broken(fault, told(token_mask, seen.nonzero().tolist()[0]))


@batch_mask.property("of the real keys, each query sees its own and all before it")
def batch_exact(call, draw):
    """Whatever the query itself is."""
    token_mask = padded(draw)
    got = mask_of(call, token_mask, 5)
    real_keys = token_mask[:, None, None, :]
    real_queries = token_mask[:, None, :, None]
    causal = masks.causal(5)
    right = causal & real_keys
    place = first_wrong(got, right)
    known = (
        (right & real_queries, "a padding token's line is emptied: hide keys only"),
        (causal & real_queries, "the token mask hides queries in place of keys"),
        (real_keys, "padding is hidden, the future is not"),
        (causal | real_keys, "the two masks are joined by or: both must allow a pair"),
        (causal & ~real_keys, "real keys and padding have changed places"),
        (right | torch.eye(5).bool(), "a padding token sees itself"),
        (right[:1], "the first row's padding is used for all rows"),
    )
    if place:
        name_mask(got, known, told(token_mask, place))
    place = first_wrong(got & real_keys, right)
    if place:
        fault = "a query does not see a real key that came before or its own"
        if got[tuple(place)]:
            fault = "a query sees a real key of its future"
        raise Broken(fault, told(token_mask, place))


@batch_mask.property("with fewer queries than keys, the queries are the last ones")
def batch_queries(call, draw):
    """The bottom right corner."""
    token_mask = padded(draw)
    for queries in (1, 2, 4):
        got = mask_of(call, token_mask, queries)
        right = mask_of(call, token_mask, 5)[:, :, 5 - queries :]
        place = first_wrong(got, right)
        if place is None:
            continue
        seen = f"{told(token_mask, place)} (of {queries} queries and 5 keys)"
        top_left = torch.ones(queries, 5).tril().bool() & token_mask[:, None, None, :]
        fault = "the triangle starts at the top left, not at the bottom right"
        name_mask(got, [(top_left, fault)], seen)
        raise Broken("the lines are not the last ones of the square mask", seen)


# ---- 04.4 -----------------------------------------------------------------------------------

packed_positions = Exercise(
    "04.4",
    "packed_positions",
    title="Where do I stand?",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "A position is a distance: from the column where the text begins to the column where you "
        "are. How do you see in document_ids that a text begins?",
        "Every row begins with 0, and so does every text. Within a text each position is one more "
        "than the one before.",
        "begins = the first column, and every column whose id differs from its left neighbour's. "
        "Write the column's number where a text begins and 0 elsewhere; torch.cummax(..., dim=1) "
        "carries the latest beginning to the right. Subtract it from the column's number.",
    ),
)


def packed(lengths: Sequence[int], ids: Sequence[int]) -> list[int]:
    """Return the ids of one row of texts."""
    return [number for number, length in zip(ids, lengths, strict=True) for _ in range(length)]


def counted(begins: Sequence[int], T: int) -> torch.Tensor:
    """Return positions counted from the latest of some columns."""
    return torch.tensor([t - max(b for b in begins if b <= t) for t in range(T)])


def positions(call, document_ids: list[list[int]]) -> torch.Tensor:
    """Return the answer's positions, after a look at their form."""
    given = torch.tensor(document_ids)
    return expect.tensor(call(given), given.shape, "int", f"for {document_ids}")


@packed_positions.property("a row with one text counts 0, 1, 2 to its end")
def positions_one(call, draw):
    """Whatever its id is."""
    for T, number in ((5, 0), (1, 0), (4, 3)):
        expect.equal(
            positions(call, [[number] * T, [number] * T])[1],
            torch.arange(T),
            f"for {[number] * T}",
            "one text alone does not count 0, 1, 2",
            known=((torch.arange(1, T + 1), "the count begins at 1: the first position is 0"),),
        )


@packed_positions.property("each text counts from 0")
def positions_texts(call, draw):
    """Several texts, of different lengths, with different ids."""
    for lengths, ids in (
        ((2, 3), (0, 1)),
        ((3, 1, 2), (0, 1, 2)),
        ((1, 1, 1, 3), (0, 1, 2, 3)),
        (torch.randint(1, 5, (4,), generator=draw).tolist(), (0, 1, 2, 3)),
    ):
        row = packed(lengths, ids)
        T = len(row)
        begins = [sum(lengths[:n]) for n in range(len(lengths))]
        right = counted(begins, T)
        early = counted([0, *(b - 1 for b in begins[1:])], T)
        late = counted([0, *(b + 1 for b in begins[1:])], T)
        expect.equal(
            positions(call, [row])[0],
            right,
            f"for {row}",
            "a text does not count 0, 1, 2 from its own beginning",
            known=(
                (torch.arange(T), "the count goes on from text to text"),
                (right + 1, "the count begins at 1: the first position is 0"),
                (early, "the new count begins one token early, in the text before"),
                (late, "the new count begins one token late"),
                (torch.arange(T) % lengths[0], "every text is taken to be as long as the first"),
            ),
        )


@packed_positions.property("another text in front moves nothing")
def positions_in_front(call, draw):
    """The same texts, first alone, then behind another one."""
    alone = [4, 4, 4, 6, 6]
    before = positions(call, [alone])[0]
    for front in ([2], [2, 2, 2]):
        after = positions(call, [front + alone])[0, len(front) :]
        if not torch.equal(after, before):
            raise Broken(
                "a text's positions depend on what stands in front of it",
                f"{alone} has {show(before)}; behind {front} it has {show(after)}",
            )


@packed_positions.property("an id is only a name: larger or smaller does not matter")
def positions_names(call, draw):
    """Ids that fall, jump, and lie below 0."""
    rising = positions(call, [[0, 0, 1, 1, 1, 2]])[0]
    for row in ([5, 5, 3, 3, 3, 0], [7, 7, 900, 900, 900, 8], [-1, -1, -2, -2, -2, 4]):
        got = positions(call, [row])[0]
        if not torch.equal(got, rising):
            raise Broken(
                "other names for the same texts give other positions",
                f"{row} has {show(got)}; [0, 0, 1, 1, 1, 2] has {show(rising)}",
            )


@packed_positions.property("each row counts by its own texts")
def positions_rows(call, draw):
    """A batch is the same as its rows one by one."""
    batch = [[0, 0, 0, 1, 1], [0, 1, 1, 1, 2], [3, 3, 3, 3, 3]]
    together = positions(call, batch)
    first = torch.tensor([0, 1, 2, 0, 1])
    if torch.equal(together, first.expand_as(together)):
        raise Broken("every row gets the positions of the first one", f"for {batch}")
    for row, got in zip(batch, together, strict=True):
        alone = positions(call, [row])[0]
        if not torch.equal(got, alone):
            raise Broken(
                "a row's positions change with the other rows of the batch",
                f"{row} alone has {show(alone)}; in a batch it has {show(got)}",
            )


# ---- 04.5 -----------------------------------------------------------------------------------

masked_softmax = Exercise(
    "04.5",
    "masked_softmax",
    title="A softmax that cannot be surprised",
    minutes=15,
    level="hard",
    points=3,
    hints=(
        "safe_weights of this lesson is nearly all of it. What does it do with a row that sees "
        "nothing, before the softmax and after it?",
        "Test it with a mask that hides all but the smallest score, and at the ends of float16. "
        "What stands at a hidden place must never matter.",
        "blind = ~mask.any(dim=-1, keepdim=True). Fill with -inf, by masked_fill, what is neither "
        "visible nor in a blind row, take softmax(dim=-1), and write 0 into the blind rows.",
    ),
)
TYPES = (torch.float32, torch.float16, torch.bfloat16)


def weights_of(call, scores, mask, dtype=torch.float32) -> torch.Tensor:
    """Return the answer's weights in double precision, after a look at their form."""
    scores, mask = torch.as_tensor(scores).to(dtype), torch.as_tensor(mask)
    seen = f"for the scores {show(scores)}, mask {show(mask)}, {name_of(dtype)}"
    return expect.tensor(call(scores, mask), scores.shape, seen=seen)


def without_nan(call, scores, mask, dtype: torch.dtype, fault: str) -> torch.Tensor:
    """Return the answer's weights, with a fault of its own for NaN."""
    scores, mask = torch.as_tensor(scores).to(dtype), torch.as_tensor(mask)
    weights = call(scores, mask)
    if isinstance(weights, torch.Tensor) and not weights.isfinite().all():
        raise Broken(fault, f"for {show(scores)}, mask {show(mask)}, {name_of(dtype)}")
    return weights_of(call, scores, mask, dtype)


@masked_softmax.property("a row that sees something sums to 1, and what is hidden is exactly 0")
def softmax_rows(call, draw):
    """Several axes; no row is blind here."""
    scores = torch.randn((2, 3, 4), generator=draw)
    mask = torch.rand((2, 3, 4), generator=draw) < 0.5
    mask[..., 1] = True
    weights = weights_of(call, scores, mask)
    if (weights[~mask] != 0).any():
        raise Broken("a hidden key has a weight", f"the largest is {weights[~mask].max():.3g}")
    sums = weights.sum(-1)
    expect.equal(sums, torch.ones(2, 3), "the rows", "the weights of a row do not sum to 1")


@masked_softmax.property("the weights are the softmax of the visible scores alone")
def softmax_values(call, draw):
    """Against the formula, row by row; then with other scores at the hidden places."""
    scores = torch.randn((4, 5), generator=draw)
    mask = masks.causal(4, 5)
    right = scores.double().masked_fill(~mask, -math.inf)
    got = weights_of(call, scores, mask)
    expect.equal(
        got,
        right.softmax(-1),
        "for a causal mask of 4 queries and 5 keys",
        "these are not the shares of powers of e",
        known=(
            (right.softmax(0).nan_to_num(), "softmax runs down the columns: take the last axis"),
            (scores.double().softmax(-1) * mask, "what is hidden has had its share already"),
        ),
    )
    other = torch.where(mask, scores, scores + 3)
    if not expect.close(weights_of(call, other, mask), got):
        raise Broken("a hidden score changes the weights of the visible keys", "3 was added to it")


@masked_softmax.property("a row that sees nothing is all 0, and harms no other row")
def softmax_blind(call, draw):
    """C01: the lesson's two queries; then three dtypes."""
    half = torch.eye(2) / math.sqrt(2)
    mask = torch.tensor([[False, False], [True, True]])
    weights_of(call, half, mask | True)
    nothing = "a row that sees nothing is 0/0"
    for dtype in TYPES:
        weights = without_nan(call, half, mask, dtype, nothing)
        if (weights[0] != 0).any():
            fault = "a row that sees nothing weighs hidden keys by their scores"
            if weights[0, 0] == weights[0, 1]:
                fault = "a row that sees nothing takes the plain average of hidden keys"
            raise Broken(
                fault, f"for scores {show(half[0])}, both hidden, it gives {show(weights[0])}"
            )
    got = weights_of(call, half, mask) @ torch.tensor([[1.0, 2.0], [3.0, 4.0]]).double()
    expect.equal(
        got,
        torch.tensor([[0.0, 0.0], [2.339523, 3.339523]]),
        "for the two queries of the lesson, times their values",
        "beside a row that sees nothing, another row has gone wrong",
    )


@masked_softmax.property("in 16 bits, at the end of the range, nothing changes")
def softmax_half(call, draw):
    """Scores of 60,000; a hidden score above all visible ones; C02."""
    small, mask = torch.tensor([[1.0, 2.0, 1.0], [1.0, 2.0, 0.0]]), torch.zeros(2, 3).bool()
    mask[0, ::2] = True
    weights_of(call, small[:1], mask[:1])  # NaN here has another reason
    already = "it is wrong for small scores already: mend that first"
    got = without_nan(call, small, mask, torch.float32, already)
    expect.equal(got, mask / 2, "for two small rows", already)
    end = 60_000.0
    hidden_wins = "a hidden key with a large score takes the weight: that fill is too small"
    overflow = "with large scores it is no longer finite: subtract the row's largest score"
    beside = "beside a large hidden score the visible weights vanish"
    cases = (
        ([end, end, -end, 0.0], [1, 1, 1, 0], [0.5, 0.5, 0.0, 0.0], overflow),
        ([-end, -end, -end, -end], [1, 1, 1, 1], [0.25] * 4, overflow),
        ([end, -end, end, end], [0, 1, 0, 0], [0.0, 1.0, 0.0, 0.0], beside),
        ([-end, end, -end, 0.0], [1, 0, 1, 0], [0.5, 0.0, 0.5, 0.0], beside),
        ([end, -end], [0, 0], [0.0, 0.0], "large scores move a row that sees nothing"),
    )
    for dtype in TYPES:
        for scores, shown, right, fault in cases:
            mask = torch.tensor(shown).bool()
            got = without_nan(call, [scores], mask[None], dtype, fault)[0]
            seen = f"for {scores}, mask {shown}, {name_of(dtype)}"
            if mask.any() and (got[~mask] != 0).any():
                raise Broken(hidden_wins, f"{seen} it gives {show(got)}")
            expect.equal(got, torch.tensor(right), seen, fault)
        # a left-padded row of five, all its scores -17
        mask = masks.causal(5) & torch.tensor([False, False, False, True, True])
        right = torch.zeros(5, 5)
        right[3, 3], right[4, 3:] = 1, 0.5
        got = without_nan(call, torch.full((5, 5), -17.0), mask, dtype, "-17 is too much for it")
        seen = f"for a row padded on the left, {name_of(dtype)}"
        expect.equal(got, right, seen, "causal and left padding together go wrong")


# ---- 04.6 -----------------------------------------------------------------------------------

diagnose = Exercise(
    "04.6",
    "diagnose",
    title="Diagnose a stranger's mask",
    minutes=15,
    level="medium",
    points=2,
    hints=(
        "Do not hunt for the fault. What would the whole table look like for each of the four?",
        "A table and its transpose hold equally many yeses, so a count cannot tell them apart. One "
        "changed entry anywhere, also below the diagonal, must make it other.",
        "ones = torch.ones(T, T); the four tables are ones.tril(), ones.triu(), ones.tril(1) and "
        "ones. Compare each, as booleans, with torch.equal.",
    ),
)


def tables(T: int) -> dict[str, torch.Tensor]:
    """Return what each fault looks like."""
    ones = torch.ones(T, T)
    found = {"causal": ones.tril(), "transposed": ones.triu(), "one too many": ones.tril(1)}
    return {name: table.bool() for name, table in (found | {"no mask": ones}).items()}


def verdict(call, table: torch.Tensor) -> str:
    """Return the answer's word, one of the five."""
    word = expect.text(call(table), f"for T = {len(table)}")
    words = [*tables(4), "other"]
    if word not in words:
        raise WrongForm(
            "it returned another word than the five that are asked for",
            f"it returned {word!r}; asked for are {', '.join(words)}",
        )
    return word


def recognises(name: str) -> Callable:
    """Return a property's function: one table is recognised for every T."""

    def function(call, draw):
        for T in (4, 5, 6, 9):
            word = verdict(call, tables(T)[name])
            if word != name:
                raise Broken(f"the table of {name!r} is called {word!r}", f"with T = {T}")

    return function


for kind in tables(4):
    diagnose.property(f'"{kind}" is recognised, whatever T is')(recognises(kind))


@diagnose.property("a table that is none of the four is other")
def diagnose_others(call, draw):
    """Other triangles; the lesson's inverted mask; as many yeses in other places."""
    for T in (4, 6):
        ones = torch.ones(T, T)
        inverted = ones.triu()
        inverted[-2:] = ones.triu(1)[-2:]  # as the lesson measured it
        shuffled = ones.tril().flatten()[torch.randperm(T * T, generator=draw)].view(T, T)
        several = "a table that is none of the four gets a name"
        counts = "a count of yeses is taken for the table itself"
        two = "two too many is called one too many"
        for what, table, known in (
            ("a triangle two too wide", ones.tril(2), {"one too many": two}),
            ("a triangle without its diagonal", ones.tril(-1), {}),
            ("no influence at all", 0 * ones, {}),
            ("the inverted mask of the lesson", inverted, {}),
            ("as many yeses as causal, in other places", shuffled, {"causal": counts}),
        ):
            word = verdict(call, table.bool())
            if word != "other":
                raise Broken(known.get(word, several), f"{what}, T = {T}, is called {word!r}")


@diagnose.property("a single changed entry makes it other")
def diagnose_entries(call, draw):
    """Every entry for T = 4, and drawn ones for T = 7."""
    for T in (4, 7):
        for name, table in tables(T).items():
            places = [(t, s) for t in range(T) for s in range(T)]
            if T > 4:
                drawn = torch.randint(0, T, (6, 2), generator=draw)
                places = [tuple(place) for place in drawn.tolist()]
            for t, s in places:
                changed = table.clone()
                changed[t, s] = not changed[t, s]
                word = verdict(call, changed)
                if word != "other":
                    less = "less" if table[t, s] else "more"
                    where = "above the diagonal" if s > t else "on or below the diagonal"
                    raise Broken(
                        f"one yes {less} {where} goes unnoticed",
                        f"the table of {name!r} with T = {T} and entry ({t}, {s}) changed is "
                        f"called {word!r}",
                    )


# ---- 04.7 -----------------------------------------------------------------------------------

packed_prefix = Exercise(
    "04.7",
    "packed_prefix",
    title="Many questions in one row",
    minutes=30,
    level="challenge",
    points=5,
    hints=(
        "A pair passes two tests. Is it in one text? And within that text, what would "
        "masks.prefix allow? For the second you need each token's place in its own text.",
        "With all lengths 0 it is causal and document together. With one text it is the prefix "
        "mask. Swap two texts in the row, and their square blocks swap.",
        "place = each token's position in its own text (exercise 04.4). question = place < "
        "torch.tensor(prefix_lengths)[document_ids]. A pair is allowed if it is in the same text, "
        "and either causal or both its ends lie in the question.",
    ),
)


def prefix_right(lengths: Sequence[int], prefix: Sequence[int]) -> torch.Tensor:
    """Return the right mask: blocks along the diagonal."""
    blocks = [
        masks.prefix(torch.tensor([n]), length)[0, 0]
        for length, n in zip(lengths, prefix, strict=True)
    ]
    return torch.block_diag(*blocks).bool()


def prefix_mask(call, lengths: Sequence[int], prefix: Sequence[int]) -> torch.Tensor:
    """Return the answer's mask, after a look at its form."""
    ids = torch.arange(len(lengths)).repeat_interleave(torch.tensor(lengths))
    T = len(ids)
    seen = f"for texts of {list(lengths)} tokens with questions of {list(prefix)}"
    return expect.tensor(call(ids, list(prefix)), (T, T), "bool", seen)


def name_entry(got: torch.Tensor, lengths: Sequence[int], prefix: Sequence[int]) -> None:
    """Raise Broken with a sentence on the first wrong entry, if there is one."""
    right = prefix_right(lengths, prefix)
    wrong = first_wrong(got, right)
    if wrong is None:
        return
    t, s = wrong
    text = [number for number, length in enumerate(lengths) for _ in range(length)]
    place = [p for length in lengths for p in range(length)]
    asks, answers = (place[i] < prefix[text[i]] for i in (t, s))
    if right[t, s]:
        fault = "a token does not see what came before it in its text"
        if s > t:
            fault = "within a question, a token does not see what comes later in it"
    elif text[t] != text[s]:
        fault = "a token sees another text"
    elif asks and not answers:
        fault = "a question sees its answer, which comes later"
    else:
        fault = "an answer sees its own future"
    seen = f"for texts of {list(lengths)} tokens with questions of {list(prefix)}"
    raise Broken(fault, f"{seen}, query {t} and key {s}")


@packed_prefix.property("with one text it is the prefix mask")
def prefix_one(call, draw):
    """Questions of 0 to T tokens."""
    for T in (5, 1):
        for n in range(T + 1):
            got = prefix_mask(call, [T], [n])
            if n < T and T > 1:
                longer = prefix_right([T], [n + 1])
                if torch.equal(got, longer) and not torch.equal(longer, prefix_right([T], [n])):
                    raise Broken(
                        "the question is one token longer than it should be",
                        f"for one text of {T} tokens with a question of {n}",
                    )
            name_entry(got, [T], [n])


@packed_prefix.property("with questions of length 0 it is causal and document together")
def prefix_none(call, draw):
    """Several texts."""
    for lengths in ((2, 3), (1, 4, 2)):
        name_entry(prefix_mask(call, lengths, [0] * len(lengths)), lengths, [0] * len(lengths))


@packed_prefix.property("the block of each text is what that text would get alone")
def prefix_blocks(call, draw):
    """Each block against the answer for that text in a row of its own."""
    lengths = (3, 4, 2)
    prefix = (1, 2, 2)
    got = prefix_mask(call, lengths, prefix)
    start = 0
    for length, n in zip(lengths, prefix, strict=True):
        block = got[start : start + length, start : start + length]
        alone = prefix_mask(call, [length], [n])
        if not torch.equal(block, alone):
            raise Broken(
                "a text gets another block than it would get alone",
                f"for texts of {list(lengths)} tokens with questions of {list(prefix)}, the one "
                f"that begins at {start}",
            )
        start += length


@packed_prefix.property("a pair must be in one text, and either causal or both in the question")
def prefix_pairs(call, draw):
    """Fixed texts, where the slips differ, then drawn ones."""
    drawn = torch.randint(2, 6, (3,), generator=draw).tolist()
    some = [int(torch.randint(0, length + 1, (), generator=draw)) for length in drawn]
    for lengths, prefix in (((4, 7), (2, 5)), ((4, 3, 2), (2, 0, 2)), (drawn, some)):
        got = prefix_mask(call, lengths, prefix)
        T = sum(lengths)
        text = torch.arange(len(lengths)).repeat_interleave(torch.tensor(lengths))
        same = text[:, None] == text
        causal = masks.causal(T)
        first = torch.tensor([prefix[0]] * T)
        right = prefix_right(lengths, prefix)
        place = torch.cat([torch.arange(length) for length in lengths])
        question = place < torch.tensor(prefix)[text]
        ends = question[:, None] & question
        from_row = torch.arange(T) < torch.tensor(prefix)[text]
        of_first = place < first
        from_row = from_row[:, None] & from_row
        of_first = of_first[:, None] & of_first
        known = (
            (same & (causal | from_row), "places are counted from the row's beginning"),
            (same & (causal | of_first), "every question gets the length of the first"),
            ((same & causal) | ends, "questions of different texts see each other"),
            (causal | (same & ends), "the past of other texts is seen as well"),
            (same & (causal | question[:, None]), "a question sees its whole text, answer and all"),
            (same, "a whole text sees itself in both directions"),
        )
        if not torch.equal(got, right):
            seen = f"for texts of {list(lengths)} tokens with questions of {list(prefix)}"
            name_mask(got, known, seen)
        name_entry(got, lengths, prefix)


EXERCISES = (
    visible_pairs,
    to_may_attend,
    batch_mask,
    packed_positions,
    masked_softmax,
    diagnose,
    packed_prefix,
)
