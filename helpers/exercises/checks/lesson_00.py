"""Checks of the exercises of lesson 00, one token."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show
from helpers.language import captions

# -- 00.1

shapes = Exercise(
    "00.1",
    "shapes",
    title="Shapes by heart",
    minutes=2,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "Write the seven letter shapes down first: [B, T], [B, T, C] and so on. Which of the "
        "letters do batch and length stand for?",
        "Four of the seven shapes contain T: stations 1 to 4. At station 5 only the last row of "
        "each prompt is kept, so T disappears. Station 7 keeps B alone.",
        "return [[batch, length], [batch, length, 32], ...]: the shape of station 2 three times, "
        "then [batch, 32], [batch, 12], [batch].",
    ),
)

STATIONS = ("tokens", "embedding", "position", "block", "final states", "logits", "choice")
STATION_FAULTS = (
    "station 1, tokens: one id for each token of each prompt",
    "station 2, embedding: each id becomes a row of 32 numbers",
    "station 3, position: the places are added, and the shape stays",
    "station 4, block: it gives back the shape that it gets",
    "station 5, final states: of each prompt only the last row is kept",
    "station 6, logits: one score for each of the 12 words",
    "station 7, choice: one word for each prompt",
)


def seven(batch: int, length: int) -> list[list[int]]:
    """Return the right shapes."""
    rows = [[batch, length, 32]] * 3
    return [[batch, length], *rows, [batch, 32], [batch, 12], [batch]]


def shapes_of(call, batch: int, length: int) -> list[list[int]]:
    """Return the answer's shapes: seven lists of whole numbers."""
    given = f"for batch = {batch}, length = {length}"
    found = expect.items(call(batch, length), 7, given)
    return [expect.wholes(shape, seen=given) for shape in found]


def compare_shapes(call, batch: int, length: int) -> None:
    """Name the first station whose shape is not right."""
    got, right = shapes_of(call, batch, length), seven(batch, length)
    if got != right and got == seven(length, batch):
        raise Broken(
            "batch and length are exchanged: B comes first in every shape",
            f"for batch = {batch}, length = {length}: {show(got)}",
        )
    for station, fault in enumerate(STATION_FAULTS):
        given = f"for batch = {batch}, length = {length}:"
        expect.equal(got[station], right[station], given, fault)


@shapes.property("it returns seven lists of whole numbers")
def seven_lists(call, draw):
    """Form."""
    shapes_of(call, 1, 3)


@shapes.property("shapes(1, 3) is the running table of this lesson")
def the_table(call, draw):
    """The prompt of the lesson."""
    compare_shapes(call, 1, 3)


@shapes.property("exactly four of the seven change with the length")
def four_change(call, draw):
    """Two lengths, one batch."""
    batch, length = torch.randint(2, 9, (2,), generator=draw).tolist()
    pairs = zip(shapes_of(call, batch, length), shapes_of(call, batch, length + 1), strict=True)
    changed = [name for name, (a, b) in zip(STATIONS, pairs, strict=True) if a != b]
    if len(changed) != 4:
        raise Broken(
            "the number of shapes that change with the length is not four",
            f"from length {length} to {length + 1} these change: {', '.join(changed) or 'none'}",
        )


@shapes.property("all seven change with the batch, and fit prompts of any number and length")
def any_prompts(call, draw):
    """Other prompts."""
    for batch, length in ((5, 1), (2, 7), torch.randint(2, 30, (2,), generator=draw).tolist()):
        compare_shapes(call, batch, length)


# -- 00.2

pick = Exercise(
    "00.2",
    "pick",
    title="The strip",
    minutes=5,
    level="medium",
    points=2,
    hints=(
        "Lay the pieces side by side. Where does the first one end, where the second?",
        "Add the probabilities up from the left, and stop at the first sum that is greater than "
        "the spot. Greater, not greater or equal: for [0, 0.5, 0.5] and spot 0 that is index 1.",
        "end = 0, then for each index: end += law[index], and return the index if spot < end. If "
        "no sum was greater, go through the indices from the right and return the first one whose "
        "probability is above 0.",
    ),
)


def right_piece(law: list[float], spot: float) -> int:
    """Return the index of the piece that the spot falls on."""
    end = 0.0
    for index, share in enumerate(law):
        end += share
        if spot < end:
            return index
    return max(index for index, share in enumerate(law) if share > 0)


