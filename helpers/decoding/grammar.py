"""A grammar: which token may come next, given those that were chosen.

It is the idea behind structured output and tool calls. A model proposes, the grammar removes what
would break the form, and whatever is drawn from the rest has the form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, product

import torch
from jaxtyping import Bool
from torch import Tensor

from helpers.languages.language import EOS
from helpers.languages.tokens import check_ids

MOST_TEXTS = 100_000


@dataclass(frozen=True)
class Grammar:
    """The allowed texts as a graph of states, number 0 first: state -> {token: next state}.

    A step leads to a state with a higher number, so there is no way back and every text ends.
    longest: tokens in the longest text. Raises ValueError for a step that leads elsewhere.
    """

    steps: tuple[Mapping[int, int], ...]
    longest: int = field(init=False)

    def __post_init__(self) -> None:
        to_go = [0] * len(self.steps)  # tokens in the longest rest of a text, from each state
        for state in reversed(range(len(self.steps))):
            for token, to in self.steps[state].items():
                if not state < to < len(self.steps):
                    raise ValueError(
                        f"in state {state} token {token} leads to state {to}; give a state from "
                        f"{state + 1} to {len(self.steps) - 1}, so that every text ends"
                    )
                to_go[state] = max(to_go[state], 1 + to_go[to])
        if not any(to_go[:1]):
            raise ValueError("steps allow no token in state 0; give at least one text")
        object.__setattr__(self, "longest", to_go[0])

    @staticmethod
    def of_texts(texts: Iterable[Sequence[int]]) -> Grammar:
        """Exactly these texts, each with its end token last.

        Raises ValueError for no texts, an empty text, or a text that goes on where another ends.
        """
        texts = list(texts)
        if not all(isinstance(text, Iterable) for text in texts):
            raise TypeError("texts holds single ids; give rows of ids, also for a single text")
        rows = [check_ids(text, name="texts") for text in texts]
        if not rows or not all(rows):
            raise ValueError("texts is empty or holds an empty text; give rows of ids")
        steps: list[dict[int, int]] = [{}]
        ends = set()
        for row in rows:
            state = 0
            for token in row:
                if token not in steps[state]:
                    steps[state][token] = len(steps)
                    steps.append({})
                state = steps[state][token]
            ends.add(state)
        if any(steps[end] for end in ends):
            raise ValueError("one text goes on where another ends; close each with an end token")
        return Grammar(tuple(steps))

    @staticmethod
    def schema(parts: Sequence[Sequence[Sequence[int]]], end: int = EOS) -> Grammar:
        """Every text that takes one alternative from each part in turn, then `end`.

        parts: for each place the alternatives, each a row of ids (an empty row = leave it out).
        Raises ValueError for a place without an alternative, and for more than 100,000 texts.
        """
        for place, alternatives in enumerate(parts):
            if len(alternatives) == 0:
                raise ValueError(f"parts[{place}] has no alternative; give at least one row of ids")
        texts = ([*chain.from_iterable(choice), end] for choice in product(*parts))
        some = list(islice(texts, MOST_TEXTS + 1))
        if len(some) > MOST_TEXTS:
            raise ValueError(f"the schema has more than {MOST_TEXTS} texts; give fewer parts")
        return Grammar.of_texts(some)

    def advance(self, state: int, token: int) -> int:
        """The state after `token`; raises ValueError for a token that is not allowed there."""
        if token not in self.steps[state]:
            raise ValueError(f"token {token} is not allowed here; {sorted(self.steps[state])} are")
        return self.steps[state][token]

    def allowed(self, state: int, vocab_size: int) -> Bool[Tensor, "V"]:
        """Which tokens may come next, [V]; none at the end of a text.

        Raises ValueError for a grammar with ids outside 0..vocab_size-1.
        """
        mask = torch.zeros(vocab_size, dtype=torch.bool)
        mask[check_ids(self.steps[state], vocab_size, "grammar")] = True
        return mask

    def last_tokens(self) -> set[int]:
        """The tokens that texts end with."""
        return {token for step in self.steps for token, to in step.items() if not self.steps[to]}

    def inner_tokens(self) -> set[int]:
        """The tokens that stand in a text before its end."""
        return {token for step in self.steps for token, to in step.items() if self.steps[to]}
