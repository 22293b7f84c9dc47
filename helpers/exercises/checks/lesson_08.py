"""Checks of the exercises of lesson 08, sampling controls."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.checks.laws import greedy_of, probability_of, random_laws, sentences_of
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.exercises.plain import show
from helpers.language import EOS, SPECIAL_WORDS, Language

INFINITY = float("inf")


def random_law(draw: torch.Generator, V: int) -> list[float]:
    """Return V uneven probabilities in mixed order; the first is not the highest."""
    while True:
        law = torch.randn(V, generator=draw, dtype=torch.float64).mul(1.5).softmax(dim=-1)
        if int(law.argmax()) != 0:
            return law.tolist()


# ---- 08.1 ---------------------------------------------------------------------------------------

survivors = Exercise(
    "08.1",
    "survivors",
    title="Who survives",
    minutes=5,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "Top-k asks for a word's place in the ranking, min-p for its ratio to the likeliest one. "
        "Where does the likeliest stand in the list?",
        "Write the same law in another order: the same words must stay. For [0.1, 0.4, 0.1, 0.4] "
        "top-k 1 keeps [1], top-k 3 keeps [0, 1, 3], and min-p 1 keeps [1, 3].",
        "possible = the ids with a law above 0. top_k: sorted(possible, key=lambda i: -law[i]), "
        "the first `setting` of it, and sorted again. min_p: those with law[i] >= setting * "
        "max(law).",
    ),
)


def kept_ids(call, law: list[float], control: str, setting: float) -> list[int]:
    """Call the answer; return the ids that it keeps."""
    seen = f"for {show(law)}, {control} {setting:g}"
    ids = expect.wholes(call(law, control, setting), seen=seen)
    for token in ids:
        if not 0 <= token < len(law):
            raise WrongForm("it returned a number that is no id of the law", f"{seen}: {token}")
    if ids != sorted(set(ids)):
        raise Broken("the ids do not go from low to high", f"{seen} it gives {ids}")
    return ids


def ranking(law: list[float]) -> list[int]:
    """Return the possible ids from the likeliest on, lower ids first among equals."""
    return sorted((i for i, p in enumerate(law) if p > 0), key=lambda i: -law[i])


def compare_top_k(call, law: list[float], k: int) -> None:
    """Compare the ids that top-k keeps; name the known slips."""
    order = ranking(law)
    last = order[:k][-1]
    ties = [i for i in order if law[i] >= law[last]]
    late = sorted(range(len(law)), key=lambda i: (-law[i], -i))[:k]
    expect.equal(
        kept_ids(call, law, "top_k", k),
        sorted(order[:k]),
        f"for {show(law)}, top_k {k}:",
        "top-k does not keep the k likeliest",
        known=(
            (sorted(ties), "top-k keeps all words that equal the k-th, not exactly k"),
            (sorted(order[: k + 1]), "top-k keeps one word too many"),
            (sorted(order[: k - 1]), "top-k keeps one word too few"),
            (sorted(late), "of equally likely words top-k takes those with higher ids"),
            (list(range(k)), "top-k takes the first k ids: rank the words by probability first"),
        ),
    )


@survivors.property("it gives the ids that stay, from low to high")
def survivors_form(call, draw):
    """The law of the statement."""
    law = [0.1, 0.5, 0.2, 0.15, 0.05]
    kept_ids(call, law, "top_k", 3)
    kept_ids(call, law, "min_p", 0.1)


@survivors.property("top-k keeps exactly k: the likeliest, and lower ids first among equals")
def survivors_top_k(call, draw):
    """Sorted and unsorted laws, and ties."""
    drawn = random_law(draw, 6)
    for law, settings in (
        ([0.5, 0.2, 0.15, 0.1, 0.05], (2, 1)),
        (drawn, (1, 2, 4)),
        ([0.1, 0.4, 0.1, 0.4], (1, 3)),
        ([0.25] * 4, (2,)),
    ):
        for k in settings:
            compare_top_k(call, law, k)


@survivors.property("top-k with more than there are keeps all")
def survivors_large_k(call, draw):
    """C20."""
    for k in (4, 5, 100000):
        law = random_law(draw, 4)
        expect.equal(
            kept_ids(call, law, "top_k", k),
            [0, 1, 2, 3],
            f"for {show(law)}, top_k {k}:",
            "top-k with k at or above the number of words loses some",
        )


@survivors.property("min-p keeps what is at least p times as likely as the likeliest word")
def survivors_min_p(call, draw):
    """Against the maximum, wherever it stands; equal ones together."""
    halves = [0.125, 0.5, 0.25, 0.125]
    for law, settings in (
        ([0.5, 0.2, 0.15, 0.1, 0.05], (0.25, 0.5)),
        (halves, (0.5, 1.0, 0.25)),
        ([0.1, 0.4, 0.1, 0.4], (1.0, 0.3)),
        (random_law(draw, 6), (0.1, 0.4)),
    ):
        for p in settings:
            right = [i for i, q in enumerate(law) if q >= p * max(law)]
            expect.equal(
                kept_ids(call, law, "min_p", p),
                right,
                f"for {show(law)}, min_p {p:g}:",
                "min-p does not keep what it should",
                known=(
                    (
                        [i for i, q in enumerate(law) if q > p * max(law)],
                        "min-p removes words that are exactly p times as likely",
                    ),
                    (
                        [i for i, q in enumerate(law) if q >= p * law[0]],
                        "min-p compares with the first word, not with the likeliest",
                    ),
                    (
                        [i for i, q in enumerate(law) if q >= p],
                        "min-p compares with p itself, not with p times the likeliest",
                    ),
                    (right[:1], "min-p keeps only one of equally likely words"),
                ),
            )


@survivors.property("a word of probability 0 never stays")
def survivors_zero(call, draw):
    """Adding one changes nothing."""
    law = random_law(draw, 4)
    for control, setting in (("top_k", 6), ("min_p", 0.0), ("top_k", 2)):
        longer = [*law, 0.0, 0.0]
        got = kept_ids(call, longer, control, setting)
        if set(got) & {4, 5}:
            raise Broken(
                "a word of probability 0 stays",
                f"for {show(longer)}, {control} {setting:g} it gives {got}",
            )
        same = kept_ids(call, law, control, setting)
        if got != same:
            raise Broken(
                "words of probability 0 at the end change what else stays",
                f"for {show(longer)}, {control} {setting:g} it gives {got}, without them {same}",
            )


# ---- 08.2 ---------------------------------------------------------------------------------------

frequency_penalty = Exercise(
    "08.2",
    "frequency_penalty",
    title="A penalty that does not need a zero",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "Which arithmetic on logits does a constant pass through unchanged: dividing, or "
        "subtracting?",
        "With each = 0.5 and once = 1: a word that never stood loses 0, one that stood once 1.5, "
        "one that stood three times 2.5. Two subtractions, no cases.",
        "logits - each * counts - once * (counts > 0). It makes a new tensor and leaves the two "
        "given ones alone.",
    ),
)


def penalised(call, logits, counts, each: float, once: float) -> torch.Tensor:
    """Call the answer; return a tensor of the same shape."""
    seen = f"for {show(logits)}, counts {show(counts)}, each {each:g}, once {once:g}"
    return expect.tensor(call(logits, counts, each, once), logits.shape, seen=seen, infinite=True)


def random_counts(draw: torch.Generator, *shape: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return logits and how often each word has stood: 0 and 3 among them."""
    counts = torch.randint(0, 4, shape, generator=draw)
    counts[..., 0], counts[..., 1] = 0, 3
    return torch.randn(shape, generator=draw), counts