def picked(call, law: list[float], spot: float) -> int:
    """Return the answer's index, and see that there is such a word."""
    given = f"for law = {show(law)}, spot = {spot:g}"
    index = expect.whole(call(law, spot), given)
    if not 0 <= index < len(law):
        raise Broken("it returned an index that the law does not have", f"{given}: {index}")
    return index


def drawn_law(draw, V: int) -> list[float]:
    """Return V probabilities in whole 64ths, all above 0, that add up to 1 exactly."""
    cuts = sorted((1 + torch.randperm(63, generator=draw)[: V - 1]).tolist())
    ends = [*cuts, 64]
    return [(end - start) / 64 for start, end in zip([0, *cuts], ends, strict=True)]


@pick.property("it returns the index of a word")
def an_index(call, draw):
    """Form."""
    for law, spot in (([1.0], 0.0), ([0.5, 0.5], 0.25), ([0.25, 0.25, 0.5], 0.9)):
        picked(call, law, spot)


@pick.property("over evenly spaced spots each word comes up as often as its probability says")
def in_proportion(call, draw):
    """Sixteen spots over fixed laws, 64 over a drawn one."""
    for law, n in (([0.25, 0.5, 0.25], 16), ([0.125, 0.125, 0.75], 16), (drawn_law(draw, 4), 64)):
        spots = [(k + 0.5) / n for k in range(n)]
        got = [picked(call, law, spot) for spot in spots]
        counts = [got.count(index) for index in range(len(law))]
        wanted = [round(share * n) for share in law]
        known = (
            (
                [n * (index == law.index(max(law))) for index in range(len(law))],
                "it returns the likeliest word every time: a draw gives the others too",
            ),
        )
        expect.equal(
            counts,
            wanted,
            f"{n} spots over law = {show(law)}, how often each word comes up:",
            "some words come up too often and others too seldom",
            known,
        )


@pick.property("the pieces lie from left to right, in the order of the words")
def left_to_right(call, draw):
    """Single spots in the middle of pieces."""
    cases = [([0.5, 0.25, 0.25], spot) for spot in (0.1, 0.6, 0.9)]
    law = drawn_law(draw, 5)
    cases += [(law, k / 64 + 1 / 128) for k in range(0, 64, 5)]
    got = [picked(call, law, spot) for law, spot in cases]
    right = [right_piece(law, spot) for law, spot in cases]
    mirrored = [len(law) - 1 - right_piece(law[::-1], spot) for law, spot in cases]
    if got == mirrored:
        raise Broken("the pieces lie from right to left", f"for {show(cases[0][0])}, spot = 0.1")
    for (law, spot), index, wanted in zip(cases, got, right, strict=True):
        given = f"for law = {show(law)}, spot = {spot:g}:"
        expect.equal(index, wanted, given, "the spot lies on another piece")


@pick.property("a spot on a cut belongs to the piece that begins there")
def on_a_cut(call, draw):
    """Spots on the cuts exactly."""
    cases = (([0.5, 0.5], 0.5), ([0.25, 0.25, 0.5], 0.25), ([0.25, 0.25, 0.5], 0.5))
    got = [picked(call, law, spot) for law, spot in cases]
    right = [right_piece(law, spot) for law, spot in cases]
    fault = "a spot on a cut lies on another piece"
    if got == [index - 1 for index in right]:
        fault = (
            "a spot on a cut gets the piece that ends there: a sum must be greater than the spot"
        )
    for (law, spot), index, wanted in zip(cases, got, right, strict=True):
        expect.equal(index, wanted, f"for law = {show(law)}, spot = {spot:g}:", fault)


@pick.property("a word with probability 0 is never picked, not even for spot 0")
def never_zero(call, draw):
    """Zeros in front, in the middle and at the end."""
    for law, spot in (
        ([0.0, 0.5, 0.5], 0.0),
        ([0.0, 0.0, 1.0], 0.0),
        ([0.5, 0.0, 0.5], 0.5),
        ([0.5, 0.5, 0.0], 0.984375),
    ):
        index = picked(call, law, spot)
        given = f"for law = {show(law)}, spot = {spot:g}: it picks word {index}"
        if law[index] == 0:
            raise Broken("a word with probability 0 is picked", given)


