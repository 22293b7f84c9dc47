"""Checks of the exercises of lesson 02, averaging the past."""

import math
from collections import defaultdict
from itertools import pairwise
from weakref import WeakKeyDictionary

import torch

from helpers import language as languages
from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.exercises.plain import show

BOS, EOS = languages.BOS, languages.EOS


def equal_rows(
    got: torch.Tensor, right: torch.Tensor, seen: str, fault: str, known: list[tuple]
) -> None:
    """Raise Broken unless two matrices are equal; show the first row that differs."""
    try:
        expect.equal(got, right, seen, fault, known)
    except Broken as error:
        row = next(t for t in range(len(right)) if not expect.close(got[t], right[t]))
        shown = f"row {row} is {show(got[row])}, right is {show(right[row])}"
        raise Broken(error.fault, f"{seen} {shown}") from None


# ---- 02.1

shares = Exercise(
    "02.1",
    "shares",
    title="Shares in your head",
    minutes=3,
    level="warm-up",
    points=1,
    imports=("math",),
    hints=(
        "The ratio of two shares is e to the power of the difference of their scores. Which "
        "change to the scores keeps all differences, and makes the powers small enough?",
        "The shares of [1000, 1000] are [0.5, 0.5], and so are those of [-1000, -1000]. Only the "
        "differences count: [5, 6] and [1005, 1006] get the same shares.",
        "largest = max(scores). Then powers = [math.exp(score - largest) for score in scores], "
        "and each power is divided by sum(powers). math.exp(-math.inf) is 0, as it should be.",
    ),
)


def shares_right(scores: list[float], base: float = math.e) -> list[float]:
    """Return softmax, with powers of e or of another base."""
    powers = [base ** (score - max(scores)) for score in scores]
    return [power / sum(powers) for power in powers]


def some_scores(draw: torch.Generator) -> list[list[float]]:
    """Return fixed and drawn lists of scores."""
    drawn = (3 * torch.randn(5, generator=draw)).tolist()
    return [[0.0, math.log(3)], [2.0, 1.0, 0.0, -1.0], drawn, [0.7]]


def shares_of(call, scores: list[float]) -> list[float]:
    """Return the answer's shares, if it gives any."""
    seen = f"for {show(scores)}"
    if error := call.error(scores):
        extreme = max(scores) > 100 or max(scores) < -100
        raise Broken(
            "large scores break it: only their differences count, so subtract the largest first"
            if extreme
            else "it raises an exception for ordinary scores",
            f"{seen} it raised {error}",
        )
    value = call(scores)
    if max(scores) > 100 and isinstance(value, list) and any(map(is_nan, value)):
        raise Broken("large scores give NaN: infinity divided by infinity", seen)
    return expect.numbers(value, len(scores), seen)


def is_nan(value) -> bool:
    """Return whether a value is the float NaN."""
    return isinstance(value, float) and math.isnan(value)


@shares.property("it gives one share for each score; none is negative, and their sum is 1")
def sum_to_one(call, draw):
    """Moderate scores."""
    for scores in some_scores(draw):
        got = shares_of(call, scores)
        seen = f"for {show(scores)} it gives {show(got)}"
        if min(got) < 0:
            raise Broken("a share is negative: take powers before you divide", seen)
        expect.equal(sum(got), 1.0, f"{seen}, for the sum", "the shares do not sum to 1")


@shares.property("the ratio of two shares is e to the power of the difference of their scores")
def ratios(call, draw):
    """Compare, and name the known slips."""
    for scores in some_scores(draw):
        expect.equal(
            shares_of(call, scores),
            shares_right(scores),
            f"for {show(scores)}",
            "the ratios of the shares are wrong",
            known=(
                (shares_right(scores, 2), "these are powers of 2, not of e"),
                (shares_right(scores, 1 / math.e), "the order is turned: a larger score gets less"),
                (
                    [score / (sum(scores) or 1) for score in scores],
                    "these are shares of the scores themselves: the powers are missing",
                ),
            ),
        )