@frequency_penalty.property("it gives logits of the same shape")
def penalty_form(call, draw):
    """[V], [B, V]."""
    for shape in ((5,), (2, 4)):
        penalised(call, *random_counts(draw, *shape), 0.5, 1.0)


@frequency_penalty.property("a word that never stood keeps its logit")
def penalty_unseen(call, draw):
    """Counts of 0."""
    logits, counts = random_counts(draw, 6)
    got = penalised(call, logits, counts, 0.5, 1.0)
    expect.equal(
        got[counts == 0],
        logits[counts == 0].double(),
        f"for {show(logits)}, counts {show(counts)}, the logits with count 0:",
        "a word that never stood loses something, or wins",
    )


@frequency_penalty.property("each time costs `each`, and having stood at all costs `once`")
def penalty_values(call, draw):
    """Values, and the usual slips."""
    three, stood = torch.tensor([2.0, -2.0, 0.5]), torch.tensor([1, 2, 0])
    pairs = (three, stood), random_counts(draw, 5), random_counts(draw, 3, 4)
    for (logits, counts), each, once in zip(pairs, (0.75, 0.5, 1.5), (0.25, 1.0, 0.0), strict=True):
        z, seen = logits.double(), (counts > 0).double()
        right = z - each * counts - once * seen
        again = (counts - 1).clamp(min=0)
        got = penalised(call, logits, counts, each, once)
        expect.equal(
            got[counts > 0],
            right[counts > 0],
            f"for {show(logits)}, counts {show(counts)}, each {each:g}, once {once:g}, where the "
            "count is not 0:",
            "a word that stood loses the wrong amount",
            known=[
                (wrong[counts > 0], sentence)
                for wrong, sentence in (
                    (z - (each + once) * counts, "`once` is taken for every time"),
                    (z - (each + once) * seen, "`each` is taken only once"),
                    (z - each * counts, "`once` is forgotten"),
                    (z - each * again - once * seen, "the first time does not cost `each`"),
                    (z - each * counts - once * (counts > 1), "`once` begins with the second time"),
                    (z + each * counts + once * seen, "words that stood become likelier"),
                )
            ],
        )


