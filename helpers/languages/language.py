"""Three small languages whose truth is known, and the engine that computes it.

Each language is finite: a list of sentences with a probability for each. So every question about
it (what comes next, how good can a model be, which sentence is this) has an exact answer, found by
going through all sentences. `Language` answers them; `captions`, `echo` and `recall` build one.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

PAD, BOS, EOS = 0, 1, 2  # the ids of <pad>, <bos> and <eos>, the same in every language
SPECIAL_WORDS = ("<pad>", "<bos>", "<eos>")

SIZES = ("large", "small")
CAPTION_SHAPES = ("plus", "circle")
RECALL_SHAPES = ("plus", "circle", "square", "star")
CAPTION_WORDS = (*SPECIAL_WORDS, "a", "photo", "of", "in", "the", *SIZES, *CAPTION_SHAPES)
RECALL_WORDS = (*SPECIAL_WORDS, "a", "and", "the", "is", *SIZES, *RECALL_SHAPES)


@dataclass(frozen=True)
class Language:
    """A finite language: every sentence it can say, and how likely each one is.

    name: for messages and titles.
    words: the vocabulary in the order of its ids; V = len(words).
    sentences: id tuples, each `<bos> ... <eos>` without padding; S = len(sentences).
    probabilities: one a sentence; positive, and their sum is 1.

    All laws are float64, all losses and entropies are in nats.
    Raises ValueError for an empty language, a sentence without its `<bos>` or `<eos>`, an id
    outside the vocabulary, a special id in the middle of a sentence, a sentence listed twice, or
    probabilities that are no law.
    """

    name: str
    words: tuple[str, ...]
    sentences: tuple[tuple[int, ...], ...]
    probabilities: tuple[float, ...]
    # prefix -> {next id: probability of prefix and next id}; filled once, so look-ups are quick
    _mass_after: dict[tuple[int, ...], dict[int, float]] = field(
        init=False, repr=False, compare=False
    )

    def __post_init__(self) -> None:
        self._check()
        mass_after: dict = defaultdict(lambda: defaultdict(float))
        for sentence, probability in zip(self.sentences, self.probabilities, strict=True):
            for t in range(1, len(sentence)):
                mass_after[sentence[:t]][sentence[t]] += probability
        object.__setattr__(self, "_mass_after", {p: dict(n) for p, n in mass_after.items()})

    def _check(self) -> None:
        if not self.sentences:
            raise ValueError(f"language {self.name!r} has no sentence; give at least one")
        if len(self.sentences) != len(self.probabilities):
            raise ValueError(
                f"{len(self.sentences)} sentences but {len(self.probabilities)} probabilities; "
                "give one probability a sentence"
            )
        if len(set(self.sentences)) != len(self.sentences):
            raise ValueError("a sentence is listed twice; add its probabilities up instead")
        for sentence in self.sentences:
            if len(sentence) < 2 or sentence[0] != BOS or sentence[-1] != EOS:
                raise ValueError(f"sentence {sentence} must begin with {BOS} and end with {EOS}")
            if not all(0 <= token < len(self.words) for token in sentence):
                raise ValueError(f"sentence {sentence} has an id outside 0..{len(self.words) - 1}")
            if any(token in (PAD, BOS, EOS) for token in sentence[1:-1]):
                raise ValueError(
                    f"sentence {sentence} has a special id in its middle; {PAD}, {BOS} and {EOS} "
                    "are no words, and only an end that is unique can be predicted"
                )
        if not all(p > 0 for p in self.probabilities):
            raise ValueError("probabilities must be positive; leave impossible sentences out")
        if abs(math.fsum(self.probabilities) - 1) > 1e-9:
            raise ValueError(f"probabilities sum to {math.fsum(self.probabilities)}, not to 1")

    @property
    def vocab_size(self) -> int:
        """V, the number of words with the three special ones."""
        return len(self.words)

    @property
    def longest(self) -> int:
        """Tokens in the longest sentence, `<bos>` and `<eos>` counted."""
        return max(len(sentence) for sentence in self.sentences)

    @property
    def prefixes(self) -> tuple[tuple[int, ...], ...]:
        """Every beginning that some sentence has, from `(<bos>,)` to all but `<eos>`."""
        return tuple(self._mass_after)

    def text(self, ids: Sequence[int]) -> str:
        """The words of a list of ids without the special ones: what a person would read."""
        row = [int(token) for token in ids]
        for token in row:
            if not 0 <= token < self.vocab_size:
                raise ValueError(f"unknown id {token}; allowed are 0 to {self.vocab_size - 1}")
        return " ".join(self.words[token] for token in row if token not in (PAD, BOS, EOS))

    # ---- what comes next, and which sentence is this ---------------------------------------

    def prefix_probability(self, prefix: Sequence[int]) -> float:
        """Probability that a sentence begins with `prefix` (which begins with `<bos>`)."""
        return math.fsum(p for _, p in self._sentences_from(prefix))

    def next_token(self, prefix: Sequence[int]) -> Float[Tensor, "V"]:
        """The exact law of the token after `prefix`, shape [V].

        Raises ValueError if no sentence goes on from this prefix: there is no law then.
        """
        counts = self._mass_after.get(tuple(int(token) for token in prefix))
        if counts is None:
            raise ValueError(self._no_such_prefix(prefix))
        law = torch.zeros(self.vocab_size, dtype=torch.float64)
        for token, mass in counts.items():
            law[token] = mass
        return law / law.sum()

    def posterior(self, prefix: Sequence[int]) -> Float[Tensor, "S"]:
        """Probability of each sentence once `prefix` has been seen, shape [S]."""
        possible = dict(self._sentences_from(prefix))
        if not possible:
            raise ValueError(self._no_such_prefix(prefix))
        weights = [possible.get(sentence, 0.0) for sentence in self.sentences]
        law = torch.tensor(weights, dtype=torch.float64)
        return law / law.sum()

    def _sentences_from(self, prefix: Sequence[int]) -> list[tuple[tuple[int, ...], float]]:
        seen = tuple(int(token) for token in prefix)
        pairs = zip(self.sentences, self.probabilities, strict=True)
        return [(sentence, p) for sentence, p in pairs if sentence[: len(seen)] == seen]

    def _no_such_prefix(self, prefix: Sequence[int]) -> str:
        shown = " ".join(
            self.words[i] if 0 <= i < self.vocab_size else f"(id {i})" for i in map(int, prefix)
        )
        return (
            f"no sentence of the language {self.name!r} goes on from {shown!r}; a prefix begins "
            "with <bos> and stops before <eos>"
        )

    # ---- how good can a model be -----------------------------------------------------------

    @property
    def entropy(self) -> float:
        """Entropy of one sentence in nats: the least average surprise any model can have."""
        return -math.fsum(p * math.log(p) for p in self.probabilities)

    @property
    def predicted_tokens(self) -> float:
        """Average number of predicted tokens a sentence: all but `<bos>`."""
        pairs = zip(self.sentences, self.probabilities, strict=True)
        return math.fsum(p * (len(sentence) - 1) for sentence, p in pairs)

    @property
    def floor(self) -> float:
        """The lowest reachable cross-entropy, nats a predicted token."""
        return self.entropy / self.predicted_tokens

    def best_loss(self, context: int, position: bool = False) -> float:
        """The lowest loss for a model that sees only the last `context` tokens, nats a token.

        position: whether it also knows how many tokens came before. Near the beginning there
        are fewer than `context` tokens; it then sees all of them.
        """
        if context < 0:
            raise ValueError(f"context is {context}; give 0 or more tokens")
        mass: dict = defaultdict(lambda: defaultdict(float))
        for prefix, counts in self._mass_after.items():
            seen = prefix[max(0, len(prefix) - context) :]
            for token, p in counts.items():
                mass[seen, len(prefix) if position else None][token] += p
        surprise = math.fsum(
            -p * math.log(p / math.fsum(counts.values()))
            for counts in mass.values()
            for p in counts.values()
        )
        return surprise / self.predicted_tokens

    # ---- other laws over the same words ----------------------------------------------------

    def at_temperature(self, temperature: float) -> Language:
        """The language one gets by sampling every step at `temperature` from the exact law.

        Raises ValueError unless temperature is a positive finite number.
        """
        if not (temperature > 0 and math.isfinite(temperature)):
            raise ValueError(f"temperature is {temperature}; give a positive finite number")
        sharpened = {}  # prefix -> {next id: probability at this temperature}
        for prefix, counts in self._mass_after.items():
            top = max(counts.values())  # dividing by it first keeps small temperatures finite
            powers = {token: (mass / top) ** (1 / temperature) for token, mass in counts.items()}
            total = math.fsum(powers.values())
            sharpened[prefix] = {token: power / total for token, power in powers.items()}
        probabilities = [
            math.prod(sharpened[s[:t]][s[t]] for t in range(1, len(s))) for s in self.sentences
        ]
        return Language.of(self.name, self.words, self.sentences, probabilities)

    def sample_law(self, rows: Sequence[Sequence[int]]) -> Language:
        """The language of a data set: each sentence as likely as its share of `rows`.

        rows: sentences as id lists, without padding. Raises ValueError for a foreign sentence.
        """
        counts = dict.fromkeys(self.sentences, 0)
        for row in rows:
            sentence = tuple(int(token) for token in row)
            if sentence not in counts:
                raise ValueError(f"{self.text(sentence)!r} is no sentence of {self.name!r}")
            counts[sentence] += 1
        return Language.of(
            f"{self.name}, {len(rows)} sentences", self.words, counts.keys(), counts.values()
        )

    @staticmethod
    def of(
        name: str,
        words: Sequence[str],
        sentences: Iterable[Sequence[int]],
        weights: Iterable[float],
    ) -> Language:
        """Build a language from weights of any sum; sentences of weight 0 are left out.

        Raises ValueError for a negative, infinite or NaN weight.
        """
        weights = [float(weight) for weight in weights]
        for weight in weights:
            if not 0 <= weight < math.inf:
                raise ValueError(f"weights hold {weight}; give finite numbers of 0 or more")
        kept = [(tuple(s), w) for s, w in zip(sentences, weights, strict=True) if w > 0]
        total = math.fsum(w for _, w in kept)
        return Language(
            name,
            tuple(words),
            tuple(sentence for sentence, _ in kept),
            tuple(weight / total for _, weight in kept),
        )


def _uniform(name: str, words: tuple[str, ...], texts: Sequence[str]) -> Language:
    id_of = {word: index for index, word in enumerate(words)}
    sentences = [(BOS, *(id_of[word] for word in text.split()), EOS) for text in texts]
    return Language.of(name, words, sentences, [1.0] * len(sentences))


def caption_text(style: int, size: int, shape: int) -> str:
    """The caption of one draw: style 0 "a photo of a large plus", 1 "a large plus in the photo"."""
    if not {style, size, shape} <= {0, 1}:
        raise ValueError(f"style={style}, size={size}, shape={shape}; each is 0 or 1")
    thing = f"{SIZES[size]} {CAPTION_SHAPES[shape]}"
    return f"a photo of a {thing}" if style == 0 else f"a {thing} in the photo"


def captions() -> Language:
    """Eight equally likely captions: style, size and shape are independent and even. V = 12."""
    texts = [caption_text(*draw) for draw in product(range(2), repeat=3)]
    return _uniform("captions", CAPTION_WORDS, texts)


def caption_draws() -> Int[np.ndarray, "800 3"]:
    """The data set's 800 draws: columns style, size, shape, each 0 or 1."""
    return np.random.default_rng(0).integers(0, 2, (800, 3))


