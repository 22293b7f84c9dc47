"""Tables of laws that exercises hand over in place of a model: lists of [prefix, law] pairs.

A prefix is a list of ids that begins with 1, a text ends with 2.
"""

import torch

from helpers.languages.language import EOS

ENDS = [0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
TRAP = [  # greedy says 5 3 with 0.12; 4 has 0.34; 3 3 3 has 0.30, and the best average over steps
    [[1], [0.0, 0.0, 0.0, 0.30, 0.34, 0.36]],
    [[1, 3], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]],
    [[1, 3, 3], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]],
    [[1, 5], [0.0, 0.0, 0.0, 0.34, 0.33, 0.33]],
    *[[text, ENDS] for text in ([1, 4], [1, 3, 3, 3], [1, 5, 3], [1, 5, 4], [1, 5, 5])],
]


RUN_TOGETHER = "beginnings are told apart by their digits: 3 and 34 are not 33 and 4"


def digits_run_together() -> list:
    """Return a table whose two texts, [1, 3, 34, 2] with 0.6 and [1, 33, 4, 5, 2] with 0.4, begin
    alike when their ids are written in a row without a gap.
    """
    steps = {(1,): {3: 0.6, 33: 0.4}, (1, 3): {34: 1.0}, (1, 3, 34): {2: 1.0}}
    steps |= {(1, 33): {4: 1.0}, (1, 33, 4): {5: 1.0}, (1, 33, 4, 5): {2: 1.0}}
    return [[list(at), [law.get(token, 0.0) for token in range(36)]] for at, law in steps.items()]


def random_laws(draw: torch.Generator) -> list:
    """Return a table of uneven laws over 6 ids, in mixed order: [prefix, law] pairs.

    Its sentences have up to 4 tokens behind 1, and greedy does not find the likeliest one.
    """
    while True:
        table = []
        waiting = [[1]]
        while waiting:
            prefix = waiting.pop()
            powers = (2 * torch.randn(4, generator=draw, dtype=torch.float64)).exp().tolist()
            if len(prefix) == 1:
                powers[0] = 0.0
            if len(prefix) == 4:
                powers[1:] = [0.0] * 3
            law = [0.0, 0.0, *(power / sum(powers) for power in powers)]  # of <eos>, 3, 4, 5
            table.append([prefix, law])
            waiting += [[*prefix, token] for token in (3, 4, 5) if law[token] > 0]
        if greedy_of(table) != likeliest(table)[0]:
            order = torch.randperm(len(table), generator=draw).tolist()
            return [table[place] for place in order]


def sentences_of(laws: list) -> list[tuple[list[int], float]]:
    """Return all sentences of a table with their probability, in the order of ids."""
    after = {tuple(prefix): law for prefix, law in laws}
    found = []

    def walk(text, p):
        for token, q in enumerate(after[text]):
            longer = (*text, token)
            if token == EOS:
                found.append((list(longer), p * q))
            elif longer in after:
                walk(longer, p * q)

    walk((1,), 1.0)
    return found


def likeliest(laws: list, average: bool = False) -> tuple[list[int], float]:
    """Return the sentence with the highest probability, or the highest average over its steps."""

    def value(pair):
        return pair[1] ** (1 / (len(pair[0]) - 1)) if average else pair[1]

    return max(sentences_of(laws), key=value)


def greedy_of(laws: list) -> list[int]:
    """Return the greedy sentence: lowest id of equal ones, beginnings outside are impossible."""
    after = {tuple(prefix): law for prefix, law in laws}
    text = (1,)
    while text in after:
        law = [
            p if token == EOS or (*text, token) in after else -1.0
            for token, p in enumerate(after[text])
        ]
        text = (*text, law.index(max(law)))
    return list(text)


def probability_of(laws: list, text: list[int]) -> float:
    """Return the product over the steps of a text; 0 where the table does not lead."""
    after = {tuple(prefix): law for prefix, law in laws}
    p = 1.0
    for t in range(1, len(text)):
        law = after.get(tuple(text[:t]), [])
        p *= law[text[t]] if 0 <= text[t] < len(law) else 0.0
    return p