@pick.property("where the sum is a little under 1, the last possible word takes the rest")
def little_under_one(call, draw):
    """Spots beyond the last sum."""
    laws = ([0.25, 0.734375], [0.5, 0.484375, 0.0], [0.25, 0.25, 0.484375, 0.0, 0.0])
    spot = 0.9921875
    got = []
    for law in laws:
        if call.error(law, spot):
            raise Broken(
                "it raises an exception where the sum is a little under 1",
                f"for law = {show(law)}, spot = {spot}",
            )
        got.append(picked(call, law, spot))
    fault = "a spot beyond the last sum gets another word"
    if any(law[index] == 0 for law, index in zip(laws, got, strict=True)):
        fault = "a spot beyond the last sum gets a word that cannot come"
    elif got == [0, 0, 0] and picked(call, laws[0], 0.9) == 1:
        fault = "a spot beyond the last sum gets the first word: it lies at the other end"
    for law, index in zip(laws, got, strict=True):
        right = right_piece(law, spot)
        expect.equal(index, right, f"for law = {show(law)}, spot = {spot}:", fault)


# -- 00.3

count = Exercise(
    "00.3",
    "count",
    title="Where the numbers are",
    minutes=10,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "A matrix from m to n with a bias has m × n + n numbers. How many such matrices are there, "
        "and from what to what does each lead?",
        "One word more must bring 2 C + 1 numbers: a row of the word table, and a column with its "
        "bias in the last step. One place more brings C. One hidden number more brings 2 C + 1.",
        "V * C + T * C, then 4 * (C * C + C), then C * hidden + hidden and hidden * C + C, then "
        "2 * 2 * C, then C * V + V.",
    ),
)


def total(V, C, T, hidden) -> int:
    """Return the right number."""
    tables = V * C + T * C
    block = 4 * (C * C + C) + (C * hidden + hidden) + (hidden * C + C) + 2 * 2 * C
    return tables + block + C * V + V


def counted(call, V, C, T, hidden) -> int:
    """Return the answer's number."""
    return expect.whole(call(V, C, T, hidden), f"for V, C, T, hidden = {V}, {C}, {T}, {hidden}")


def one_more(call, draw, which: int, right, known=()) -> None:
    """See how many numbers come when one size grows by one."""
    names = ("V", "C", "T", "hidden")
    sizes = torch.randint(3, 20, (4,), generator=draw).tolist()
    more = [size + (place == which) for place, size in enumerate(sizes)]
    C = sizes[1]
    before = counted(call, *sizes)
    if before == counted(call, *(size + 1 for size in sizes)):
        raise Broken("it gives the same number whatever the sizes are", f"{before}")
    expect.equal(
        counted(call, *more) - before,
        right(C),
        f"for {', '.join(names)} = {', '.join(map(str, sizes))}, with one more {names[which]}:",
        f"one more {names[which]} brings the wrong number of numbers",
        [(value(C), sentence) for value, sentence in known],
    )


@count.property("one more word brings a row of C, and a column of C with its bias")
def one_word(call, draw):
    """2 C + 1."""
    known = (
        (lambda C: 2 * C, "the last step has no bias"),
        (lambda C: C, "the word table and the last step are two matrices, and one is missing"),
        (lambda C: C + 1, "the word table is missing"),
    )
    one_more(call, draw, 0, lambda C: 2 * C + 1, known)


@count.property("one more place brings a row of C")
def one_place(call, draw):
    """C."""
    known = ((lambda C: 0, "the place table is missing"),)
    one_more(call, draw, 2, lambda C: C, known)


@count.property("one more hidden number brings two rows of C, and a bias")
def one_hidden(call, draw):
    """2 C + 1."""
    known = (
        (lambda C: 2 * C, "the step from C to hidden has no bias"),
        (lambda C: C + 1, "the feed-forward leads to hidden and not back"),
        (lambda C: 2 * C + 2, "the bias of a matrix from m to n has n numbers: see the way back"),
    )
    one_more(call, draw, 3, lambda C: 2 * C + 1, known)