@shares.property("adding a constant changes nothing, even 1000 or -1000")
def constants(call, draw):
    """Shift the scores far away."""
    for scores in ([0.0, math.log(3)], [2.0, -1.0, 0.5]):
        before = shares_of(call, scores)
        for constant in (5.0, -5.0, 1000.0, -1000.0):
            shifted = [score + constant for score in scores]
            now = shares_of(call, shifted)
            if not expect.close(now, before):
                raise Broken(
                    "the shares change when every score grows by the same",
                    f"{show(scores)} gives {show(before)}, but {show(shifted)} gives {show(now)}",
                )


@shares.property("scores may lie as far apart as 2000")
def far_apart(call, draw):
    """The low ones get nothing, the high ones share as if they were alone."""
    alone = shares_of(call, [1.0, 0.0])
    scores = [-1000.0, 0.0, 1000.0, 999.0]
    expect.equal(
        shares_of(call, scores),
        [0.0, 0.0, *alone],
        f"for {show(scores)}",
        "scores that lie far apart get wrong shares: the lowest powers may vanish, not the highest",
        known=(
            ([1.0, 0.0, 0.0, 0.0], "the order is turned: a larger score gets less"),
            (
                [score / sum(scores) for score in scores],
                "these are shares of the scores themselves: the powers are missing",
            ),
        ),
    )


@shares.property("a score of minus infinity gets the share 0, and the rest as without it")
def hidden_scores(call, draw):
    """Compare with the shares of the other scores alone."""
    for scores in ([2.0, -math.inf, 1.0], [-math.inf, 3.0]):
        seen = f"for {show(scores)}"
        if error := call.error(scores):
            raise Broken("minus infinity breaks it", f"{seen} it raised {error}")
        value = call(scores)
        if isinstance(value, list) and any(map(is_nan, value)):
            raise Broken("minus infinity makes NaN of a share", seen)
        got = expect.numbers(value, len(scores), seen)
        alone = iter(shares_of(call, [score for score in scores if score > -math.inf]))
        right = [0.0 if score == -math.inf else next(alone) for score in scores]
        expect.equal(got, right, seen, "a hidden score still takes a share")


# ---- 02.2

window_matrix = Exercise(
    "02.2",
    "window_matrix",
    title="A short memory",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "The triangle of the lesson hides what comes too late. What hides what came too early?",
        "With width = 1 every row sees only itself. Row 0 is [1, 0, 0, ...] for every width. Near "
        "the beginning fewer than width rows are there, and still the row sums to 1.",
        "torch.ones(length, length).tril() keeps the past, .triu(diagonal=1 - width) the last "
        "width of it. Then divide by band.sum(dim=1, keepdim=True).",
    ),
)
WINDOWS = ((1, 1), (4, 1), (4, 2), (6, 3), (5, 4), (3, 3), (4, 9))


def band(length: int, first: int, last: int) -> torch.Tensor:
    """Return 1 where a column is from first to last places before its row, [T, T]."""
    row = torch.arange(length)[:, None]
    before = row - torch.arange(length)
    return ((before >= first) & (before <= last)).double()


def normal(matrix: torch.Tensor, dim: int = 1) -> torch.Tensor:
    """Return a matrix whose rows sum to 1; rows of zeros stay."""
    return matrix / matrix.sum(dim=dim, keepdim=True).clamp(min=1)


@window_matrix.property("it is a square of weights, one row for each row of x")
def square(call, draw):
    """[T, T]."""
    for length, width in WINDOWS:
        seen = f"for length {length}, width {width}"
        expect.tensor(call(length, width), (length, length), seen=seen)


@window_matrix.property("nothing stands above the diagonal")
def no_future(call, draw):
    """No weight on a later row."""
    for length, width in WINDOWS:
        W = expect.tensor(call(length, width), (length, length))
        if (W.triu(1).abs() > 1e-6).any():
            t, s = (W.triu(1).abs() > 1e-6).nonzero()[0].tolist()
            raise Broken(
                "a row takes from a later row",
                f"for length {length}, width {width}: row {t} takes {W[t, s]:.3g} from row {s}",
            )