@frequency_penalty.property("adding a constant to all logits leaves the law as it is")
def penalty_constant(call, draw):
    """What the repetition penalty of the lesson cannot do."""
    logits, counts = random_counts(draw, 5)
    before = penalised(call, logits, counts, 0.5, 1.0).softmax(dim=-1)
    for constant in (10.0, -10.0):
        after = penalised(call, logits + constant, counts, 0.5, 1.0).softmax(dim=-1)
        expect.equal(
            after,
            before,
            f"for {show(logits)} and {constant:g} added to each, the laws:",
            "it needs to know where 0 is: a constant added to all logits changes the law",
        )


@frequency_penalty.property("a removed word stays removed")
def penalty_removed(call, draw):
    """Minus infinity, seen and not."""
    logits, counts = random_counts(draw, 6)
    logits[0] = logits[1] = -INFINITY
    got = penalised(call, logits, counts, 0.5, 1.0)
    if not (got[:2] == -INFINITY).all():
        raise Broken(
            "a logit of minus infinity becomes finite",
            f"for {show(logits)}, counts {show(counts)} it gives {show(got)}",
        )


# ---- 08.3 ---------------------------------------------------------------------------------------

top_p = Exercise(
    "08.3",
    "top_p",
    title="Top-p for whole batches",
    minutes=15,
    level="medium",
    points=3,
    hints=(
        "Of each word ask: what do the likelier ones have together? A word is needed as long as "
        "they have not reached p. In which order must the words stand to ask that of all at once?",
        "For p = 0 exactly one word stays, the likeliest. Every row of a batch alone gives what it "
        "gives in the batch. Whoever shuffles a row gets the same words, shuffled: so the mask "
        "must go back from the sorted order to the order of ids.",
        "order = logits.sort(dim=-1, descending=True, stable=True).indices; ordered = "
        "softmax(...).gather(-1, order); keep = ordered.cumsum(-1) - ordered < p; keep[..., 0] = "
        "True; zeros.scatter(-1, order, keep) puts it back; masked_fill the rest. p = 1 needs a "
        "line of its own, since a sum can round to 1 too early.",
    ),
)


def cut(call, logits: torch.Tensor, p: float) -> torch.Tensor:
    """Call the answer; return a tensor of the same shape, float64, perhaps with -inf."""
    seen = f"for {show(logits)}, p {p:g}"
    got = expect.tensor(call(logits, p), logits.shape, seen=seen, infinite=True)
    if (got == INFINITY).any():
        raise Broken("a word gets plus infinity", seen)
    return got


def finite(row: torch.Tensor) -> list[int]:
    """Return the ids that stay in a row."""
    return (row > -INFINITY).nonzero().flatten().tolist()


def nucleus(row: torch.Tensor, p: float, sign: int = -1) -> list[int]:
    """Return the ids that must stay, from the likeliest on; with sign 1 the tail in its place."""
    law = row.double().softmax(dim=-1).tolist()
    order = sorted(range(len(law)), key=lambda token: (sign * row[token].item(), token))
    if p == 1:
        return order
    kept, together = [], 0.0
    for token in order:
        kept.append(token)
        together += law[token]
        if together >= p:
            break
    return kept


def compare_top_p(call, logits: torch.Tensor, p: float) -> None:
    """Compare the ids that stay in one row; name the known slips."""
    right = nucleus(logits, p)
    n, V = len(right), len(logits)
    order = nucleus(logits, 1)
    expect.equal(
        finite(cut(call, logits, p)),
        sorted(right),
        f"for the law {show(logits.softmax(dim=-1))}, p {p:g}, the ids that stay:",
        "it does not keep the fewest likeliest words that reach p",
        known=(
            ([], "no word is left: at least the likeliest must stay"),
            (sorted(order), "nothing is removed"),
            (sorted(right[:-1]), "the word with which the sum reaches p is missing"),
            (sorted(order[: n + 1]), "one word too many stays: those before it reach p already"),
            (sorted(nucleus(logits, p, sign=1)), "the tail stays and the head is removed"),
            (list(range(n)), "the right number of words, but the first ids: the mask is not put "
             "back from the sorted order"),
            (list(range(V - n, V)), "the right number of words, but the last ids"),
        ),
    )  # fmt: skip


@top_p.property("it gives logits of the same shape")
def top_p_form(call, draw):
    """[V], [B, V], [A, B, V]."""
    for shape in ((5,), (2, 4), (2, 1, 3)):
        cut(call, torch.randn(shape, generator=draw), 0.6)


@top_p.property("a removed word gets minus infinity, every other one keeps its logit")
def top_p_values(call, draw):
    """C22: not a small number, not a probability."""
    for logits in (torch.tensor([0.0, 2.0, -1.0, 1.0]), 2 * torch.randn(6, generator=draw)):
        got = cut(call, logits, 0.7)
        other = (got > -INFINITY) & ((got - logits.double()).abs() > 1e-6)
        if not other.any():
            continue
        stay = nucleus(logits, 0.7)
        removed = torch.ones_like(other).scatter(0, torch.tensor(stay), False)
        filled = len(set(got[removed].tolist())) == 1 and not other[stay].any()
        raise Broken(
            "a removed word gets a finite logit, and so can still come"
            if filled
            else "what stays has another value than its logit",
            f"for {show(logits)}, p 0.7 it gives {show(got)}",
        )


