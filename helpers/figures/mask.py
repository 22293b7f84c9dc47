"""A mask, row by row: a figure to operate."""

from itertools import product

import torch

from helpers.decoder import masks
from helpers.figures.figure import Control, Figure, State, text

TOKENS = "<bos> a small circle in the photo".split()
MASKS = {
    "causal": lambda: masks.causal(7),
    "window of 3": lambda: masks.window(7, width=3),
    "prefix of 3": lambda: masks.prefix(torch.tensor([3]), 7)[0, 0],
    "no mask (an encoder)": lambda: torch.ones(7, 7, dtype=torch.bool),
}


def _state(kind: int, row: int) -> State:
    name = tuple(MASKS)[kind]
    mask = MASKS[name]()  # [Tq, Tk]
    classes = [
        "later" if t > row else "seen" if mask[t, s] else "hidden"
        for t, s in product(range(7), repeat=2)
    ]
    sees = [TOKENS[s] for s in range(7) if mask[row, s]]
    ahead = int(mask[row, row + 1 :].sum())
    warning = f" {ahead} of them {'lies' if ahead == 1 else 'lie'} in its future." if ahead else ""
    plural = "s" if len(sees) > 1 else ""
    reading = (
        f"Mask: {name}. Row {row + 1} of 7: {TOKENS[row]} may look at {len(sees)} token{plural}: "
        f"{', '.join(sees)}.{warning} Pairs so far: {int(mask[: row + 1].sum())}."
    )
    return State(tuple(classes), reading)


def _picture(values: tuple[str, ...]) -> str:
    parts = [text(232, 14, "key: who is looked at"), text(4, 52, "query", "start")]
    for i, token in enumerate(TOKENS):
        parts.append(text(105 + 42 * i, 38 if i % 2 else 52, token))
        parts.append(text(76, 83 + 38 * i, token, "end"))
    for place, (t, s) in enumerate(product(range(7), repeat=2)):
        parts.append(
            f'<rect id="mask-cell-{place}" class="{values[place]}" x="{86 + 42 * s}" '
            f'y="{62 + 38 * t}" width="38" height="34" rx="4"/>'
        )
    return "".join(parts)


MASK = Figure(
    name="mask",
    title="A mask, row by row. Each new token adds a row; a filled square says it may look there.",
    size=(390, 334),
    slots=tuple(f"mask-cell-{place} class" for place in range(49)),
    controls=(
        Control("mask", tuple(MASKS), 0, slider=False),
        Control("token", tuple(TOKENS), 3),
    ),
    state=_state,
    draw=_picture,
)