@window_matrix.property("each row sums to 1, near the beginning too")
def rows_sum_to_one(call, draw):
    """Row sums."""
    for length, width in WINDOWS:
        W = expect.tensor(call(length, width), (length, length))
        sums = W.sum(dim=1)
        if expect.close(sums, torch.ones(length)):
            continue
        row = int(((sums - 1).abs() > 1e-5).nonzero()[0])
        fault = "a row does not sum to 1"
        if row < width - 1:
            fault += ": near the beginning the window holds fewer rows than width"
        if expect.close(W.sum(dim=0), torch.ones(length)):
            fault = "the columns sum to 1 instead of the rows"
        raise Broken(
            fault, f"for length {length}, width {width}: row {row} sums to {sums[row]:.4g}"
        )


@window_matrix.property("row t is the average of the last `width` rows up to t")
def window_values(call, draw):
    """Compare, and name the known slips."""
    for length, width in WINDOWS:
        seen = f"for length {length}, width {width}:"
        right = normal(band(length, 0, width - 1))
        got = expect.tensor(call(length, width), (length, length))
        inside = expect.close((got != 0).double(), (right != 0).double())
        equal_rows(
            got,
            right,
            seen,
            "the rows in the window do not count alike"
            if inside and expect.close(got.sum(dim=1), torch.ones(length))
            else "the weights are not those of an average over the window",
            known=(
                (normal(band(length, 0, width)), "the window is one row too wide"),
                (normal(band(length, 0, max(0, width - 2))), "the window is one row too narrow"),
                (normal(band(length, 0, length)), "it averages the whole past, not the window"),
            ),
        )


# ---- 02.3

running_average = Exercise(
    "02.3",
    "running_average",
    title="One row at a time",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "If you know the sum of rows 0 to t - 1, how much work is the sum of rows 0 to t?",
        "Row 0 of the result is x[0]. For a constant x the result is x. And a row must not care "
        "what comes later, not even if that is infinite: 0 times infinity is NaN, so a matrix "
        "with zeros cares.",
        "total = torch.zeros(x.shape[1]), an empty list of rows. For t, row in enumerate(x): "
        "total = total + row, and append total / (t + 1). At the end torch.stack(rows).",
    ),
)


def some_rows(draw: torch.Generator) -> list[torch.Tensor]:
    """Return tensors [T, C], T = 1 among them."""
    shapes = ((1, 3), (4, 2), (7, 5), (40, 1))
    return [torch.randn(shape, generator=draw) for shape in shapes]


@running_average.property("it gives one row for each row of x, and row 0 is x[0]")
def first_row(call, draw):
    """The form, and a mean of one thing."""
    for x in some_rows(draw):
        T, C = x.shape
        got = expect.tensor(call(x), (T, C), seen=f"for T = {T}, C = {C}", infinite=True)
        expect.equal(
            got[0],
            x[0].double(),
            f"for T = {T}, C = {C}:",
            "row 0 is not x[0], though the average of one row is this row",
        )


@running_average.property("row t is the mean of rows 0 to t")
def means(call, draw):
    """Compare, and name the known slips."""
    for x in some_rows(draw):
        T, C = x.shape
        x = x + 0.5  # so that the mean of all is not near 0
        sums = x.double().cumsum(dim=0)
        counts = torch.arange(1, T + 1)[:, None]
        right = sums / counts
        halves = [x[0].double()]
        for row in x[1:]:
            halves.append((halves[-1] + row.double()) / 2)
        before = torch.cat([x[:1].double(), right[:-1]])
        equal_rows(
            expect.tensor(call(x), (T, C), infinite=True),
            right,
            f"for T = {T}, C = {C}:",
            "a row is not the mean of the rows up to it",
            known=(
                (sums, "these are sums: divide by the number of rows so far"),
                (sums / T, "it divides by the number of all rows, not of the rows so far"),
                (sums / (counts - 1), "it divides by one row too few"),
                (sums / (counts + 1), "it divides by one row too many"),
                (before, "row t itself is missing in its average"),
                (torch.stack(halves), "old rows fade: the average so far is no single row"),
                (
                    right[-1].expand(T, C),
                    "all rows are the last one: the list holds one tensor many times, and a "
                    "change in place changes them all",
                ),
            ),
        )


