"""Exercise 09.1: what is left."""

from helpers.exercises import expect
from helpers.exercises.checks.lesson_09.shared import begin, tree
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.exercises.plain import show
from helpers.languages.language import recall

possible = Exercise(
    "09.1",
    "possible",
    title="What is left",
    minutes=2,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "A prompt rules a sentence out when they differ at any place of the prompt. Which piece of "
        "the sentence do you have to look at for that?",
        "The prompt [1] must leave all sentences, and a whole sentence must leave itself alone. A "
        "prompt that is longer than a sentence cannot be its beginning.",
        "Go through enumerate(sentences) and keep the index i where "
        "sentence[: len(prompt)] == prompt.",
    ),
)


def compare_left(call, sentences: list[list[int]], prompt: list[int], known=()) -> None:
    """Compare the indices, and name the first sentence that is wrong."""
    left, right = expect.wholes(call(sentences, prompt)), begin(sentences, prompt)
    if left == right:
        return
    fault = "not the sentences that begin with the prompt are left, in order"
    fault = next((words for value, words in known if left == value), fault)
    seen = f"for the prompt {prompt} it gives {show(left)}, right is {show(right)}"
    odd = sorted(set(left) ^ set(right))
    if odd and 0 <= odd[0] < len(sentences):
        seen += f"; sentence {odd[0]} is {sentences[odd[0]]}"
    raise Broken(fault, seen)


@possible.property("it is a list of indices, counted from 0")
def possible_form(call, draw):
    """The prompt [1] leaves all."""
    sentences = tree(draw, 5)
    left = expect.items(call(sentences, [1]), seen="for the prompt [1]")
    if left and all(isinstance(item, list) for item in left):
        raise WrongForm("it returned the sentences, and their indices are asked for")
    left = expect.wholes(left, seen="for the prompt [1]")
    if left == [1, 2, 3, 4, 5]:
        raise WrongForm("the first sentence has index 0, not 1", "for the prompt [1]")
    if left != [0, 1, 2, 3, 4]:
        raise Broken(
            "a prompt that all sentences begin with must leave them all",
            f"for the prompt [1] and 5 sentences it gives {left}",
        )


@possible.property("the sentences that begin with the prompt are left, and no others")
def possible_values(call, draw):
    """Cases in which the usual slips differ, then drawn ones, then a language of the course."""
    few = [[1, 3, 4, 2], [1, 3, 4, 5, 2], [1, 4, 3, 2], [1, 5, 3, 4, 2], [1, 3, 2], [1, 4, 4, 2]]
    for sentences, prompt in (
        (few, [1, 3, 4]),
        (few, [3, 4]),
        (few, [1, 3, 2, 4]),
        *((some := tree(draw, 8), some[0][:length]) for length in (2, 3, 3)),
    ):
        last = [
            i
            for i, sentence in enumerate(sentences)
            if sentence[len(prompt) - 1 : len(prompt)] == prompt[-1:]
        ]
        short = [
            i
            for i, sentence in enumerate(sentences)
            if all(a == b for a, b in zip(sentence, prompt, strict=False))
        ]
        somewhere = [
            i
            for i, sentence in enumerate(sentences)
            if any(sentence[k : k + len(prompt)] == prompt for k in range(len(sentence)))
        ]
        bag = [i for i, sentence in enumerate(sentences) if set(prompt) <= set(sentence)]
        compare_left(
            call,
            sentences,
            prompt,
            known=(
                (last, "only the last token of the prompt is compared"),
                (somewhere, "the prompt must stand at the beginning, not anywhere in a sentence"),
                (bag, "the tokens of the prompt must stand in its order"),
                (short, "a sentence that is shorter than the prompt does not begin with it"),
            ),
        )
    for some, prompt, fault in (
        (
            [[1, 11, 2], [1, 1, 1, 2]],
            [1, 1, 1],
            "ids are joined to a text, where 1 11 begins as 1 1 1 does",
        ),
        (
            [[1, 3, 12, 2], [1, 3, 1, 2]],
            [1, 3, 1],
            "the last id of the prompt is taken for the beginning of a longer id",
        ),
        (
            [[1, 3, 2], [1, 4, 2], [1, 3, 2]],
            [1, 3],
            "a sentence that stands twice has two indices, each its own",
        ),
    ):
        left = expect.wholes(call(some, prompt))
        if left != begin(some, prompt):
            raise Broken(fault, f"for {some} and the prompt {prompt} it gives {left}")
    language = recall()
    sentences = [list(sentence) for sentence in language.sentences]
    prompt = [1, *(language.words.index(word) for word in "a large plus".split())]
    compare_left(call, sentences, prompt)


@possible.property("a longer prompt never adds a sentence; a whole one leaves itself alone")
def possible_shrinks(call, draw):
    """From the empty prompt to the whole sentence, token by token."""
    sentences = tree(draw, 10)
    for chosen in (0, 4):
        sentence, before = sentences[chosen], set()
        for length in range(len(sentence) + 1):
            left = expect.wholes(call(sentences, sentence[:length]))
            seen = f"for the prompt {sentence[:length]} it gives {left}"
            if length > 0:
                seen += f", for one token less {sorted(before)}"
            if length == 0 and len(left) != 10:
                raise Broken("an empty prompt rules nothing out", seen)
            if length > 0 and not before >= set(left):
                raise Broken("a longer prompt adds a sentence", seen)
            before = set(left)
        if chosen not in left:
            raise Broken("a sentence begins with itself: nothing has to come after it", seen)
        if left != [chosen]:
            raise Broken("a whole sentence as the prompt must leave no other one", seen)