@count.property("together they are right, also for this model: 13,772")
def all_together(call, draw):
    """Other sizes, and the model of the lesson."""
    drawn = [torch.randint(2, 30, (4,), generator=draw).tolist() for _ in range(2)]
    for V, C, T, hidden in ((12, 32, 9, 128), (1, 1, 1, 1), *drawn):
        right = total(V, C, T, hidden)
        known = (
            (right - 4 * C, "the four C × C matrices have no biases"),
            (right - 3 * (C * C + C), "of the four C × C matrices only one is counted"),
            (right - C * C - C, "of the four C × C matrices only three are counted"),
            (right - 2 * C, "two norms of 2 C numbers each: half of them is missing"),
            (right - 4 * C - C, "the biases of the four matrices and of the way back are missing"),
            (right - C, "the step from hidden back to C has no bias"),
            (right - 4 * C * C - 4 * C, "the four C × C matrices are missing"),
        )
        given = f"for V, C, T, hidden = {V}, {C}, {T}, {hidden}:"
        got = counted(call, V, C, T, hidden)
        expect.equal(got, right, given, "the sum of all parts is another one", known)


# -- 00.4

predictions = Exercise(
    "00.4",
    "predictions",
    title="Every row predicts",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "Row t answers the question: what comes after token t? So one answer for each row, not "
        "one for the table.",
        "Adding a number to all logits of a row must change nothing, also if all of them become "
        "negative. For the row [2, 7, 7] the answer is 1: the lowest id of the largest.",
        "For each row: row.index(max(row)). Collect these in a list.",
    ),
)


def ids_of(call, table: list[list[float]]) -> list[int]:
    """Return the answer's ids, one a row."""
    return expect.wholes(call(table), len(table), f"for {show(table)}")


def whole_table(draw, T: int, V: int) -> list[list[float]]:
    """Return T rows of V different whole numbers, as floats."""
    rows = [torch.randperm(3 * V, generator=draw)[:V] - V for _ in range(T)]
    return [row.double().tolist() for row in rows]


@predictions.property("it returns one id for each row")
def one_a_row(call, draw):
    """Form, for more rows than words and fewer."""
    for T, V in ((3, 5), (5, 3), (1, 2), (2, 1)):
        ids_of(call, whole_table(draw, T, V))


@predictions.property("the id of a row is the place of its largest logit")
def likeliest(call, draw):
    """Different numbers in each row."""
    tables = [[[-9.0, 3.0, 2.0], [1.0, -7.0, 8.0]]]  # on this one all known faults differ
    tables += [whole_table(draw, T, V) for T, V in ((3, 5), (4, 4), (5, 3), (4, 12))]
    for table in tables:
        T, V = len(table), len(table[0])
        known = (
            (
                [row.index(min(row)) for row in table],
                "it gives the unlikeliest word of each row",
            ),
            (
                [int(max(row)) for row in table],
                "it gives the largest logit itself, not its place",
            ),
            (
                [row.index(max(row)) + 1 for row in table],
                "it counts from 1: the first word of the vocabulary has id 0",
            ),
            (
                [max(range(V), key=lambda i, row=row: abs(row[i])) for row in table],
                "it takes the number that is farthest from 0: a negative logit is a low one",
            ),
            (
                [table[-1].index(max(table[-1]))] * T,
                "every row got the answer of the last one",
            ),
            (
                [max(range(T), key=lambda t, i=i: table[t][i]) for i in range(min(T, V))],
                "it goes down the columns: each row has an answer of its own",
            ),
        )
        right = [row.index(max(row)) for row in table]
        expect.equal(ids_of(call, table), right, f"for {show(table)}:", known=known)


@predictions.property("where several are equally likely, it is the lowest of their ids")
def lowest(call, draw):
    """Ties."""
    table = [[2.0, 7.0, 7.0], [5.0, 5.0, 5.0], [1.0, -3.0, 1.0], [0.0, 1.0, 1.0]]
    known = (([2, 2, 2, 2], "of several ids that are equally likely it gives the highest"),)
    fault = "a row with several likeliest ids gets another one than the lowest"
    expect.equal(ids_of(call, table), [1, 0, 0, 1], f"for {show(table)}:", fault, known)


@predictions.property("the same number added to all logits of a row changes nothing")
def shifted(call, draw):
    """Upwards, downwards, and another number for each row."""
    table = whole_table(draw, 4, 5)
    before = ids_of(call, table)
    for added in ([100] * 4, [7, 20, 50, 3], [-100] * 4):
        moved = [[z + plus for z in row] for row, plus in zip(table, added, strict=True)]
        after = ids_of(call, moved)
        if after != before:
            row = next(t for t in range(4) if after[t] != before[t])
            fault = "a number added to a whole row changes its answer"
            if added[0] < 0 and after == [0] * 4:
                fault = (
                    "where all logits are below 0 it goes wrong: the best so far begins too high"
                )
            raise Broken(
                fault,
                f"row {show(table[row])} gives {before[row]}, with {added[row]} added "
                f"it gives {after[row]}",
            )


