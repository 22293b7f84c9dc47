"""Exercise 06.6: take the mask away."""

from collections import Counter
from weakref import WeakKeyDictionary

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_06.shared import mean, pick
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.languages.language import BOS, EOS, captions

train_and_write = Exercise(
    "06.6",
    "train_and_write",
    title="Take the mask away",
    minutes=30,
    level="challenge",
    points=5,
    imports=(
        "torch",
        "helpers.decoder.model",
        "helpers.decoder.config",
        "helpers.training.batches",
        "helpers.training.loop",
        "helpers.training.schedules",
        "helpers.decoding.generation",
        "helpers.languages.language",
    ),
    seconds=120,
    hints=(
        "The honest loss is the cell of this lesson that compares seven losses in one pass with "
        "seven passes. What must it be for a model with the mask?",
        "With causal=True, loss and honest agree to 0.00001 and lie above "
        "Language.sample_law(rows).floor. With causal=False, one of them falls far below it. After "
        "one step only, nothing of this is to be seen, but the form of the answer is.",
        "Batch.of(rows) is one batch for all steps: train(model, itertools.repeat(batch), "
        "steps=steps, rate=0.003). honest: F.cross_entropy(model(tokens[:, :t])[:, -1], "
        "tokens[:, t]), averaged over t from 1 to T - 1. sentences: generate from 20 rows of "
        "<bos>, with seed=seed and max_new_tokens=T - 1; put <bos> in front of its rows().",
    ),
)


STEPS, RUNS = 150, 3


LANGUAGE = captions()


KEPT: WeakKeyDictionary = WeakKeyDictionary()  # answer -> {causal: runs}, since training takes time


def some_rows(draw: torch.Generator) -> list[list[int]]:
    """Return the eight captions, each one to three times."""
    times = torch.randint(1, 4, (len(LANGUAGE.sentences),), generator=draw).tolist()
    return [list(s) for s, n in zip(LANGUAGE.sentences, times, strict=True) for _ in range(n)]


def run(call, rows: list, causal: bool, steps: int, seed: int) -> dict:
    """Return one result, its form checked."""
    V, T = LANGUAGE.vocab_size, len(rows[0])
    seen = f"for causal = {causal}, steps = {steps}"
    result = expect.table(call(rows, V, causal, steps, seed), ("loss", "honest", "sentences"), seen)
    sentences = []
    for sentence in expect.items(result["sentences"], 20, f"{seen}, as sentences"):
        sentence = expect.wholes(sentence, seen=f"{seen}, in sentences")
        shown = f"{seen}: {sentence}"
        if sentence[:1] != [BOS]:
            raise Broken("a sentence does not begin with <bos>", shown)
        if len(sentence) > T:
            raise Broken("a sentence is longer than the rows are", shown)
        if EOS in sentence[:-1]:
            raise Broken("a sentence goes on behind its <eos>", shown)
        if not all(0 <= token < V for token in sentence):
            raise Broken("a sentence holds an id outside the vocabulary", shown)
        sentences.append(tuple(sentence))
    return {
        "loss": expect.number(result["loss"], f"{seen}, as loss"),
        "honest": expect.number(result["honest"], f"{seen}, as honest"),
        "sentences": sentences,
    }


def runs(call, draw: torch.Generator, causal: bool) -> tuple[list, list[dict], float]:
    """Return the rows, the results of training on them, and their floor."""
    rows = some_rows(draw)
    seeds = [pick(draw, 0, 10**6) for _ in range(RUNS)]
    kept = KEPT.setdefault(call, {})
    if causal not in kept:
        kept[causal] = [run(call, rows, causal, STEPS, seed) for seed in seeds]
    return rows, kept[causal], LANGUAGE.sample_law([tuple(row) for row in rows]).floor


def distance(rows: list, sentences: list) -> float:
    """Return the total variation between the shares of sentences in two lists."""
    ours, theirs = Counter(sentences), Counter(map(tuple, rows))
    return (
        sum(abs(ours[key] / len(sentences) - theirs[key] / len(rows)) for key in ours | theirs) / 2
    )


AGAIN = "it writes one sentence again and again: draw tokens, do not take the likeliest"


def same_again(result: dict) -> bool:
    """Return whether nearly all sentences are one and the same."""
    return max(Counter(result["sentences"]).values()) > 16


def before_training(function):
    """Return a property that ends the check where it fails: training takes time."""

    def ending(call, draw):
        try:
            function(call, draw)
        except Broken as error:
            raise WrongForm(error.fault, error.seen, error.public) from None

    return ending


@train_and_write.property("it gives loss, honest and 20 sentences, the same again for one seed")
@before_training
def run_form(call, draw):
    """One step is enough to see the form."""
    rows, seed = some_rows(draw), pick(draw, 0, 10**6)
    for causal in (True, False):
        first, again, other = (run(call, rows, causal, 1, s) for s in (seed, seed, seed + 100))
        seen = f"for causal = {causal}, steps = 1"
        if first != again:
            raise Broken(
                "the same seed gives another run: first weights and draws must come from seed", seen
            )
        if expect.close(first["loss"], other["loss"], 1e-9):
            raise Broken("another seed starts with the same weights", seen)
        if not 1 < first["loss"] < 4:
            raise Broken(
                "after one step the loss should still be near ln 12, that of a guess",
                f"{seen} it is {first['loss']:.3f}",
            )