def caption_sentences() -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """The data set as id tuples without padding: (680 to train on, 120 to test on)."""
    sentences = captions().sentences
    # they stand in the order of (style, size, shape) read as a binary number
    rows = [sentences[4 * style + 2 * size + shape] for style, size, shape in caption_draws()]
    cut = len(rows) * 85 // 100
    return rows[:cut], rows[cut:]


def echo() -> Language:
    """A caption, a comma, and its shape again: "a photo of a large plus , plus". V = 13.

    Predicting the last word needs a look back; position and current token do not tell it.
    """
    texts = []
    for style, size, shape in product(range(2), repeat=3):
        texts.append(f"{caption_text(style, size, shape)} , {CAPTION_SHAPES[shape]}")
    return _uniform("echo", (*CAPTION_WORDS, ","), texts)


def recall(objects: int | Sequence[int] = 2) -> Language:
    """`objects` things with their sizes, then a question about one of them. V = 13.

    "a large plus and a small circle the plus is large": shapes are not repeated, sizes are free,
    the question is even. objects: 1 to 4, or several such numbers, each equally likely.
    """
    counts = tuple(objects) if isinstance(objects, Sequence) else (objects,)
    if not counts or not set(counts) <= {1, 2, 3, 4}:
        raise ValueError(f"objects is {objects}; there are four shapes, so give 1, 2, 3 or 4")
    each = [_uniform("recall", RECALL_WORDS, list(_recall_texts(count))) for count in counts]
    return Language.of(
        f"recall with {' or '.join(map(str, counts))} objects",
        RECALL_WORDS,
        [sentence for one in each for sentence in one.sentences],
        [probability for one in each for probability in one.probabilities],
    )


def _recall_texts(objects: int) -> Iterator[str]:
    for shapes in permutations(RECALL_SHAPES, objects):
        for sizes in product(SIZES, repeat=objects):
            things = [f"a {size} {shape}" for size, shape in zip(sizes, shapes, strict=True)]
            for size, shape in zip(sizes, shapes, strict=True):
                yield f"{' and '.join(things)} the {shape} is {size}"