@running_average.property("no row depends on a later one, not even on an infinite one")
def no_matrix(call, draw):
    """Put infinity into one row: the rows before must stay."""
    x = torch.randn(6, 3, generator=draw)
    before = expect.tensor(call(x), (6, 3), infinite=True)
    for changed in (1, 3, 5):
        other = x.clone()
        other[changed, 1] += 1
        after = expect.tensor(call(other), (6, 3), infinite=True)
        if not expect.close(after[:changed], before[:changed]):
            raise Broken(
                "an earlier row changes with a later one", f"with T = 6, row {changed} was changed"
            )
        other[changed, 1] = math.inf
        after = call(other)
        if not isinstance(after, torch.Tensor) or after.shape != x.shape:
            expect.tensor(after, (6, 3))
        if not expect.close(after[:changed], before[:changed]):
            raise Broken(
                "a row cares for an infinite one that comes later: a matrix multiplies the future "
                "by 0, and 0 times infinity is NaN",
                f"with T = 6, when infinity stood in row {changed}",
            )


@running_average.property("the average of equal rows is this row, however many they are")
def long_rows(call, draw):
    """T = 300, all rows alike."""
    x = torch.randn(1, 2, generator=draw).repeat(300, 1)
    equal_rows(
        expect.tensor(call(x), (300, 2), infinite=True),
        x.double(),
        "for 300 equal rows:",
        "the average of equal rows is not this row",
        known=[],
    )


# ---- 02.4

bigram_law = Exercise(
    "02.4",
    "bigram_law",
    title="Counting instead of training",
    minutes=15,
    level="medium",
    points=3,
    hints=(
        "Every pair of neighbours in a sentence is one observation. Which of the two words chooses "
        "the row?",
        "Each row sums to 1, or to 0 if its word never comes before another one. No pair reaches "
        "from one sentence into the next. A pair that came three times counts three times.",
        "counts = torch.zeros(V, V). For each sentence, for now, following in zip(sentence, "
        "sentence[1:]): counts[now, following] += 1. Then counts / counts.sum(dim=1, "
        "keepdim=True).clamp(min=1).",
    ),
)


def pair_counts(sentences: list[list[int]], V: int) -> torch.Tensor:
    """Return how often each pair of neighbours comes, [V, V]."""
    counts = torch.zeros(V, V, dtype=torch.float64)
    for sentence in sentences:
        for now, following in pairwise(sentence):
            counts[now, following] += 1
    return counts


def some_sentences(draw: torch.Generator) -> list[tuple[list[list[int]], int]]:
    """Return (sentences, V): a small fixed set and a drawn one, of different lengths."""
    fixed = [[1, 3, 4, 3, 4, 3, 5, 2], [1, 4, 2], [1, 3, 4, 2]]
    drawn = []
    for length in (4, 1, 6, 3, 5):
        words = torch.randint(3, 6, (length,), generator=draw).tolist()
        drawn.append([BOS, *words, EOS])
    return [(fixed, 6), (drawn, 8)]


def law_table(call, sentences: list[list[int]], V: int) -> torch.Tensor:
    """Return the answer's table, if it is one."""
    value = call(sentences, V)
    seen = f"for {len(sentences)} sentences, V = {V}"
    if isinstance(value, torch.Tensor) and value.shape == (V, V) and value.is_floating_point():
        empty = pair_counts(sentences, V).sum(dim=1) == 0
        if value[empty].isnan().all() and empty.any() and not value[~empty].isnan().any():
            raise WrongForm(
                "the row of a word that never comes before another one is NaN: 0 divided by 0",
                f"{seen}, row {int(empty.nonzero()[0])}",
            )
    return expect.tensor(value, (V, V), seen=seen)