@top_p.property("it keeps the fewest likeliest words that together reach p")
def top_p_kept(call, draw):
    """Unsorted laws; sums that reach p exactly."""
    hand = torch.tensor([0.07, 0.22, 0.05, 0.40, 0.12, 0.01, 0.10, 0.03]).log()
    for logits, shares in (
        (hand, (0.3, 0.7, 0.9)),
        (torch.tensor(random_law(draw, 7)).log(), (0.45, 0.65, 0.85)),
        (torch.zeros(4), (0.5,)),
        (torch.tensor([-INFINITY, 1.0, -INFINITY, 1.0]), (0.5,)),
    ):
        for p in shares:
            compare_top_p(call, logits, p)


@top_p.property("at least one word stays, however small p is")
def top_p_one(call, draw):
    """C18: 0, 1e-8, and an almost flat row of 4096."""
    flat = 1e-3 * torch.randn(4096, generator=draw)
    law = torch.tensor([0.15, 0.5, 0.05, 0.3]).log()
    for logits, p in ((law, 0), (law, 1e-8), (flat, 0.0), (flat, 1e-4)):
        ids = finite(cut(call, logits, p))
        best = int(logits.argmax())
        if ids == [best]:
            continue
        fault = "for a tiny p not exactly the likeliest word stays"
        if not ids:
            fault = "no word is left: at least the likeliest must stay"
        raise Broken(fault, f"for {show(logits)}, p {p:g} stays {show(ids)}, right is [{best}]")


@top_p.property("of equal logits those with lower ids stay")
def top_p_ties(call, draw):
    """The lesson's tie, and 40 equal ones."""
    for logits, p, right in (
        (torch.tensor([1.0, 2.0, 1.0, 2.0]), 0.3, [1]),
        (torch.tensor([1.0, 2.0, 1.0, 2.0]), 0.8, [0, 1, 3]),
        (torch.zeros(40), 0.51, list(range(21))),
    ):
        expect.equal(
            finite(cut(call, logits, p)),
            right,
            f"for {show(logits)}, p {p:g}, the ids that stay:",
            "where logits are equal, other words stay than the rule says",
            known=(
                ([], "no word is left: at least the likeliest must stay"),
                (list(range(len(logits))), "nothing is removed"),
                (nucleus(logits, p)[:-1], "the word with which the sum reaches p is missing"),
                (
                    finite(logits.masked_fill(logits < logits[right].min(), -INFINITY)),
                    "all words stay that equal the last one: the fewest are asked for",
                ),
                (sorted(nucleus(logits, p, sign=1)), "the tail stays and the head is removed"),
            ),
        )


@top_p.property("a row of a batch gives what it gives alone")
def top_p_rows(call, draw):
    """[2, 3, V] against its rows."""
    logits = 2 * torch.randn(2, 3, 5, generator=draw)
    got = cut(call, logits, 0.7)
    for i in range(2):
        for j in range(3):
            expect.equal(
                finite(got[i, j]),
                finite(cut(call, logits[i, j], 0.7)),
                f"for row [{i}, {j}] of logits [2, 3, 5], {show(logits[i, j])}, p 0.7, the ids:",
                "a row of a batch keeps other words than alone: sort and sum along the last axis",
            )


@top_p.property("p = 1 removes nothing, however small a probability is")
def top_p_off(call, draw):
    """Sums that round to 1 too early."""
    tail = torch.tensor([-40.0, 0.0, -60.0, -1.0])
    for logits in (torch.randn(6, generator=draw), tail):
        ids = finite(cut(call, logits, 1))
        if ids != list(range(len(logits))):
            raise Broken(
                "p = 1 removes words: the sum rounds to 1 before they come",
                f"for {show(logits)} the ids {ids} stay",
            )


# ---- 08.4 ---------------------------------------------------------------------------------------

turning_point = Exercise(
    "08.4",
    "turning_point",
    title="Where the lengths cross",
    minutes=10,
    level="medium",
    points=2,
    imports=("math",),
    hints=(
        "At the turning point the two scores are equal. Write that as an equation with α as the "
        "only unknown. Where does α stand?",
        "Divide one side by the other: a / b = (m / n)^α. Both ratios lie between 0 and 1, so α is "
        "above 0. Twice the log-probabilities, or twice the lengths, give the same α.",
        "Take logarithms of both sides: α = math.log(a / b) / math.log(m / n).",
    ),
)


def random_texts(draw: torch.Generator) -> tuple[float, int, float, int]:
    """Return a, m, b, n with b < a < 0 and m < n."""
    a = -0.5 - 3 * float(torch.rand((), generator=draw))
    m = int(torch.randint(1, 6, (), generator=draw))
    n = m + int(torch.randint(2, 8, (), generator=draw))
    return a, m, a * (1.1 + float(torch.rand((), generator=draw))), n


