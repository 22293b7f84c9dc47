"""Exercise 10.3: append and attend."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_10.shared import head_row
from helpers.exercises.exercise import Broken, Exercise

step = Exercise(
    "10.3",
    "step",
    title="Append and attend",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "The new token is the last of the text, and everything in the cache is its past. What does "
        "it look at, and is there anything to hide?",
        "With no past (t = 0) the context must be the value itself. The first t rows of the new "
        "keys must be the old keys, in their order, and the last row the new key.",
        "keys = torch.cat([keys, key[None]]), and values likewise, first. Then "
        "weights = (keys @ query / len(query) ** 0.5).softmax(dim=0), and weights @ values.",
    ),
)


def stepped(call, *given: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return (context [D], keys [t + 1, D], values [t + 1, D]) of an answer."""
    t, D = given[3].shape
    seen = f"for t = {t}, D = {D}"
    context, keys, values = expect.items(call(*given), 3, seen)
    return (
        expect.tensor(context, (D,), seen=f"context, {seen}"),
        expect.tensor(keys, (t + 1, D), seen=f"keys, {seen}"),
        expect.tensor(values, (t + 1, D), seen=f"values, {seen}"),
    )


def step_inputs(draw: torch.Generator, t: int, D: int) -> list[torch.Tensor]:
    """Return query, key, value [D] and keys, values [t, D]."""
    shapes = ((D,), (D,), (D,), (t, D), (t, D))
    return [torch.randn(shape, generator=draw) for shape in shapes]


@step.property("it gives a context row, and keys and values that are one row longer")
def step_form(call, draw):
    """[D], [t + 1, D], [t + 1, D]."""
    for t, D in ((3, 4), (1, 3), (4, 4)):
        stepped(call, *step_inputs(draw, t, D))


@step.property("the new key and value stand behind the old ones, which stay")
def step_append(call, draw):
    """In order."""
    for t in (1, 4):
        _, key, value, keys, values = given = step_inputs(draw, t, 3)
        _, new_keys, new_values = stepped(call, *given)
        right = torch.cat([keys, key[None]]).double(), torch.cat([values, value[None]]).double()
        if expect.close(new_keys, right[1]) and expect.close(new_values, right[0]):
            raise Broken("keys and values are exchanged", f"for t = {t}")
        for name, found, wanted, row in (
            ("keys", new_keys, right[0], key),
            ("values", new_values, right[1], value),
        ):
            if expect.close(found, wanted):
                continue
            fault = "what is kept is not the old rows and then the new one"
            if expect.close(found[0], row.double()):
                fault = "the newest token stands first: it is the last of the text"
            elif expect.close(found[-1], (value if name == "keys" else key).double()):
                fault = "key and value of the new token are mixed up"
            raise Broken(fault, f"for t = {t}, {name}")


@step.property("the first token, with nothing kept, gets its own value")
def step_first(call, draw):
    """t = 0."""
    query, key, value, keys, values = step_inputs(draw, 0, 4)
    context, new_keys, _ = stepped(call, query, key, value, keys, values)
    if not expect.close(new_keys, key[None].double()):
        raise Broken("with no past, the key that is kept is the new one", "for t = 0")
    expect.equal(
        context,
        value.double(),
        "for t = 0:",
        "with no past, the context is the value",
        known=((torch.zeros(4).double(), "an average over nothing: the token must see itself"),),
    )


@step.property("the context is softmax(q k / sqrt(D)) over past and new, times the values")
def step_context(call, draw):
    """Right values and known slips."""
    for t, D in ((1, 4), (5, 3), (3, 8)):
        query, key, value, keys, values = given = step_inputs(draw, t, D)
        joined = torch.cat([keys, key[None]]), torch.cat([values, value[None]])
        scores = (joined[0].double() @ query.double()) / D**0.5
        expect.equal(
            stepped(call, *given)[0],
            head_row(query, *joined),
            f"for t = {t}, D = {D}:",
            "the context is another row than the head gives",
            known=(
                (head_row(query, keys, values), "the new token does not see itself: append first"),
                (head_row(query, *joined, 1), "the scores are not divided by anything"),
                (head_row(query, *joined, 1 / D), "the scores are divided by D, not by its root"),
                (head_row(query, *joined, 1 / 2), "the scores are divided by 2, whatever D is"),
                (
                    head_row(query, *joined, (t + 1) ** -0.5),
                    "the scores are divided by the root of the number of keys",
                ),
                (head_row(key, *joined), "the new key asks, in place of the query"),
                (
                    scores @ joined[1].double(),
                    "the weights do not sum to 1: a softmax is missing",
                ),
            ),
        )


@step.property("no score is too large, no head too narrow, and a key of zeros is a key")
def step_odd(call, draw):
    """Scores of 800, D = 1, and zeros among the keys."""
    twenty, two = torch.full((4,), 20.0), torch.tensor([1.0, 0.0])
    rows = torch.full((2, 4), 20.0), torch.randn(2, 4, generator=draw)
    for name, given, fault in (
        (
            "query and keys of 20 each, D = 4",
            [twenty, twenty, torch.ones(4), *rows],
            "a large score overflows: subtract the largest before exp, or call softmax",
        ),
        ("D = 1", step_inputs(draw, 3, 1), "a head of width 1 loses its axis"),
        (
            "a key of zeros",
            [two, two, torch.tensor([3.0, 3.0]), torch.zeros(1, 2), torch.ones(1, 2)],
            "a key of zeros is left out, and its score 0 is not nothing",
        ),
    ):
        query, key, value, keys, values = given
        D = len(query)
        context = expect.items(call(*given), 3, f"for {name}")[0]
        right = head_row(query, torch.cat([keys, key[None]]), torch.cat([values, value[None]]))
        if not isinstance(context, torch.Tensor) or context.shape != (D,):
            raise Broken(fault, f"for {name}", "a head of width 1 loses its axis")
        if context.isnan().any():
            raise Broken(fault, f"for {name}")
        expect.equal(expect.tensor(context, (D,)), right, f"for {name}:", fault)


@step.property("run over a text, it gives the rows of the causal head")
def step_text(call, draw):
    """Its own keys and values go in again."""
    T, D = 6, 5
    query, key, value = torch.randn(3, T, D, generator=draw)
    keys = values = torch.zeros(0, D)
    for t in range(T):
        context, keys, values = stepped(call, query[t], key[t], value[t], keys, values)
        keys, values = keys.float(), values.float()
        expect.equal(
            context,
            head_row(query[t], key[: t + 1], value[: t + 1]),
            f"at token {t} of a text:",
            "over a text, a row is not that of the causal head",
        )