@bigram_law.property("it is a table with one row for each word")
def table_form(call, draw):
    """[V, V], floats."""
    for sentences, V in some_sentences(draw):
        law_table(call, sentences, V)


@bigram_law.property("a row sums to 1, or is all zeros where nothing follows")
def law_rows(call, draw):
    """Row sums, and the words that never come before another one."""
    for sentences, V in (*some_sentences(draw), ([[1, 3, 2]], 4)):
        law = law_table(call, sentences, V)
        follows = (pair_counts(sentences, V).sum(dim=1) > 0).double()
        for row, (got, right) in enumerate(zip(law.sum(dim=1), follows, strict=True)):
            seen = f"for {sentences} row {row} sums to {got:.4g}"
            if not right and expect.close(law[row], torch.full((V,), 1 / V)):
                raise Broken(
                    "a word that never comes before another one gets an even row, not zeros", seen
                )
            if not right and not expect.close(law[row], torch.zeros(V)):
                raise Broken("a word that nothing follows has next words", seen)
            if not expect.close(got, right):
                raise Broken("a row does not sum to 1", seen)


@bigram_law.property("row = current word, column = next word, share = how often")
def law_values(call, draw):
    """Compare, and name the known slips."""
    for sentences, V in some_sentences(draw):
        counts = pair_counts(sentences, V)
        running = pair_counts([[token for sentence in sentences for token in sentence]], V)
        shorter = pair_counts([sentence[:-1] for sentence in sentences], V)
        equal_rows(
            law_table(call, sentences, V),
            normal(counts),
            f"for {sentences}:",
            "a share is wrong",
            known=(
                (counts, "these are counts: divide each row by its sum"),
                (normal(counts.T), "rows and columns are swapped: the row is the current word"),
                (normal(counts, dim=0), "it divides each column by its sum, not each row"),
                (counts / counts.sum(), "it divides by the number of all pairs, not of the row's"),
                (
                    normal((counts > 0).double()),
                    "each kind of pair counts once, however often it came: counts[rows, columns] "
                    "+= 1 does that to repeated pairs",
                ),
                (normal(running), "a pair reaches from one sentence into the next"),
                (normal(shorter), "the last pair of a sentence is missing"),
            ),
        )


@bigram_law.property("on captions its average surprise is the floor of the best bigram")
def bigram_floor(call, draw):
    """language.best_loss(1), without training."""
    captions = languages.captions()
    sentences = [list(sentence) for sentence in captions.sentences]
    law = law_table(call, sentences, captions.vocab_size)
    counts = pair_counts(sentences, captions.vocab_size)
    surprise = (-torch.xlogy(counts, law.clamp(min=0)).sum() / counts.sum()).item()
    expect.equal(
        surprise,
        captions.best_loss(1),
        "on the eight captions, for the surprise",
        "the average surprise is not language.best_loss(1)",
    )


# ---- 02.5

summary = Exercise(
    "02.5",
    "summary",
    title="The smallest memory that suffices",
    minutes=30,
    level="challenge",
    points=5,
    imports=(),
    hints=(
        "The last word is known anyway. So for each last word alone: into how many kinds do its "
        "beginnings fall, if two are of one kind when the same law follows? The numbers of one "
        "last word may be used again for another.",
        "After `the` the law depends on which two shapes were named, in either order: six kinds. "
        "After `is` it depends on one size. After a size there are a first, four kinds of second, "
        "and a last one. After a shape it depends on whether it is the first, second or third.",
        "shapes = [token for token in prefix if token >= 9]. After 5, the place of sorted(shapes) "
        "in list(combinations((9, 10, 11, 12), 2)). After 6, the token before the first "
        "shapes[-1] in prefix, less 7. After 7 or 8 with one shape so far, that shape less 8. "
        "Else (0, 1, 2, 5)[len(shapes)].",
    ),
)
ALLOWED = 6
RECALL = languages.recall(2)


