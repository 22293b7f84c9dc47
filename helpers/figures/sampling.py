"""Temperature and top-p on lesson 08's law: a figure to operate."""

import math

import torch

from helpers.decoding.controls import Controls
from helpers.figures.figure import Control, Figure, State, text

WORDS = "circle plus square star heart moon fish sock".split()
LAW = (0.40, 0.22, 0.12, 0.10, 0.07, 0.05, 0.03, 0.01)
TEMPERATURES = ("0.1", "0.3", "0.5", "0.7", "0.8", "0.9", "1", "1.2", "1.5", "2", "3", "4")
SHARES = ("0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "0.95", "1")


def _state(temperature: int, share: int) -> State:
    controls = Controls(temperature=float(TEMPERATURES[temperature]), top_p=float(SHARES[share]))
    law = controls.law(torch.tensor(LAW, dtype=torch.float64).log()).tolist()
    kept = [word for word, p in zip(WORDS, law, strict=True) if p > 0]
    entropy = -math.fsum(p * math.log(p) for p in law if p > 0)
    heights = [f"{200 * p:.1f}" for p in law]
    numbers = [f"{p:.2f}" if p > 0 else "out" for p in law]
    count = "all 8 words stay" if len(kept) == 8 else f"{len(kept)} of 8 words stay"
    count = "1 of 8 words stays" if len(kept) == 1 else count
    reading = (
        f"Temperature {TEMPERATURES[temperature]}, top-p {SHARES[share]}: {count}, {WORDS[0]} has "
        f"{law[0]:.2f}, and the average surprise is {abs(entropy):.2f} nats."
    )
    return State((*heights, *numbers), reading)


def _picture(values: tuple[str, ...]) -> str:
    parts = ['<line class="axis" x1="10" y1="220" x2="410" y2="220"/>']
    for share in (0.5, 1.0):
        y = 220 - 200 * share
        parts.append(f'<line class="grid" x1="10" y1="{y:g}" x2="385" y2="{y:g}"/>')
        parts.append(text(412, y + 5, f"{share:g}", "end"))
    for i, word in enumerate(WORDS):
        x, before = 35 + 50 * i, 220 - 200 * LAW[i]
        parts += [
            f'<g transform="translate({x - 18} 220) scale(1 -1)"><rect class="fill" '
            f'id="sampling-bar-{i}" width="36" height="{values[i]}"/></g>',
            f'<line class="before" x1="{x - 20}" y1="{before:g}" x2="{x + 20}" y2="{before:g}"/>',
            text(x, 238, word),
            text(x, 256, values[8 + i], more=f' class="number" id="sampling-number-{i}"'),
        ]
    legend = "bar: what one samples from; line: the law before"
    return "".join([*parts, text(210, 278, legend)])


SAMPLING = Figure(
    name="sampling",
    title="Temperature bends the law, then top-p cuts its tail. Set both and watch what is left.",
    size=(420, 288),
    slots=(
        *(f"sampling-bar-{i} height" for i in range(8)),
        *(f"sampling-number-{i} text" for i in range(8)),
    ),
    controls=(
        Control("temperature", TEMPERATURES, TEMPERATURES.index("1")),
        Control("top-p", SHARES, SHARES.index("1")),
    ),
    state=_state,
    draw=_picture,
)