@turning_point.property("on the lesson's two texts it lies between 0.1 and 0.15")
def turning_lesson(call, draw):
    """plus, and a large plus in the photo."""
    arguments = math.log(0.25), 2, math.log(0.20), 7
    alpha = expect.number(call(*arguments), f"for {arguments}")
    if not 0.1 < alpha < 0.15:
        raise Broken(
            "on the lesson's two texts α is not between 0.1 and 0.15", f"it is {alpha:.4g}"
        )


@turning_point.property("at this α the scores of the two texts are equal")
def turning_equal(call, draw):
    """The value, and the usual slips."""
    for a, m, b, n in (
        (-1.0, 2, -2.5, 9),
        (-1.0, 1, -1.5, 3),
        (-4.0, 3, -4.4, 12),
        random_texts(draw),
        random_texts(draw),
    ):
        ratio, lengths = math.log(a / b), math.log(m / n)
        expect.equal(
            expect.number(call(a, m, b, n), f"for {a:g}, {m}, {b:g}, {n}"),
            ratio / lengths,
            f"for a text of {a:.4g} with {m} tokens and one of {b:.4g} with {n}:",
            "the scores are not equal at this α",
            known=(
                (-ratio / lengths, "its sign is turned: one of the two ratios stands upside down"),
                (lengths / ratio, "α stands upside down"),
                ((a / b) / (m / n), "the logarithms are missing: α is a power"),
                ((a - b) / lengths, "ln P is treated like P: a score is ln P / length^α, and a "
                 "and b are ln P already"),
                ((a - b) / (m - n), "it is the point for a penalty of α for every token"),
                (ratio / math.log((5 + m) / (5 + n)), "it is the point for ((5 + length) / 6)^α"),
            ),
        )  # fmt: skip


@turning_point.property("twice the log-probabilities, or twice the lengths, give the same α")
def turning_ratios(call, draw):
    """Only the two ratios count."""
    a, m, b, n = random_texts(draw)
    alpha = expect.number(call(a, m, b, n))
    for name, arguments in (
        ("log-probabilities", (2 * a, m, 2 * b, n)),
        ("lengths", (a, 2 * m, b, 2 * n)),
    ):
        expect.equal(
            expect.number(call(*arguments)),
            alpha,
            f"for {a:.4g}, {m}, {b:.4g}, {n} and twice the {name}:",
            f"α changes with twice the {name}: only their ratio counts",
        )


# ---- 08.5 ---------------------------------------------------------------------------------------

best_by_beams = Exercise(
    "08.5",
    "best_by_beams",
    title="Beam search",
    minutes=25,
    level="hard",
    points=4,
    imports=(),
    hints=(
        "You need two lists: texts that go on, and texts that are finished. What happens to each "
        "of them in one step?",
        "One beam must say what greedy says. As many beams as there are texts must find all of "
        "them, in order. On the lesson's fork 2 beams find “my dog” and 3 beams “the end”.",
        "candidates = [((*text, token), probability * p) for every running text and every token "
        "with p > 0]. From the `beams` likeliest of them, those that end go to finished. running = "
        "the `beams` likeliest of those that do not end. When running is empty, return the `beams` "
        "likeliest of finished.",
    ),
)
FORK_WORDS = (*SPECIAL_WORDS, "a", "my", "the", "dog", "cat", "bird", "fish", "end")
FORK_WEIGHTS = {"a dog": 0.12, "a cat": 0.10, "a bird": 0.09, "a fish": 0.09, "my dog": 0.13}
FORK_WEIGHTS |= {"my cat": 0.11, "my bird": 0.09, "the end": 0.27}
FORK_ROWS = [[1, *map(FORK_WORDS.index, text.split()), EOS] for text in FORK_WEIGHTS]
FORK = Language.of("fork", FORK_WORDS, FORK_ROWS, FORK_WEIGHTS.values())


def search(laws: list, beams: int, way: str = "right") -> list:
    """Return the best texts that beam search meets, or what a known slip of it would find."""
    after = {tuple(prefix): law for prefix, law in laws}

    def best(pairs):
        return sorted(pairs, key=lambda pair: -pair[1])[:beams]

    running, finished = [((1,), 1.0)], []
    while running:
        candidates = [
            ((*text, token), p * q)
            for text, p in running
            for token, q in enumerate(after[text])
            if q > 0
        ]
        ranked = candidates if way == "all that end" else best(candidates)
        finished += [pair for pair in ranked if pair[0][-1] == EOS]
        going = [pair for pair in candidates if pair[0][-1] != EOS]
        running = going if way == "all go on" else best(going)
        if way == "places":
            running = [pair for pair in ranked if pair[0][-1] != EOS]
        if way == "first" and finished:
            break
    if way == "average":
        finished.sort(key=lambda pair: -(pair[1] ** (1 / (len(pair[0]) - 1))))
        return [[list(text), p] for text, p in finished[:beams]]
    return [[list(text), p] for text, p in best(finished)]


