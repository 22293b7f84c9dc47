"""Checks of the exercises of lesson 13, model families."""

import math
from collections import defaultdict

import torch

from helpers import masks
from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show
from helpers.language import echo


def diagnose(cases: list[tuple], fault: str) -> None:
    """Raise Broken for the first case that is wrong, with the known fault that explains them all.

    cases: (what the answer gives, what is right, for which input, values of known faults), the
    known faults as (value, sentence), the same ones in the same order in every case. On one small
    input two faults may look alike; on several they do not. fault: said if no known one fits.
    """
    wrong = [case for case in cases if not expect.close(case[0], case[1])]
    if not wrong:
        return
    for number, (_, sentence) in enumerate(wrong[0][3]):
        if all(expect.close(got, known[number][0]) for got, _, _, known in cases):
            fault = sentence
            break
    got, right, given, _ = wrong[0]
    expect.equal(got, right, given, fault)


# -- 13.1

count_pairs = Exercise(
    "13.1",
    "count_pairs",
    title="Squares and triangles",
    minutes=2,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "Each family is a sum of three kinds of pieces: a square, a triangle, a rectangle. Which "
        "pieces does the picture at the beginning of the lesson show?",
        "A triangle with its diagonal over n tokens holds 1 + 2 + ... + n pairs. For a source of "
        "4 and a text of 2 the four numbers are 36, 21, 27 and 27.",
        'With n = source + text: "encoder" n * n, "decoder" n * (n + 1) // 2, and the other two '
        "source * source + text * source + text * (text + 1) // 2.",
    ),
)

SIZES = ((4, 2), (1, 1), (3, 5), (7, 1))


def triangle(n: int) -> int:
    """Return the pairs of a triangle with its diagonal."""
    return n * (n + 1) // 2


def numbers_of(family: str, call, draw):
    """Yield (source, text, what the answer gives, for which input) for one family."""
    drawn = torch.randint(2, 30, (2,), generator=draw).tolist()
    for source, text in (*SIZES, drawn):
        given = f"for a source of {source} and a text of {text}:"
        yield source, text, expect.whole(call(family, source, text), given), given


@count_pairs.property("an encoder sees everything: a square")
def square(call, draw):
    """n * n."""
    for source, text, got, given in numbers_of("encoder", call, draw):
        n = source + text
        known = (
            (source * source, "the encoder reads the text too, not the source alone"),
            (triangle(n), "the encoder got a triangle, and it sees the future as well"),
        )
        expect.equal(got, n * n, given, "the encoder's number is another one", known)


@count_pairs.property("a decoder sees itself and the past: a triangle with its diagonal")
def past(call, draw):
    """n * (n + 1) / 2."""
    for source, text, got, given in numbers_of("decoder", call, draw):
        n = source + text
        known = (
            (triangle(n - 1), "the diagonal is missing: a token of a decoder sees itself"),
            (triangle(text), "the decoder has one stack: the source is the beginning of its text"),
            (n * n, "the decoder got the whole square, with the future in it"),
        )
        expect.equal(got, triangle(n), given, "the decoder's number is another one", known)


@count_pairs.property("a prefix sees itself both ways, and the text sees all of it")
def prefix_pairs(call, draw):
    """Square, rectangle, triangle in one table."""
    for source, text, got, given in numbers_of("prefix", call, draw):
        right = source * source + text * source + triangle(text)
        known = (
            (right - text * source, "prefix: the text sees the source too, and it is not counted"),
            (triangle(source + text), "prefix: the source is read one way only"),
            (right - text, "prefix: a token of the text does not see itself"),
        )
        expect.equal(got, right, given, "the number for prefix is another one", known)


@count_pairs.property("an encoder-decoder fills three tables: source, text, and text by source")
def three_tables(call, draw):
    """The sum of the three."""
    for source, text, got, given in numbers_of("encoder-decoder", call, draw):
        right = source * source + text * source + triangle(text)
        known = (
            (right - text * source, "the table of cross-attention is missing"),
            (right - source * source, "the table of the encoder is missing"),
            (right - triangle(text), "the decoder's own table is missing"),
            ((source + text) ** 2, "encoder-decoder: the source does not see the text"),
        )
        expect.equal(got, right, given, "the number for encoder-decoder is another one", known)


# -- 13.2

family = Exercise(
    "13.2",
    "family",
    title="Whose mask?",
    minutes=8,
    level="medium",
    points=2,
    hints=(
        "Only three recipes exist. Can you build each of them for a given T, and compare?",
        "The first row tells you how long the prefix is, if there is one: count its True. A first "
        "row of [True, False, False, ...] is left to the decoder, a full one to the encoder.",
        "past = torch.ones(T, T, dtype=torch.bool).tril(). The recipe with n tokens to see both "
        "ways is past | (torch.arange(T) < n). Build it for n = the sum of the first row; if it "
        "is not equal to the mask, the answer is other.",
    ),
)


