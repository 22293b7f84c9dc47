"""What several checks of lesson 08 need."""

import torch

from helpers.languages.language import EOS, SPECIAL_WORDS

INFINITY = float("inf")


def random_law(draw: torch.Generator, V: int) -> list[float]:
    """Return V uneven probabilities in mixed order; the first is not the highest."""
    while True:
        law = torch.randn(V, generator=draw, dtype=torch.float64).mul(1.5).softmax(dim=-1)
        if int(law.argmax()) != 0:
            return law.tolist()


FORK_WORDS = (*SPECIAL_WORDS, "a", "my", "the", "dog", "cat", "bird", "fish", "end")


FORK_WEIGHTS = {
    "a dog": 0.12,
    "a cat": 0.10,
    "a bird": 0.09,
    "a fish": 0.09,
    "my dog": 0.13,
    "my cat": 0.11,
    "my bird": 0.09,
    "the end": 0.27,
}


FORK_ROWS = [[1, *map(FORK_WORDS.index, text.split()), EOS] for text in FORK_WEIGHTS]
