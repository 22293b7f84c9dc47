"""Exercise 02.4: counting instead of training."""

from itertools import pairwise

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_02.shared import equal_rows, normal
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.languages import language as languages

BOS, EOS = languages.BOS, languages.EOS


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
    twice = [[1, 2, 3], [1, 2, 3], [1, 2, 0], [1, 3]]
    inside = [[1, 2, 1]]
    nought = [[1, 0, 2], [0, 0], [3]]
    digits = [[1, 12, 3], [11, 2, 3], [1, 1, 23], [39, 39, 0]]
    return [(fixed, 6), (drawn, 8), (twice, 4), (inside, 3), (nought, 4), (digits, 40)]


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
        different = [list(ids) for ids in dict.fromkeys(map(tuple, sentences))]
        occurs = torch.tensor([sum(ids.count(word) for ids in sentences) for word in range(V)])
        real = counts.clone()
        real[0, :] = real[:, 0] = 0
        once = sum((pair_counts([ids], V) > 0).double() for ids in sentences)
        shortest = min(map(len, sentences))
        cut = pair_counts([ids[:shortest] for ids in sentences], V)
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
                (normal(pair_counts(different, V)), "a sentence that comes twice is counted once"),
                (
                    counts / occurs.clamp(min=1)[:, None],
                    "it divides by how often the word comes, its last place in a sentence included",
                ),
                (normal(real), "pairs with id 0 are left out: here it is a word like any other"),
                (normal(once), "a pair counts once a sentence, however often it comes there"),
                (normal(cut), "all sentences are cut to the length of the shortest"),
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