def prefix_mask(n: int, T: int) -> torch.Tensor:
    """Return [T, T]: the first n see each other, the rest is causal."""
    return masks.prefix(torch.tensor([n]), T)[0, 0]


def recipes(T: int) -> dict[str, list[torch.Tensor]]:
    """Return the masks of each family for T tokens."""
    return {
        "encoder": [prefix_mask(T, T)],
        "decoder": [masks.causal(T)],
        "prefix": [prefix_mask(n, T) for n in range(2, T)],
    }


def strangers(T: int) -> list[tuple[torch.Tensor, str]]:
    """Return masks of none of the three, each with what is said if it gets the name of one."""
    half = torch.arange(T) >= T // 2
    return [
        (
            masks.window(T, width=2),
            "a window got the name of a family: it hides a part of the past",
        ),
        (
            masks.causal(T).T,
            "a transposed triangle got the name of a family: it looks at the future",
        ),
        (
            masks.causal(T).tril(-1),
            "a triangle without its diagonal got the name of a family",
        ),
        (
            torch.zeros(T, T, dtype=torch.bool),
            "a mask that shows nothing got the name of a family",
        ),
        (
            masks.causal(T) | (half[:, None] & half),
            "a mask whose last tokens see each other both ways got the name of a family",
        ),
        (
            masks.causal(T) & (half[:, None] == half),
            "two texts in one row got the name of a family: the second does not see the first",
        ),
        (
            masks.causal(T).flip(1),
            "a mirrored triangle got the name of a family: it is not enough to count the squares "
            "of each row",
        ),
        (
            masks.causal(T) | masks.causal(T).T.triu(T - 1),
            "a first token that sees itself and the last got the name of a family",
        ),
        (
            torch.ones(T, T, dtype=torch.bool).fill_diagonal_(False),
            "a mask in which nobody sees itself got the name of a family",
        ),
    ]


def called(call, mask: torch.Tensor) -> str:
    """Return the answer's name for a mask, one of the four."""
    names = ("encoder", "decoder", "prefix", "other")
    name = expect.text(call(mask), f"for T = {len(mask)}")
    if name not in names:
        raise Broken("it returned a text that is none of the four names", show(name))
    return name


@family.property("it gives one of four names")
def four_names(call, draw):
    """Form, on every kind of mask."""
    for found in recipes(4).values():
        called(call, found[0])
    called(call, strangers(4)[0][0])


@family.property("each of the three recipes is recognised, for every T")
def recognised(call, draw):
    """All T up to 6 and all lengths of a prefix."""
    sentences = {
        "encoder": "a full square is an encoder's, and gets another name",
        "decoder": "a triangle with its diagonal is a decoder's, and gets another name",
        "prefix": "the mask of a prefix gets another name",
    }
    for T in range(3, 7):
        for right, found in recipes(T).items():
            for number, mask in enumerate(found):
                name = called(call, mask)
                which = f" with a prefix of {number + 2}" if right == "prefix" else ""
                expect.equal(name, right, f"for T = {T}{which}:", sentences[right])


@family.property("masks of another kind get no family's name")
def others_named(call, draw):
    """Windows, transposed triangles and more."""
    for T in (4, 5, 6):
        for mask, sentence in strangers(T):
            expect.equal(called(call, mask), "other", f"for {show(mask.int().tolist())}:", sentence)


@family.property("one changed square changes the name")
def one_square(call, draw):
    """Flip each square, except where that gives another recipe."""
    every = [mask for T in (3, 4) for found in recipes(T).values() for mask in found]
    large = [mask for found in recipes(7).values() for mask in found]
    for mask in every + large:
        T = len(mask)
        places = torch.arange(T * T) if T < 7 else torch.randint(T * T, (4,), generator=draw)
        for place in places.tolist():
            changed = mask.clone()
            changed.view(-1)[place] ^= True
            if any(
                torch.equal(changed, recipe) for found in recipes(T).values() for recipe in found
            ):
                continue
            given = f"for T = {T}, {show(changed.int().tolist())}:"
            fault = "a recipe with one changed square has a family's name: compare every square"
            expect.equal(called(call, changed), "other", given, fault)


# -- 13.3

