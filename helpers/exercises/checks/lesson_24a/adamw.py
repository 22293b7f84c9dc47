"""Exercise 24a.1: one step of AdamW."""

import torch
from torch import Tensor

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

adamw = Exercise(
    "24a.1",
    "adamw",
    title="One step of AdamW",
    minutes=10,
    level="medium",
    points=3,
    hints=(
        "Four things happen: the weight shrinks, two running means move, and the weight goes "
        "against the first over the root of the second. Which of them needs `step`?",
        "At step 1, from zeros, m / (1 - beta1) is the gradient itself and v / (1 - beta2) its "
        "square: without decay each weight moves by the rate, whatever its gradient (but for 0).",
        "m = beta1 * m + (1 - beta1) * gradient; v = beta2 * v + (1 - beta2) * gradient ** 2; "
        "weight * (1 - rate * decay) - rate * (m / (1 - beta1 ** step)) / "
        "((v / (1 - beta2 ** step)).sqrt() + eps).",
    ),
)

TIGHT = 1e-9
OFF = (
    "the weight is not where the step leads",
    "m is not the running mean of the gradients",
    "v is not the running mean of the squares",
)


def one(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay, slip="") -> list[Tensor]:
    """Return the right weight, m and v; a slip's name makes it a known wrong one."""
    if slip == "l2":
        gradient, decay = gradient + decay * weight, 0.0
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * (gradient.abs() if slip == "not squared" else gradient**2)
    counted = step - 1 if slip == "late" else step + 1 if slip == "early" else step
    first, second = 1 - beta1**counted, 1 - beta2**counted
    if slip in ("no correction", "no first"):
        first = 1.0
    if slip in ("no correction", "no second"):
        second = 1.0
    under = (v / second + eps).sqrt() if slip == "eps inside" else (v / second).sqrt() + eps
    if slip == "no root":
        under = v / second + eps
    if slip == "no eps":
        under = (v / second).sqrt()
    moved = rate * (m / first) / under
    if slip == "uphill":
        moved = -moved
    share = decay if slip == "no rate" else rate * decay
    if slip == "after":
        return [(weight - moved) * (1 - share), m, v]
    if slip == "no decay":
        share = 0.0
    return [weight * (1 - share) - moved, m, v]


SLIPS = {
    "no correction": "the running means are taken as they are: at first they are too small",
    "no first": "m is taken as it is: at first it is too small by 1 - beta1 ** step",
    "no second": "v is taken as it is: at first it is too small by 1 - beta2 ** step",
    "late": "the steps are counted from 0",
    "early": "the steps are counted one too far",
    "eps inside": "eps stands under the root",
    "no root": "it divides by v and not by its root",
    "uphill": "it goes up along the gradient, not down",
    "l2": "the decay is in the gradient, where Adam divides it away (L2)",
    "after": "the decay acts on the weight after the step, not as it was",
    "no rate": "the decay is not times the rate",
    "no decay": "the weight does not decay",
    "no eps": "eps is left out",
    "not squared": "v is a mean of sizes, not of squares",
}


def drawn(draw: torch.Generator, n: int, step: int, **changes) -> dict:
    """Return the arguments of a call in the midst of a run, by name."""
    sign = 1 - 2 * torch.randint(0, 2, (n,), generator=draw)
    size = 0.5 + torch.rand(n, generator=draw, dtype=torch.float64)
    state = {
        "weight": sign * (1 + torch.rand(n, generator=draw, dtype=torch.float64)),
        "gradient": size * (1 - 2 * torch.randint(0, 2, (n,), generator=draw)),
        "m": torch.zeros(n, dtype=torch.float64),
        "v": torch.zeros(n, dtype=torch.float64),
    }
    if step > 1:
        state["m"] = 0.3 * torch.randn(n, generator=draw, dtype=torch.float64)
        state["v"] = 0.2 + torch.rand(n, generator=draw, dtype=torch.float64)
    numbers = {"step": step, "rate": 0.01, "beta1": 0.9, "beta2": 0.95, "eps": 1e-8, "decay": 0.0}
    return state | numbers | changes


def compare(call, given: dict, seen: str, slips: tuple[str, ...], nan: str = "late") -> None:
    """Compare all three, and name the slips that can be told here. nan: that which gives 0 / 0."""
    found = expect.items(call(*given.values()), 3, seen)
    empty = [isinstance(x, Tensor) and bool(x.isnan().any()) for x in found]
    if empty == [True, False, False]:  # 0 / 0
        raise Broken(SLIPS[nan], f"{seen}, the weight is NaN")
    shape = tuple(given["weight"].shape)
    names = ("the weight", "m", "v")
    right = one(**given)
    for name, value, wanted, place in zip(names, found, right, range(3), strict=True):
        value = expect.tensor(value, shape, "float", f"{seen}, in {name}")
        known = [(one(**given, slip=slip)[place], SLIPS[slip]) for slip in slips]
        if place == 1:
            known.append((given["gradient"], "m is the last gradient, not a running mean"))
            swapped = given["beta1"] * given["gradient"] + (1 - given["beta1"]) * given["m"]
            known.append((swapped, "beta and 1 - beta have changed places"))
        expect.equal(value, wanted, f"{seen}, in {name}:", OFF[place], known, TIGHT)


FIRST = ("no correction", "no first", "no second", "early", "no root", "uphill", "not squared")


@adamw.property("the first step goes by the rate, whatever the gradient")
def first(call, draw):
    """From zeros, without decay; steps counted from 0 divide by 0."""
    given = drawn(draw, 3, 1)
    if call.error(*given.values()) == "ZeroDivisionError":
        raise Broken("it divides by 0 at step 1: " + SLIPS["late"], "for step 1")
    compare(call, given, "for step 1, without decay", FIRST)


@adamw.property("both means go on from where they were, each corrected by its own beta")
def later(call, draw):
    """The midst of a run; one weight alone; a very late step."""
    for step, n in ((4, 5), (2, 1), (3000, 3)):
        seen = f"for step {step}, without decay"
        compare(call, drawn(draw, n, step), seen, (*FIRST, "late"))


@adamw.property("the decay shrinks the weight as it was, outside of the division")
def decays(call, draw):
    """With a large decay; and with a gradient of exactly 0."""
    slips = ("l2", "after", "no rate", "no decay")
    given = drawn(draw, 4, 3, decay=0.5, rate=0.1)
    compare(call, given, "for decay 0.5", slips)
    zero = torch.zeros(3, dtype=torch.float64)
    still = drawn(draw, 3, 2, gradient=zero, m=zero, v=zero, decay=0.5, rate=0.1)
    compare(call, still, "for gradients of 0 and decay 0.5", slips, "no eps")


@adamw.property("eps is added to the root")
def small(call, draw):
    """Gradients about as small as eps, and an eps that is not small."""
    given = drawn(draw, 3, 1, eps=0.1)
    compare(call, given, "for eps 0.1", ("eps inside", "no eps"))
    tiny = drawn(draw, 3, 2, eps=1e-6)
    tiny |= {name: tiny[name] * 1e-6 for name in ("gradient", "m")}
    tiny["v"] = tiny["v"] * 1e-12
    compare(call, tiny, "for gradients about as small as eps", ("eps inside", "no eps"))


@adamw.property("betas of 0 remember nothing")
def forgetful(call, draw):
    """beta1 = 0, and both 0: the step is the sign of the gradient."""
    slips = ("no root", "uphill")
    compare(call, drawn(draw, 3, 5, beta1=0.0), "for beta1 = 0", slips)
    compare(call, drawn(draw, 3, 5, beta1=0.0, beta2=0.0), "for betas of 0", slips)