SLIPS = {
    "places": "finished texts take the places of running ones: of those that do not end, `beams` "
    "go on",
    "all that end": "a text that ends is set aside although it is not among the `beams` likeliest "
    "candidates",
    "all go on": "more texts than there are beams go on",
    "first": "it stops as soon as the first text has ended: a running one may still win",
    "average": "the texts are ranked by the average over their steps, not by probability",
}


def texts_of(pairs: list) -> list:
    """Return the texts alone."""
    return [text for text, _ in pairs]


def telling_laws(draw: torch.Generator) -> list:
    """Return a table on which two beams find other texts than each of the known slips does.

    A right search finds 3 2 with 0.24 and 3 3 3 2 with 0.16. 5 2 has 0.245, but 5 is third in its
    step. So is 4 2 with 0.17. 4 4 is second with 0.185, and then spreads thin.
    """
    weights = {
        (1,): {3: 0.400, 4: 0.355, 5: 0.245},
        (1, 3): {EOS: 0.240, 3: 0.160},
        (1, 4): {EOS: 0.170, 4: 0.185},
        (1, 3, 3): {3: 1.0},
        (1, 4, 4): {3: 0.34, 4: 0.33, 5: 0.33},
    }
    for text in ((1, 5), (1, 3, 3, 3), (1, 4, 4, 3), (1, 4, 4, 4), (1, 4, 4, 5)):
        weights[text] = {EOS: 1.0}
    other = [0, 1, 2, *(3 + torch.randperm(3, generator=draw)).tolist()]  # other ids for 3, 4, 5
    laws = []
    for text, law in weights.items():
        row = torch.zeros(6, dtype=torch.float64)
        for token, weight in law.items():
            row[other[token]] = weight * (1 + 0.005 * float(torch.rand((), generator=draw)))
        laws.append([[other[token] for token in text], (row / row.sum()).tolist()])
    return laws


def named(laws: list, beams: int) -> str:
    """Return which table and how many beams, in few words."""
    first = next(law for prefix, law in laws if prefix == [1])
    shares = ", ".join(f"{token}: {p:.3f}" for token, p in enumerate(first) if p > 0)
    return f"{beams} beam{'s' if beams > 1 else ''} on a table whose first law is {shares}"


def beam_result(call, laws: list, beams: int) -> list:
    """Call the answer; return [text, probability] pairs in the right form."""
    seen = named(laws, beams)
    pairs = []
    for item in expect.items(call(laws, beams), seen=seen):
        text, p = expect.items(item, 2, seen)
        text = expect.wholes(text, seen=seen)
        if text[:1] != [1] or text[-1:] != [EOS]:
            raise WrongForm("a text does not go from 1 to 2", f"{seen}: {show(text)}")
        pairs.append([text, expect.number(p, seen)])
    if not pairs:
        raise WrongForm("it returned no text at all", seen)
    return pairs


@best_by_beams.property("it gives at most `beams` different texts, each with its probability")
def beams_form(call, draw):
    """Pairs of a text and a number."""
    for beams in (1, 2, 4):
        pairs = beam_result(call, random_laws(draw), beams)
        if len(pairs) > beams:
            raise Broken("it gives more texts than there are beams", f"{len(pairs)} for {beams}")
        texts = texts_of(pairs)
        if any(texts.count(text) > 1 for text in texts):
            raise Broken("it gives a text twice", show(texts))


@best_by_beams.property("a probability is the product over all steps, and the highest comes first")
def beams_products(call, draw):
    """Whatever texts are returned."""
    for beams in (1, 3):
        laws = random_laws(draw)
        pairs = beam_result(call, laws, beams)
        for text, p in pairs:
            right = probability_of(laws, text)
            if right <= 0:
                raise Broken("it gives an impossible text", show(text))
            expect.equal(
                p,
                right,
                f"for {text}:",
                "the probability is not the product over the text's steps",
                known=((math.log(right), "it gives the logarithm of a probability"),),
            )
        if [p for _, p in pairs] != sorted((p for _, p in pairs), reverse=True):
            raise Broken("the texts do not stand in order, the likeliest first", show(pairs))


@best_by_beams.property("one beam is greedy")
def beams_one(call, draw):
    """Random tables."""
    for _ in range(3):
        laws = random_laws(draw)
        found, right = beam_result(call, laws, 1)[0][0], greedy_of(laws)
        if found != right:
            raise Broken(
                "one beam does not say what greedy says",
                f"{named(laws, 1)}: it gives {found}, greedy says {right}",
            )