largest_shortlist = Exercise(
    "13.3",
    "largest_shortlist",
    title="A judge you can afford",
    minutes=8,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "Two bills: the vectors, whose price does not depend on the list, and the judge. Which of "
        "them must be paid first?",
        "What is left after the vectors, divided by what one more place on every list costs. A "
        "list is as long as a whole number says, and never longer than there are documents.",
        "left = budget - (documents + questions) * small. If left is below 0, return -1. Else the "
        "smaller of documents and left // (questions * large).",
    ),
)

BILLS = (  # documents, questions, small, large
    (10, 3, 1, 2),
    (1000, 7, 2, 5),
    (4, 9, 3, 1),
    (1, 1, 1, 1),
)


def bills(draw) -> list[tuple[int, ...]]:
    """Return the fixed bills and two that are drawn."""
    drawn = [torch.randint(1, 40, (4,), generator=draw).tolist() for _ in range(2)]
    return [*BILLS, *(tuple(bill) for bill in drawn)]


def priced(documents, questions, small, large, length=0):
    """Return what vectors and judge cost for lists of this length."""
    return (documents + questions) * small + questions * large * length


def longest(call, bill, budget) -> tuple[int, str]:
    """Return the answer's length, and for which input."""
    given = "for documents, questions, small, large, budget = " + ", ".join(map(str, bill))
    given += f", {budget}:"
    return expect.whole(call(*bill, budget), given), given