# -- 00.5

finish = Exercise(
    "00.5",
    "finish",
    title="The whole loop",
    minutes=30,
    level="challenge",
    points=4,
    hints=(
        "Each turn is station 1 to 7 once more: look up the law of what stands there, draw, put "
        "the word behind it. When does it stop?",
        "Copy pick into the cell. The first spot belongs to the first new word, the second to the "
        "second. Spots that are left when id 2 comes stay unused.",
        "table = {tuple(known): law for known, law in laws} and sentence = list(prefix). Then for "
        "each spot: append pick(table[tuple(sentence)], spot), and break if it was 2.",
    ),
)


def laws_of_captions() -> list[list]:
    """Return [prefix, law] for all prefixes of the captions, as the lesson makes them."""
    language = captions()
    return [[list(prefix), language.next_token(prefix).tolist()] for prefix in language.prefixes]


def drawn_laws(draw, longest: int = 4) -> list[list]:
    """Return [prefix, law] for all prefixes of a small language of 5 words, with zeros in them.

    Words 0 and 1 never come. After the longest prefix comes 2 in any case.
    """
    laws, open_prefixes = [], [[1]]
    for length in range(1, longest + 1):
        following = []
        for prefix in open_prefixes:
            end, *rest = drawn_law(draw, 3)
            law = [0.0, 0.0, end, *rest] if length < longest else [0.0, 0.0, 1.0, 0.0, 0.0]
            laws.append([prefix, law])
            following += [[*prefix, word] for word in (3, 4)]
        open_prefixes = following
    order = torch.randperm(len(laws), generator=draw).tolist()
    return [laws[place] for place in order]


def some_spots(draw, n: int = 8) -> list[float]:
    """Return spots that lie on no cut of 64ths."""
    return ((torch.randint(64, (n,), generator=draw).double() + 0.5) / 64).tolist()


def finished(laws, prefix, spots, turn=lambda spots, n: spots[n], choose=right_piece):
    """Return the right sentence; turn and choose let known faults in. None where they get lost."""
    table = {tuple(known): law for known, law in laws}
    sentence = list(prefix)
    for n in range(len(spots)):
        law = table.get(tuple(sentence))
        if law is None:
            return None
        sentence.append(choose(law, turn(spots, n)))
        if sentence[-1] == 2:
            break
    return sentence


def sentence_of(call, laws, prefix, spots) -> list[int]:
    """Return the answer's ids."""
    given = f"for {len(laws)} laws, prefix = {prefix}, spots = {show(spots)}"
    return expect.wholes(call(laws, prefix, spots), seen=given)


def tries(draw) -> list[tuple]:
    """Return (laws, prefix, spots) of both languages, from several beginnings."""
    from_captions, drawn = laws_of_captions(), drawn_laws(draw)
    mixed = [0.9, 0.9, 0.1, 0.3, 0.7, 0.2, 0.6, 0.4]  # with these all known faults differ
    cases = [(from_captions, [1], mixed)]
    cases += [(from_captions, prefix, some_spots(draw)) for prefix in ([1], [1, 3], [1, 3, 9])]
    cases += [(drawn, prefix, some_spots(draw)) for prefix in ([1], [1], [1, 3], [1, 4], [1, 4, 3])]
    return cases


@finish.property("it returns the prefix and the new words, in one list")
def begins_with_the_prefix(call, draw):
    """Form."""
    for laws, prefix, spots in tries(draw):
        got = sentence_of(call, laws, prefix, spots)
        given = f"for prefix = {prefix} it gives {show(got)}"
        if got[: len(prefix)] != prefix:
            raise Broken("the sentence does not begin with the prefix", given)
        if len(got) == len(prefix):
            raise Broken("no word was added to the prefix", given)


