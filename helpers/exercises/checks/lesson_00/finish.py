"""Exercise 00.5: the whole loop."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_00.shared import drawn_law, right_piece
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show
from helpers.languages.language import captions

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


@finish.property("a prefix is its ids in their order, and only a 2 that is drawn ends it")
def any_prefix(call, draw):
    """Ids of two digits, orders that differ, a 2 in the prefix, and a long sentence."""
    V = 14

    def sure(word):
        return [float(index == word) for index in range(V)]

    half = [0.5 * (index in (11, 12)) for index in range(V)]
    digits = [[[1], half], [[1, 12], sure(3)], [[1, 12, 3], sure(2)], [[1, 11], sure(2)]]
    digits += [[[11, 2], sure(2)], [[1, 1], sure(2)], [[11, 23], sure(13)]]
    orders = [[[1, 3, 4], sure(2)], [[1, 4, 3], sure(5)], [[1, 4, 3, 5], sure(2)]]
    inside = [[[1, 2, 3], sure(4)], [[1, 2, 3, 4], sure(2)], [[1, 3], sure(2)]]
    stay = [0.5 * (index in (2, 3)) for index in range(V)]
    long = [[[1, *[3] * n], stay] for n in range(60)]
    for laws, prefix, spots, fault in (
        (
            digits,
            [1],
            [0.9] * 5,
            "two prefixes are taken for one, though their ids differ: [1, 12] is not [11, 2]",
        ),
        (
            [[[1, 3, 5], sure(2)], [[1, 3], sure(5)], [[1], stay]],
            [1],
            [0.9, 0.1, 0.5, 0.5, 0.5],
            "the law of a shorter beginning is used where that of the whole prefix is there",
        ),
        (orders, [1, 3, 4], [0.5] * 3, "the order of the ids in a prefix is not looked at"),
        (orders, [1, 4, 3], [0.5] * 3, "the order of the ids in a prefix is not looked at"),
        (
            inside,
            [1, 2, 3],
            [0.5] * 4,
            "a 2 within the prefix ends the sentence: go on until 2 is drawn",
        ),
        (long, [1], [0.9] * 50 + [0.1] * 2, "a sentence of many words is cut off, or goes astray"),
    ):
        given = f"for prefix = {prefix}, spots = {show(spots)}:"
        expect.equal(
            sentence_of(call, laws, prefix, spots), finished(laws, prefix, spots), given, fault
        )


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
