"""Exercise 02.5: the smallest memory that suffices."""

from collections import defaultdict
from weakref import WeakKeyDictionary

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show
from helpers.languages import language as languages

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