def some_beginnings(draw: torch.Generator) -> list[list[int]]:
    """Return all beginnings up to the question, and 36 drawn ones for each word of it."""
    by_length = defaultdict(list)
    for prefix in RECALL.prefixes:
        by_length[len(prefix)].append(list(prefix))
    found = []
    for prefixes in by_length.values():
        if len(prefixes) > 48:  # 96 sentences have as many questions and answers
            order = torch.randperm(len(prefixes), generator=draw)[:36].tolist()
            prefixes = [prefixes[number] for number in order]
        found += prefixes
    return found


# what was answered, so that each beginning is asked only once
ASKED: WeakKeyDictionary = WeakKeyDictionary()


def note(call, prefix: list[int]) -> int:
    """Return the answer's number for a beginning; True and False count as 1 and 0."""
    numbers = ASKED.setdefault(call, {})
    if tuple(prefix) not in numbers:
        value = call(prefix)
        value = int(value) if isinstance(value, bool) else expect.whole(value, f"for {prefix}")
        numbers[tuple(prefix)] = value
    return numbers[tuple(prefix)]


def settle(call, draw, fault: str, *words: str) -> None:
    """Raise Broken unless beginnings with the same last word and number go on alike."""
    first_with = {}
    for prefix in some_beginnings(draw):
        if RECALL.words[prefix[-1]] not in words:
            continue
        law = RECALL.next_token(prefix)
        key = prefix[-1], note(call, prefix)
        other = first_with.setdefault(key, prefix)
        if not expect.close(law, RECALL.next_token(other)):
            raise Broken(
                fault,
                f"{RECALL.text(other)!r} and {RECALL.text(prefix)!r} both get {key[1]}",
            )


@summary.property("it gives a whole number for each beginning of a sentence")
def whole_numbers(call, draw):
    """One sentence, step by step."""
    number = int(torch.randint(len(RECALL.sentences), (), generator=draw))
    sentence = list(RECALL.sentences[number])
    for t in range(1, len(sentence)):
        if t < 4 and (error := call.error(sentence[:t])):
            raise Broken(
                "it has no answer for a short beginning", f"for {sentence[:t]} it raised {error}"
            )
        note(call, sentence[:t])


@summary.property("after a shape it tells what the shape is there for")
def after_shapes(call, draw):
    """First, second, asked."""
    settle(
        call,
        draw,
        "after a shape it does not tell whether this is the first, the second or the asked one",
        *languages.RECALL_SHAPES,
    )


@summary.property("after a size it tells which shapes can follow")
def after_sizes(call, draw):
    """First, second, answer."""
    settle(
        call,
        draw,
        "after a size it does not tell which shapes, if any, can still follow",
        *languages.SIZES,
    )


@summary.property("after `the` it tells which two shapes were named")
def after_the(call, draw):
    """Pairs of shapes."""
    settle(call, draw, "after `the` two different pairs of shapes have the same number", "the")


@summary.property("after `is` it tells the size of the asked shape")
def after_is(call, draw):
    """The answer."""
    settle(call, draw, "after `is` the size that stood with the asked shape is lost", "is")


@summary.property("six different numbers are enough")
def six(call, draw):
    """Count the numbers over all beginnings."""
    used = defaultdict(set)
    for prefix in some_beginnings(draw):
        used[RECALL.words[prefix[-1]]].add(note(call, prefix))
    numbers = sorted(set().union(*used.values()))
    if len(numbers) > ALLOWED:
        word = max(used, key=lambda word: len(used[word]))
        if len(used[word]) > ALLOWED:
            raise Broken(
                "after one word alone it uses more than six numbers: it remembers what makes no "
                "difference",
                f"after {word!r} it uses {len(used[word])}",
            )
        raise Broken(
            "it uses more than six numbers, though never more than six after one word: use the "
            "same numbers again after other words",
            f"these {len(numbers)}: {show(numbers)}",
        )


EXERCISES = (shares, window_matrix, running_average, bigram_law, summary)