@finish.property("it ends with the first 2, <eos>")
def ends_with_two(call, draw):
    """Exactly one 2, at the end."""
    cases = tries(draw)
    got = [sentence_of(call, *case) for case in cases]
    fault = "it stops before the end of the sentence, or never finds it: no 2 stands in it"
    if got == [finished(*case)[:-1] for case in cases]:
        fault = "the 2 at the end is left out: it is a word of the sentence too"
    for (_, prefix, spots), sentence in zip(cases, got, strict=True):
        given = f"for prefix = {prefix}, spots = {show(spots)}: {show(sentence)}"
        if 2 not in sentence:
            raise Broken(fault, given)
        if sentence.index(2) < len(sentence) - 1:
            raise Broken("it goes on behind the 2", given)


@finish.property("each new word is drawn from the law of all words before it, with the next spot")
def one_spot_a_word(call, draw):
    """Compare, and name the known slips."""
    cases = tries(draw)
    got = [sentence_of(call, *case) for case in cases]
    right = [finished(*case) for case in cases]
    slips = (
        (
            {"turn": lambda spots, n: spots[0]},
            "every word is drawn with the first spot: each word has a spot of its own",
        ),
        (
            {"turn": lambda spots, n: spots[-1 - n]},
            "the spots are used from the end",
        ),
        (
            {"turn": lambda spots, n: spots[min(n + 1, len(spots) - 1)]},
            "the first spot is left out",
        ),
        (
            {"turn": lambda spots, n: spots[min(2 * n, len(spots) - 1)]},
            "two spots are used for each word",
        ),
        (
            {"choose": lambda law, spot: law.index(max(law))},
            "the likeliest word is taken: the spots make no difference",
        ),
    )
    for slip, sentence in slips:
        if got != right and got == [finished(*case, **slip) for case in cases]:
            raise Broken(sentence, f"for prefix = {cases[0][1]}, spots = {show(cases[0][2])}")
    for (_, prefix, spots), mine, wanted in zip(cases, got, right, strict=True):
        given = f"for prefix = {prefix}, spots = {show(spots)}:"
        expect.equal(mine, wanted, given, "the spots and the laws lead to another sentence")


@finish.property("every sentence that it returns has a positive probability")
def possible(call, draw):
    """Spots on 0 and on cuts, and laws whose sum is a little under 1."""
    low = [[[1], [0.0, 0.0, 0.0, 0.984375, 0.0]], [[1, 3], [0.0, 0.0, 0.984375, 0.0, 0.0]]]
    cases = [
        (laws_of_captions(), [0.0] * 8),
        (laws_of_captions(), [0.5] * 8),
        (drawn_laws(draw), [0.0] * 8),
        (low, [0.9921875] * 3),
    ]
    for laws, spots in cases:
        seen = f"for {len(laws)} laws, prefix = [1], every spot {spots[0]}"
        if call.error(laws, [1], spots):
            raise Broken(
                "a spot on 0, on a cut or near 1 leads to a word that cannot come, and from there "
                "to an exception",
                seen,
            )
        got = sentence_of(call, laws, [1], spots)
        law_of = {tuple(known): law for known, law in laws}
        for n in range(1, len(got)):
            law = law_of.get(tuple(got[:n]))
            if law is None:
                fault = "what it returns is no sentence that these laws can give"
                raise Broken(fault, f"{seen}: {show(got)}")
            if not 0 <= got[n] < len(law) or law[got[n]] == 0:
                fault = "a word with probability 0 stands in the sentence"
                raise Broken(fault, f"{seen}: {show(got)}, word {n}")


@finish.property("the same spots give the same sentence, and spots that are left change nothing")
def spare_spots(call, draw):
    """Twice, and with more spots behind."""
    for laws, prefix, spots in tries(draw):
        first, again, more = (
            sentence_of(call, laws, prefix, given) for given in (spots, spots, [*spots, 0.1, 0.9])
        )
        if first != again:
            raise Broken("the same spots gave another sentence", f"{show(first)}, {show(again)}")
        if first != more:
            raise Broken(
                "spots that are not needed changed the sentence",
                f"for prefix = {prefix}: {show(first)}, with two more spots {show(more)}",
            )
        needed = spots[: len(first) - len(prefix)]
        if call.error(laws, prefix, needed):
            raise Broken(
                "it asks for more spots than it adds words",
                f"for prefix = {prefix} and the {len(needed)} spots of its {len(needed)} new words",
            )


EXERCISES = (shapes, pick, count, predictions, finish)