def shortlist_faults(bill, budget) -> list[tuple[int, str]]:
    """Return what known faults give instead, for a budget that pays for the vectors."""
    documents, questions, small, large = bill
    left = budget - priced(*bill)
    slips = (
        (left, large, "the judge is paid for one question only: every question has its list"),
        (left, questions, "the price of the judge is left out"),
        (budget, questions * large, "the price of the vectors is left out"),
        (
            left + questions * small,
            questions * large,
            "the questions become vectors too, and these are not paid",
        ),
        (
            left + documents * small,
            questions * large,
            "the documents become vectors, and these are not paid",
        ),
        (
            left,
            documents * large,
            "one more place on every list costs a pair for each question, not for each document",
        ),
    )
    return [(min(documents, money // price), sentence) for money, price, sentence in slips]


@largest_shortlist.property("the vectors are paid first: -1 if they do not fit, 0 if just they do")
def vectors_first(call, draw):
    """Budgets around the price of the vectors."""
    for bill in bills(draw):
        vectors = priced(*bill)
        for budget, right in ((vectors, 0), (vectors - 1, -1), (0, -1)):
            got, given = longest(call, bill, budget)
            if right == -1 and got < -1:
                fault = "it returns a number below -1 where the vectors do not fit"
                raise Broken(fault, f"{given} it gives {got}")
            if right == -1 and got != -1:
                fault = "the vectors do not fit into the budget, and it still gives a list"
                raise Broken(fault, f"{given} it gives {got}")
            fault = "the budget pays for the vectors alone, and it does not return 0"
            known = ((-1, "vectors that just fit are refused: a budget may be spent to the end"),)
            expect.equal(got, right, given, fault, known)


@largest_shortlist.property("the lists fit, and with one more place on each they would not")
def tight(call, draw):
    """Just enough for r, one less, and one more."""
    cases = []
    for bill in bills(draw):
        documents = bill[0]
        price = bill[1] * bill[3]  # of one more place on every list
        for r in {1, documents // 2, documents - 1} - {0, documents}:
            enough = priced(*bill, r)
            longer = r + (price == 1)
            for budget, right in ((enough, r), (enough - 1, r - 1), (enough + 1, longer)):
                got, given = longest(call, bill, budget)
                cases.append((got, right, given, shortlist_faults(bill, budget)))
    wrong = [got > right for got, right, _, _ in cases if got != right]
    fault = "the budget would pay for a longer list"
    if wrong and wrong[0]:
        fault = "the lists cost more than the budget"
    diagnose(cases, fault)


@largest_shortlist.property("a list holds at most all documents")
def capped(call, draw):
    """Budgets beyond all needs."""
    for bill in bills(draw):
        for budget in (priced(*bill, bill[0]), priced(*bill, 3 * bill[0]), 10**9):
            got, given = longest(call, bill, budget)
            fault = "with money for all documents the list does not hold all of them"
            if got > bill[0]:
                fault = "the list is longer than there are documents"
            expect.equal(got, bill[0], given, fault)


@largest_shortlist.property("a larger budget never shortens the list")
def monotone(call, draw):
    """All budgets in a row."""
    bill = (3, 2, 2, 3)
    before = -1
    for budget in range(0, 34):
        got, given = longest(call, bill, budget)
        if got < before:
            raise Broken(
                "one more in the budget made the list shorter",
                f"{given} it gives {got}, with one less {before}",
            )
        before = got


# -- 13.4

left_to_guess = Exercise(
    "13.4",
    "left_to_guess",
    title="What is left to guess",
    minutes=12,
    level="medium",
    points=3,
    hints=(
        "Someone who knows the seen words knows in which group of sentences they are. What do they "
        "still not know?",
        "Group the sentences by what is seen. Inside a group, the probabilities divided by their "
        "sum are a law of the hidden word. The groups count by their probability: with nothing "
        "seen there is one group, with everything seen each sentence is its own.",
        "mass[seen words][word at place] += p over all sentences. Then add up -p * log(p / total "
        "of its group) over all p in all groups.",
    ),
)


def drawn_language(draw, N=9, T=4, V=3) -> tuple[list, list[float]]:
    """Return N different sentences of T words, and their probabilities."""
    chosen = torch.randperm(V**T, generator=draw)[:N].tolist()
    sentences = [[number // V**t % V for t in range(T)] for number in chosen]
    shares = torch.rand(N, generator=draw, dtype=torch.float64) ** 2 + 0.02
    return sentences, (shares / shares.sum()).tolist()


def echo_sentences(style: int | None = None) -> tuple[list, list[float]]:
    """Return the sentences of echo, all or those of one style, and their probabilities."""
    language = echo()
    sentences = [list(sentence) for sentence in language.sentences]
    if style is not None:
        sentences = [s for s in sentences if (s[2] == 4) == (style == 0)]  # a photo of ...
    return sentences, [1 / len(sentences)] * len(sentences)


def groups(sentences, probabilities, seen) -> list[tuple[float, list]]:
    """Return (probability, [(sentence, its probability in the group)]) by what is seen."""
    found = defaultdict(list)
    for sentence, p in zip(sentences, probabilities, strict=True):
        found[tuple(sentence[place] for place in seen)].append((sentence, p))
    result = []
    for members in found.values():
        total = sum(p for _, p in members)
        result.append((total, [(sentence, p / total) for sentence, p in members]))
    return result


def law_at(members, place) -> dict[int, float]:
    """Return the law of the word at a place, in a group."""
    law = defaultdict(float)
    for sentence, p in members:
        law[sentence[place]] += p
    return dict(law)


def entropy(law) -> float:
    """Return the entropy in nats of some probabilities."""
    return -sum(p * math.log(p) for p in law)


def guess(sentences, probabilities, place, seen) -> float:
    """Return what is left to guess."""
    return sum(
        total * entropy(law_at(members, place).values())
        for total, members in groups(sentences, probabilities, seen)
    )


def guess_faults(sentences, probabilities, place, seen) -> list[tuple[float, str]]:
    """Return what known faults give instead."""
    right = guess(sentences, probabilities, place, seen)
    found = groups(sentences, probabilities, seen)
    even = [1 / len(sentences)] * len(sentences)
    each = [entropy(law_at(members, place).values()) for _, members in found]
    joint = entropy([total for total, _ in found]) + right
    return [
        (right / math.log(2), "it is measured in bits: take the natural logarithm for nats"),
        (sum(each) / len(each), "every group counts the same, whatever its probability"),
        (sum(each), "the entropies of the groups are added up without their probabilities"),
        (guess(sentences, even, place, seen), "every sentence counts the same"),
        (guess(sentences, probabilities, place, []), "what is seen makes no difference"),
        (joint, "a probability in a group is not divided by the group's own"),
        (
            guess(sentences, probabilities, place, range(place)),
            "it sees what stands before the place, not the places in seen",
        ),
        (
            guess(
                sentences,
                probabilities,
                place,
                [t for t in range(len(sentences[0])) if t not in (place, *seen)],
            ),
            "it sees the places that are not in seen",
        ),
        (max(each), "it is the entropy of one group, not the average over all"),
        (
            guess(sentences, probabilities, place, list(seen)[-1:]),
            "of the places in seen only the last one is used",
        ),
        (
            guess(
                [[*sorted(s[t] for t in seen), s[place]] for s in sentences],
                probabilities,
                -1,
                range(len(seen)),
            ),
            "the words that are seen have lost their places",
        ),
    ]


def left(call, sentences, probabilities, place, seen) -> float:
    """Return the answer's number."""
    given = f"for {len(sentences)} sentences, place = {place}, seen = {show(list(seen))}"
    return expect.number(call(sentences, probabilities, place, list(seen)), given)


@left_to_guess.property("nothing is left for someone who sees the place itself")
def sees_itself(call, draw):
    """place in seen."""
    for sentences, probabilities in (echo_sentences(), drawn_language(draw)):
        for seen in ([2], [3, 2], [0, 1, 2, 3]):
            got = left(call, sentences, probabilities, 2, seen)
            expect.equal(
                got,
                0,
                f"for place = 2, seen = {seen}:",
                "something is left although the place itself is seen",
            )


@left_to_guess.property("to see one place more never leaves more to guess")
def never_grows(call, draw):
    """Add places one by one."""
    sentences, probabilities = drawn_language(draw)
    for place, order in ((0, [1, 2, 3]), (1, [3, 0, 2]), (3, [2, 1, 0])):
        before = left(call, sentences, probabilities, place, [])
        for n in range(1, 4):
            got = left(call, sentences, probabilities, place, order[:n])
            if got > before + expect.TOLERANCE:
                raise Broken(
                    "more is seen, and more is left to guess",
                    f"for place = {place}: seen = {order[: n - 1]} gives {before:.4f}, "
                    f"seen = {order[:n]} gives {got:.4f}",
                )
            before = got


@left_to_guess.property("the order of seen does not matter")
def any_order(call, draw):
    """Shuffle seen."""
    sentences, probabilities = drawn_language(draw, N=12, T=5)
    for place, seen, other in ((4, [0, 1, 2], [2, 0, 1]), (0, [1, 3], [3, 1])):
        first, second = (left(call, sentences, probabilities, place, o) for o in (seen, other))
        if not expect.close(first, second):
            raise Broken(
                "the same places in another order give another number",
                f"for place = {place}: seen = {seen} gives {first:.4f}, "
                f"seen = {other} gives {second:.4f}",
            )


@left_to_guess.property("from the left, the places add up to the entropy of the language")
def chain_rule(call, draw):
    """The sum over all places with seen = range(place)."""
    cases = []
    for sentences, probabilities in (echo_sentences(), drawn_language(draw)):
        places = range(len(sentences[0]))
        faults = [guess_faults(sentences, probabilities, t, range(t)) for t in places]
        known = [  # each fault, summed over the places
            (sum(value for value, _ in column), column[0][1])
            for column in zip(*faults, strict=True)
        ]
        got = sum(left(call, sentences, probabilities, t, range(t)) for t in places)
        given = f"for the {len(places)} places of {len(sentences)} sentences:"
        cases.append((got, entropy(probabilities), given, known))
    diagnose(cases, "the sum over all places is not the entropy of the language")


@left_to_guess.property("it is the average entropy of the word, over what may be seen")
def average_entropy(call, draw):
    """Compare with the formula, and name the known slips."""
    cases = []
    for N, T, V in ((5, 3, 2), (9, 4, 3), (20, 4, 3)):
        language = drawn_language(draw, N, T, V)
        for place, seen in ((0, [1]), (1, [0, 2]), (2, [1]), (2, []), (0, [2, 1])):
            given = f"for {N} sentences of {T} words, place = {place}, seen = {seen}:"
            got = left(call, *language, place, seen)
            right = guess(*language, place, seen)
            cases.append((got, right, given, guess_faults(*language, place, seen)))
    diagnose(cases, "it gives another value")


# -- 13.5

knows_all = Exercise(
    "13.5",
    "knows_all",
    title="Who has seen everything?",
    minutes=15,
    level="hard",
    points=3,
    hints=(
        "After one block, t depends on what the mask says. After two, on whatever those depend on. "
        "Which product of tables adds one step to every path?",
        "With no block a state depends on its own token alone: start from the identity. A block "
        "can only add: no place ever gets lost. For a causal mask the answer is [T - 1] for any "
        "number of blocks.",
        "reach = torch.eye(T, dtype=torch.bool). Each block: reach = (mask.float() @ "
        "reach.float()) > 0. The answer is the list of rows of reach that are True all along.",
    ),
)


def chain(T: int) -> torch.Tensor:
    """Each token sees itself and the next one, the last one only itself."""
    return torch.eye(T, dtype=torch.bool) | torch.eye(T, dtype=torch.bool).roll(1, 1).triu()


def ring(T: int) -> torch.Tensor:
    """Each token sees itself and the next one, the last one the first."""
    return torch.eye(T, dtype=torch.bool) | torch.eye(T, dtype=torch.bool).roll(1, 1)


def drawn_mask(draw, T: int) -> torch.Tensor:
    """Return a mask of few squares, in which each token sees itself."""
    return (torch.rand(T, T, generator=draw) < 0.3) | torch.eye(T, dtype=torch.bool)


def steps_to(mask: torch.Tensor, blocks: int) -> list[set[int]]:
    """Return for each place the tokens that its state can depend on."""
    sees = [[s for s, may in enumerate(row) if may] for row in mask.tolist()]
    seen = [{t} for t in range(len(mask))]
    for _ in range(blocks):
        seen = [set().union(*(seen[s] for s in row)) for row in sees]
    return seen


def knowing(mask: torch.Tensor, blocks: int) -> list[int]:
    """Return the places that know all."""
    return [t for t, seen in enumerate(steps_to(mask, blocks)) if len(seen) == len(mask)]


def places_after(call, mask: torch.Tensor, blocks: int) -> list[int]:
    """Return the answer's places, in order."""
    given = f"for T = {len(mask)}, blocks = {blocks}"
    got = expect.wholes(call(mask, blocks), seen=given)
    if any(not 0 <= place < len(mask) for place in got):
        raise Broken("it returned a place that does not exist", f"{given}: {show(got)}")
    if len(set(got)) < len(got):
        raise Broken("it returned a place twice", f"{given}: {show(got)}")
    if got != sorted(got):
        raise Broken("the places do not stand in ascending order", f"{given}: {show(got)}")
    return got


def named(mask: torch.Tensor) -> str:
    """Return a mask in digits."""
    return f"mask {show(mask.int().tolist(), 140)}"


def window_case(T: int, W: int, blocks: int) -> tuple:
    """Return a causal window, its name, and the number of blocks."""
    return masks.window(T, width=W), f"a causal window of {W}", blocks


def compare(call, cases: list[tuple], fault: str) -> None:
    """Compare with what is right for (mask, its name, blocks), and name the known slips."""
    found = []
    for mask, name, blocks in cases:
        known = (
            (knowing(mask.T, blocks), "rows and columns are exchanged: True at (t, s) = t sees s"),
            (knowing(mask, 1), "it looks at the mask once, whatever the number of blocks"),
            (knowing(mask, blocks + 1), "it goes one step too many: a block is one step"),
            (knowing(mask, max(blocks - 1, 0)), "it goes one step too few: a block is one step"),
            (knowing(mask, 2**blocks), "each block doubles the steps: multiply by the mask itself"),
            (knowing(mask, len(mask)), "it goes on until nothing changes: count the blocks"),
            (knowing(mask, max(blocks, 1)), "no block at all is taken as one block"),
        )
        given = f"for T = {len(mask)}, {name}, blocks = {blocks}:"
        found.append((places_after(call, mask, blocks), knowing(mask, blocks), given, known))
    diagnose(found, fault)


@knows_all.property("a causal mask: only the last place, for any number of blocks")
def causal_last(call, draw):
    """Causal, 1 to many blocks."""
    for T in (2, 5):
        for blocks in (1, 2, 7):
            fault = "causal: the last place, and no other, knows all"
            got = places_after(call, masks.causal(T), blocks)
            expect.equal(got, [T - 1], f"for T = {T}, blocks = {blocks}:", fault)


@knows_all.property("no mask: all places, after one block already")
def all_places(call, draw):
    """The full square."""
    for T in (1, 2, 5):
        for blocks in (1, 3):
            fault = "without a mask every place knows all, from the first block on"
            got = places_after(call, torch.ones(T, T, dtype=torch.bool), blocks)
            expect.equal(got, list(range(T)), f"for T = {T}, blocks = {blocks}:", fault)


@knows_all.property("no block: a token knows itself alone")
def no_block(call, draw):
    """blocks = 0, with other cases that tell a special 0 from a wrong count."""
    cases = [(torch.ones(T, T, dtype=torch.bool), "no mask", 0) for T in (1, 3)]
    if any(places_after(call, mask, 0) != knowing(mask, 0) for mask, _, _ in cases):
        cases += [window_case(T, W, blocks) for T, W, blocks in ((3, 2, 1), (5, 2, 2), (5, 3, 3))]
        compare(call, cases, "without a block every state is that of its own token alone")


@knows_all.property("a window of W needs (T - 1) / (W - 1) blocks, rounded up")
def windows(call, draw):
    """All numbers of blocks from 1 to one more than are needed."""
    cases = [
        window_case(T, W, blocks)
        for T, W in ((5, 2), (6, 3), (7, 3), (9, 4))
        for blocks in range(1, math.ceil((T - 1) / (W - 1)) + 2)
    ]
    compare(call, cases, "a causal window gives its last place a wrong number of blocks")


@knows_all.property("each block is one step along the mask, in its direction")
def one_step(call, draw):
    """Chains, rings and drawn masks."""
    cases = [
        (mask, named(mask), blocks)
        for mask in (chain(4), ring(5), chain(4).T, ring(4).T)
        for blocks in range(1, len(mask) + 1)
    ]
    for T in (4, 5, 6, 6):
        mask = drawn_mask(draw, T)
        cases += [(mask, named(mask), blocks) for blocks in (1, 2, 3)]
    compare(call, cases, "the places are not those that see everything")


@knows_all.property("very many blocks are no problem")
def many_blocks(call, draw):
    """Counts of paths overflow unless they are made True or False in between."""
    for mask, blocks in ((masks.causal(6), 400), (ring(6), 1001)):
        few, got = (places_after(call, mask, n) for n in (len(mask), blocks))
        fault = "after very many blocks the places are other ones"
        if few == knowing(mask, len(mask)):
            fault = "very many blocks are too much for it: keep True and False, not counts of paths"
        expect.equal(got, knowing(mask, blocks), f"for T = 6, blocks = {blocks}:", fault)


# -- 13.6

filled_apart = Exercise(
    "13.6",
    "filled_apart",
    title="Filled apart",
    minutes=30,
    level="challenge",
    points=5,
    hints=(
        "Fix the words that are not hidden. Which fillings does the language have there, and with "
        "what probability does each of them come up if every word is drawn by itself?",
        "One hidden place always fits: 1. Two places that always carry the same word, a fair coin, "
        "fit in 1/2; three of them in 1/4. The words of a place are drawn from the law that this "
        "place has given the words that are not hidden.",
        "Group the sentences by their words that are not hidden. In each group make the law of "
        "each hidden place (divide by the group's probability). For each sentence of the group "
        "multiply the laws' values at its own hidden words, add these products up, and multiply "
        "by the group's probability.",
    ),
)


def apart(sentences, probabilities, hidden, choose=law_at) -> float:
    """Return the probability that fillings drawn apart give a sentence."""
    shown = [t for t in range(len(sentences[0])) if t not in hidden]
    fit = 0.0
    for total, members in groups(sentences, probabilities, shown):
        laws = {place: choose(members, place) for place in hidden}
        fit += total * sum(
            math.prod(laws[place].get(sentence[place], 0) for place in hidden)
            for sentence, _ in members
        )
    return fit


def even_law(members, place) -> dict[int, float]:
    """Fault: each word that occurs counts the same."""
    words = {sentence[place] for sentence, _ in members}
    return dict.fromkeys(words, 1 / len(words))


def likeliest(members, place) -> dict[int, float]:
    """Fault: the likeliest word is taken."""
    law = law_at(members, place)
    return {max(sorted(law), key=law.get): 1.0}


def law_knowing(members, truth, hidden, place) -> dict[int, float]:
    """Fault: the law of a place for someone who knows the other hidden words of truth."""
    like = [(s, q) for s, q in members if all(s[h] == truth[h] for h in hidden if h != place)]
    total = sum(q for _, q in like)
    return {word: q / total for word, q in law_at(like, place).items()}


def apart_faults(sentences, probabilities, hidden) -> list[tuple[float, str]]:
    """Return what known faults give instead."""
    shown = [t for t in range(len(sentences[0])) if t not in hidden]
    found = groups(sentences, probabilities, shown)
    overall = groups(sentences, probabilities, [])[0][1]
    fits = [
        sum(
            math.prod(law_at(members, place)[sentence[place]] for place in hidden)
            for sentence, _ in members
        )
        for _, members in found
    ]
    knowing_others = 0.0
    for total, members in found:
        for truth, p in members:
            laws = {place: law_knowing(members, truth, hidden, place) for place in hidden}
            knowing_others += (
                total
                * p
                * sum(
                    math.prod(laws[place].get(sentence[place], 0) for place in hidden)
                    for sentence, _ in members
                )
            )
    return [
        (
            apart(sentences, probabilities, hidden, lambda m, place: law_at(overall, place)),
            "the words are drawn without a look at the words that are not hidden",
        ),
        (
            apart(sentences, probabilities, hidden, even_law),
            "the words that a place can have are drawn as if all were equally likely",
        ),
        (
            apart(sentences, probabilities, hidden, likeliest),
            "each place takes its likeliest word: a draw may give any other one too",
        ),
        (
            apart(sentences, [1 / len(sentences)] * len(sentences), hidden),
            "all sentences are taken as equally likely",
        ),
        (sum(fits) / len(fits), "the words that are not hidden are taken as equally likely"),
        (sum(fits), "the cases are added up without their probabilities"),
        (knowing_others, "each place is filled by someone who knows the other hidden words"),
        (
            sum(
                total * p * math.prod(law_at(members, h)[sentence[h]] for h in hidden)
                for total, members in found
                for sentence, p in members
            ),
            "it is the chance to hit the very sentence that was hidden: any sentence counts",
        ),
        (
            apart(sentences, probabilities, hidden[:2]),
            "only the first two of the hidden places are filled",
        ),
        (1.0, "the hidden words are drawn together, so they always fit: each must be drawn apart"),
    ]


def fit(call, sentences, probabilities, hidden) -> float:
    """Return the answer's probability."""
    given = f"for {len(sentences)} sentences, hidden = {hidden}"
    got = expect.number(call(sentences, probabilities, hidden), given)
    if not -1e-9 <= got <= 1 + 1e-9:
        raise Broken("it is no probability: it does not lie between 0 and 1", f"{given}: {got:.4g}")
    return got


@filled_apart.property("one hidden place always fits")
def one_place(call, draw):
    """The law given the rest gives only words that fit."""
    for sentences, probabilities in (echo_sentences(), drawn_language(draw)):
        for place in (0, 2, 3):
            expect.equal(
                fit(call, sentences, probabilities, [place]),
                1,
                f"for {len(sentences)} sentences, hidden = {[place]}:",
                "one hidden place does not always fit, though its own law knows all the rest",
            )


@filled_apart.property("words that do not depend on one another always fit")
def independent(call, draw):
    """All pairs of words, with the product of two laws; the rest decides which laws."""
    shares = torch.rand(2, 5, generator=draw, dtype=torch.float64) + 0.1
    sentences, probabilities = [], []
    for first, row in enumerate(shares):
        a, b = row[:2] / row[:2].sum(), row[2:] / row[2:].sum()
        for i in range(2):
            for j in range(3):
                sentences.append([first, i, 9, j])
                probabilities.append(float((0.3, 0.7)[first] * a[i] * b[j]))
    expect.equal(
        fit(call, sentences, probabilities, [1, 3]),
        1,
        "for two words that are independent given the rest, hidden = [1, 3]:",
        "independent words do not always fit",
    )
    only = [[4, 2, 4, 3]]
    for hidden in ([0, 2], [0, 1, 2, 3]):
        expect.equal(
            fit(call, only, [1.0], hidden),
            1,
            f"for the only sentence {only[0]}, hidden = {hidden}:",
            "in a language of one sentence its words do not always fit",
        )


@filled_apart.property("a fair coin and its copies fit in 1/2, then in 1/4")
def copies(call, draw):
    """The shape words of echo, and three copies."""
    got = fit(call, *echo_sentences(style=0), [6, 8])
    fault = "the two shape words of echo do not fit in 1/2"
    expect.equal(got, 0.5, "for the first style of echo, hidden = [6, 8]:", fault)
    coin = [[0, 7, 0, 0], [1, 7, 1, 1]]
    got = fit(call, coin, [0.5, 0.5], [0, 2, 3])
    fault = "three copies of a coin do not fit in 1/4"
    expect.equal(got, 0.25, f"for the sentences {coin}, hidden = [0, 2, 3]:", fault)


@filled_apart.property("the order of the hidden places does not matter")
def hidden_order(call, draw):
    """(i, j) and (j, i)."""
    sentences, probabilities = drawn_language(draw, N=20, T=4)
    for hidden, other in (([0, 2], [2, 0]), ([1, 2, 3], [3, 1, 2])):
        first, second = (fit(call, sentences, probabilities, order) for order in (hidden, other))
        if not expect.close(first, second):
            raise Broken(
                "the same hidden places in another order give another number",
                f"hidden = {hidden} gives {first:.4f}, hidden = {other} gives {second:.4f}",
            )


@filled_apart.property("it is the probability that words drawn apart make a sentence")
def drawn_apart(call, draw):
    """Compare with the formula, and name the known slips."""
    likely_misfit = ([[0, 1], [0, 2], [1, 0]], [0.3, 0.3, 0.4])  # the likeliest words: no sentence
    tried = [(likely_misfit, [0, 1])]
    for N, T, V in ((5, 3, 2), (12, 4, 3), (25, 4, 3)):
        language = drawn_language(draw, N, T, V)
        tried += [(language, hidden) for hidden in ([0, 1], [2, 0], [0, 1, 2], list(range(T)))]
    cases = []
    for language, hidden in tried:
        sentences = language[0]
        given = f"for {len(sentences)} sentences of {len(sentences[0])} words, hidden = {hidden}:"
        got = fit(call, *language, hidden)
        cases.append((got, apart(*language, hidden), given, apart_faults(*language, hidden)))
    diagnose(cases, "it gives another probability")


EXERCISES = (count_pairs, family, largest_shortlist, left_to_guess, knows_all, filled_apart)