@best_by_beams.property("on the lesson's fork 2 beams find “my dog”, and 3 beams “the end”")
def beams_fork(call, draw):
    """The lesson's language as a table."""
    laws = [[list(prefix), FORK.next_token(prefix).tolist()] for prefix in FORK.prefixes]
    for beams, right in ((1, "a dog"), (2, "my dog"), (3, "the end"), (8, "the end")):
        found = beam_result(call, laws, beams)[0][0]
        if any(not 0 <= token < len(FORK_WORDS) for token in found) or FORK.text(found) != right:
            raise Broken(
                "on the lesson's fork it finds another text",
                f"{named(laws, beams)}: it gives {found}, right is "
                f"{FORK_ROWS[[*FORK_WEIGHTS].index(right)]}",
            )


@best_by_beams.property("the `beams` likeliest go on, those that end are set aside")
def beams_search(call, draw):
    """Tables on which the known slips find something else."""
    telling = [(2, telling_laws(draw)) for _ in range(2)]
    for beams, laws in (*telling, (2, random_laws(draw)), (3, random_laws(draw))):
        pairs = beam_result(call, laws, beams)
        right = search(laws, beams)
        expect.equal(
            texts_of(pairs),
            texts_of(right),
            f"{named(laws, beams)}:",
            "it does not find the texts that a beam search of this width finds",
            known=[(texts_of(search(laws, beams, way)), fault) for way, fault in SLIPS.items()],
        )


@best_by_beams.property("as many beams as there are texts find all of them, in order")
def beams_all(call, draw):
    """Exhaustive search."""
    laws = random_laws(draw)
    everything = sorted(sentences_of(laws), key=lambda pair: -pair[1])
    everything = [text for text, p in everything if p > 0]
    beams = len(everything)
    found = texts_of(beam_result(call, laws, beams))
    if found != everything:
        missing = [text for text in everything if text not in found]
        seen = f"{beams} texts, {len(found)} found"
        raise Broken(
            "with as many beams as there are texts it does not find all of them in order",
            f"{seen}, missing is {missing[0]}" if missing else seen,
        )


# ---- 08.6 ---------------------------------------------------------------------------------------

conditional_step = Exercise(
    "08.6",
    "conditional_step",
    title="Look ahead",
    minutes=30,
    level="challenge",
    points=5,
    imports=(),
    hints=(
        "The grammar of the lesson asks which next tokens are allowed. What does it fail to ask "
        "about what comes behind them?",
        "Multiplied along an allowed sentence, your laws must give its probability divided by that "
        "of all allowed ones. With everything allowed they are the language's own laws. For the "
        "fork, “a” must get 0.09 / 0.42 in the first step.",
        "Go through all allowed sentences that begin with the prefix and go on. Add each one's "
        "probability to the token that comes next: mass[token] += p. Divide by the sum of all "
        "masses. Without any, return {}.",
    ),
)


def random_language(draw: torch.Generator) -> tuple[list[list[int]], list[float]]:
    """Return 12 sentences of 1 to 3 words out of 3, 4, 5, and their probabilities."""
    sentences = []
    while len(sentences) < 12:
        length = int(torch.randint(1, 4, (), generator=draw))
        words = torch.randint(3, 6, (length,), generator=draw).tolist()
        if [1, *words, EOS] not in sentences:
            sentences.append([1, *words, EOS])
    law = torch.randn(12, generator=draw, dtype=torch.float64).mul(1.2).softmax(dim=-1)
    return sentences, law.tolist()


def next_mass(sentences, weights, prefix) -> dict[int, float]:
    """Return the weight of each next token."""
    mass = {}
    for sentence, weight in zip(sentences, weights, strict=True):
        if sentence[: len(prefix)] == prefix and len(sentence) > len(prefix) and weight > 0:
            token = sentence[len(prefix)]
            mass[token] = mass.get(token, 0.0) + weight
    return mass


def rescaled(mass: dict[int, float]) -> dict[int, float]:
    """Return weights as a law."""
    return {token: weight / math.fsum(mass.values()) for token, weight in mass.items()}


def right_step(sentences, probabilities, allowed, prefix) -> dict[int, float]:
    """Return the right law."""
    pairs = zip(sentences, probabilities, strict=True)
    return rescaled(next_mass(sentences, [p * (s in allowed) for s, p in pairs], prefix))


def step_law(call, sentences, probabilities, allowed, prefix, seen: str) -> dict[int, float]:
    """Call the answer; return {id: probability}."""
    law = call(sentences, probabilities, allowed, prefix)
    expect.table(law, law if isinstance(law, dict) else (), seen)
    if not all(isinstance(token, int) and not isinstance(token, bool) for token in law):
        raise WrongForm("the keys of the dict it returned are not ids", f"{seen}: {show(law)}")
    return {token: expect.number(p, seen) for token, p in law.items()}