@train_and_write.property("with the mask, a text cut off before the answer gives the same loss")
@before_training
def run_same(call, draw):
    """The exact invariant of teacher forcing: it needs no training."""
    rows, seed = some_rows(draw), pick(draw, 0, 10**6)
    masked, free = (run(call, rows, causal, 1, seed) for causal in (True, False))
    same = expect.close(masked["honest"], masked["loss"])
    seen = f"after one step: loss {masked['loss']:.3f}, honest {masked['honest']:.3f}"
    if expect.close(masked["loss"], free["loss"], 1e-7):
        raise Broken(
            "the model has the mask even where causal is False"
            if same
            else "the model has no mask even where causal is True",
            seen,
        )
    if not same:
        raise Broken(
            "with the mask, loss and honest differ, though no position sees what comes later", seen
        )


def measured(result: dict, floor: float) -> str:
    """Return what a run measured, in words."""
    return (
        f"after {STEPS} steps: loss {result['loss']:.3f}, honest {result['honest']:.3f}, "
        f"floor {floor:.3f}"
    )


@train_and_write.property("with the mask, the loss ends just above the floor of its rows")
def run_with_mask(call, draw):
    """What training must reach, and what it cannot."""
    _, found, floor = runs(call, draw, True)
    for result in found:
        if result["loss"] < floor - 1e-6:
            raise Broken(
                "with the mask the loss lies below the floor of its own rows",
                measured(result, floor),
            )
        if result["loss"] > floor + 0.06:
            raise Broken("with the mask it has not learned its rows", measured(result, floor))


@train_and_write.property("a row that stands often counts as often")
def run_often(call, draw):
    """One caption nineteen times, another one once."""
    one, other = pick(draw, 0, 3), pick(draw, 4, 7)
    rows = [list(LANGUAGE.sentences[one])] * 19 + [list(LANGUAGE.sentences[other])]
    floor = LANGUAGE.sample_law([tuple(row) for row in rows]).floor
    result = run(call, rows, True, STEPS, pick(draw, 0, 10**6))
    if result["loss"] > floor + 0.04:
        raise Broken(
            "equal rows count once, or it has not learned how often each row stands",
            measured(result, floor),
        )


@train_and_write.property("with the mask, most sentences are captions, and of many kinds")
def run_writes(call, draw):
    """Drawn from the model's law: neither noise nor one and the same."""
    rows, found, _ = runs(call, draw, True)
    if any(same_again(result) for result in found):
        raise Broken(AGAIN, f"for example {list(found[0]['sentences'][0])}")
    known = set(map(tuple, rows))
    valid = mean(sum(s in known for s in result["sentences"]) for result in found)
    if valid < 12:
        raise Broken(
            "with the mask too few of the sentences are captions",
            f"after {STEPS} steps {valid:.0f} of 20, for example {list(found[0]['sentences'][0])}",
        )


@train_and_write.property("without the mask, the loss falls far below the floor")
def run_leak(call, draw):
    """Each position has read its answer."""
    _, found, floor = runs(call, draw, False)
    for result in found:
        if result["loss"] > floor - 0.1:
            raise Broken(
                "without the mask the loss stays at the floor: does the model really see the "
                "next token?",
                measured(result, floor),
            )


@train_and_write.property("without the mask, the honest loss ends well above the floor")
def run_honest(call, draw):
    """No model that does not see the answer can beat the floor."""
    _, found, floor = runs(call, draw, False)
    for result in found:
        if result["honest"] < floor - 1e-6:
            raise Broken(
                "the honest loss lies below the floor: cut the text off before the answer, so "
                "that nobody can read it",
                measured(result, floor),
            )
        if result["honest"] < floor + 0.06:
            raise Broken(
                "without the mask the honest loss is as good as with it", measured(result, floor)
            )


@train_and_write.property(
    "without the mask, the sentences are further from the shares that the rows have"
)
def run_sentences(call, draw):
    """The comparison with the masked model."""
    rows, masked, _ = runs(call, draw, True)
    _, free, _ = runs(call, draw_again(draw), False)
    if any(same_again(result) for result in masked):
        raise Broken(AGAIN, "so the shares of the sentences cannot be compared")
    with_mask, without = (
        mean(distance(rows, result["sentences"]) for result in found) for found in (masked, free)
    )
    if without < with_mask + 0.05:
        raise Broken(
            "without the mask the sentences are as good as with it: were they written by that "
            "model?",
            f"total variation from the rows {with_mask:.2f} with the mask, {without:.2f} without",
        )


def draw_again(draw: torch.Generator) -> torch.Generator:
    """Return the generator as it was at first."""
    return torch.Generator().manual_seed(draw.initial_seed())