def compare_step(call, sentences, probabilities, allowed, prefix, name: str) -> None:
    """Compare one law; name the known slips."""
    seen = f"for {name} after {prefix}"
    got = step_law(call, sentences, probabilities, allowed, prefix, seen)
    right = right_step(sentences, probabilities, allowed, prefix)
    if any(p <= 0 for p in got.values()):
        raise Broken("an id without probability stands in the result", f"{seen}: {show(got)}")
    pairs = list(zip(sentences, probabilities, strict=True))
    own = rescaled(next_mass(sentences, probabilities, prefix))
    mass = next_mass(sentences, [p * (s in allowed) for s, p in pairs], prefix)
    total = math.fsum(p for s, p in pairs if s in allowed)
    expect.equal(
        got,
        right,
        f"{seen}:",
        "it gives another law",
        known=(
            (
                rescaled({token: own[token] for token in right}),
                "it looks one step ahead only, as the lesson's grammar does",
            ),
            (
                rescaled(next_mass(sentences, [float(s in allowed) for s in sentences], prefix)),
                "the allowed sentences are counted, not weighed by their probability",
            ),
            (mass, "the law is not rescaled: divide by the sum over all next tokens"),
            (
                {token: weight / total for token, weight in mass.items()},
                "it divides by all allowed sentences, also those that begin in another way",
            ),
            (own, "it gives the language's own law, whatever is allowed"),
        ),
    )


@conditional_step.property("it gives a dict of ids with probabilities that sum to 1")
def step_form(call, draw):
    """A law."""
    sentences, probabilities = random_language(draw)
    law = step_law(call, sentences, probabilities, sentences, [1], "for a random language")
    if not expect.close(math.fsum(law.values()), 1.0):
        raise Broken(
            "the law is not rescaled: divide by the sum over all next tokens",
            f"for a random language after [1] it gives {show(law)}",
        )


@conditional_step.property("on the lesson's fork it gives “a” 0.09 / 0.42 at the first step")
def step_fork(call, draw):
    """The lesson's four texts."""
    allowed = [FORK_ROWS[i] for i in (3, 4, 5, 6)]
    for prefix in ([1], [1, 4], [1, 3]):
        compare_step(call, FORK_ROWS, [*FORK_WEIGHTS.values()], allowed, prefix, "the fork")


@conditional_step.property("its laws multiply to the conditional probability, in any language")
def step_products(call, draw):
    """Every allowed sentence of a random language, step by step."""
    for _ in range(2):
        sentences, probabilities = random_language(draw)
        allowed = sentences[::2]
        total = math.fsum(probabilities[::2])
        for sentence, probability in zip(allowed, probabilities[::2], strict=True):
            product = 1.0
            for t in range(1, len(sentence)):
                prefix = sentence[:t]
                seen = f"for a random language after {prefix}"
                law = step_law(call, sentences, probabilities, allowed, prefix, seen)
                product *= law.get(sentence[t], 0.0)
            expect.equal(
                product,
                probability / total,
                f"for {sentence} of a random language, the product of its steps:",
                "the product over the steps is not the conditional probability",
            )


@conditional_step.property("with everything allowed it is the language's own law")
def step_everything(call, draw):
    """No condition."""
    sentences, probabilities = random_language(draw)
    for prefix in ([1], sentences[0][:2]):
        seen = f"for a random language after {prefix}, everything allowed"
        expect.equal(
            step_law(call, sentences, probabilities, sentences, prefix, seen),
            rescaled(next_mass(sentences, probabilities, prefix)),
            f"{seen}:",
            "with everything allowed it is not the language's own law",
            known=(
                (
                    rescaled(next_mass(sentences, [1.0] * 12, prefix)),
                    "the allowed sentences are counted, not weighed by their probability",
                ),
            ),
        )


@conditional_step.property("where no allowed sentence goes on it gives {}")
def step_empty(call, draw):
    """A dead end, a whole sentence, a sentence that the language never says."""
    sentences = [[1, 3, 3, 2], [1, 3, 4, 2], [1, 4, 2], [1, 5, 2]]
    probabilities = [0.5, 0.25, 0.25, 0.0]
    for allowed, prefix, name in (
        ([[1, 4, 2]], [1, 3], "only [1, 4, 2] is allowed"),
        (sentences, [1, 4, 2], "the sentence is whole"),
        ([[1, 3, 5, 2], [1, 4, 2]], [1, 3], "the language never says [1, 3, 5, 2]"),
        ([[1, 5, 2]], [1, 5], "[1, 5, 2] has probability 0"),
        ([], [1], "nothing is allowed"),
    ):
        raised = call.error(sentences, probabilities, allowed, prefix)
        if raised:
            raise Broken(
                "it fails where no allowed sentence goes on: {} is asked for",
                f"after {prefix}, where {name}, it raised {raised}",
            )
        law = step_law(call, sentences, probabilities, allowed, prefix, f"after {prefix}")
        if law:
            raise Broken(
                "it gives a law where no allowed sentence goes on",
                f"after {prefix}, where {name}, it gives {show(law)}",
            )
    law = step_law(call, sentences, probabilities, sentences, [1], "after [1]")
    if 5 in law:
        raise Broken("an id without probability stands in the result", f"it gives {show(law)}")


EXERCISES = (
    survivors,
    frequency_penalty,
    top_p,
    turning_point,
    best_by_beams,
    conditional_step,
)
