"""Exercise 04.6: diagnose a stranger's mask."""

from collections.abc import Callable

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise, WrongForm

diagnose = Exercise(
    "04.6",
    "diagnose",
    title="Diagnose a stranger's mask",
    minutes=15,
    level="medium",
    points=2,
    hints=(
        "Do not hunt for the fault. What would the whole table look like for each of the four?",
        "A table and its transpose hold equally many yeses, so a count cannot tell them apart. One "
        "changed entry anywhere, also below the diagonal, must make it other.",
        "ones = torch.ones(T, T); the four tables are ones.tril(), ones.triu(), ones.tril(1) and "
        "ones. Compare each, as booleans, with torch.equal.",
    ),
)


def tables(T: int) -> dict[str, torch.Tensor]:
    """Return what each fault looks like."""
    ones = torch.ones(T, T)
    found = {"causal": ones.tril(), "transposed": ones.triu(), "one too many": ones.tril(1)}
    return {name: table.bool() for name, table in (found | {"no mask": ones}).items()}


def verdict(call, table: torch.Tensor) -> str:
    """Return the answer's word, one of the five."""
    word = expect.text(call(table), f"for T = {len(table)}")
    words = [*tables(4), "other"]
    if word not in words:
        raise WrongForm(
            "it returned another word than the five that are asked for",
            f"it returned {word!r}; asked for are {', '.join(words)}",
        )
    return word


def recognises(name: str) -> Callable:
    """Return a property's function: one table is recognised for every T."""

    def function(call, draw):
        for T in (4, 5, 6, 9, 17, 40):
            word = verdict(call, tables(T)[name])
            if word == "other" and T > 9:
                fault = "a table of many tokens is not recognised, though it is one of the four"
                raise Broken(fault, f"the table of {name!r} with T = {T}")
            if word != name:
                raise Broken(
                    f"the table of {name!r} is called {word!r}",
                    f"with T = {T}",
                    "it is called by another name",
                )

    return function


for kind in tables(4):
    diagnose.property(f'"{kind}" is recognised, whatever T is')(recognises(kind))


@diagnose.property("a table that is none of the four is other")
def diagnose_others(call, draw):
    """Other triangles; the lesson's inverted mask; as many yeses in other places."""
    for T in (4, 6):
        ones = torch.ones(T, T)
        inverted = ones.triu()
        inverted[-2:] = ones.triu(1)[-2:]  # as the lesson measured it
        shuffled = ones.tril().flatten()[torch.randperm(T * T, generator=draw)].view(T, T)
        moved = ones.tril()
        moved[2, 0], moved[0, 2] = 0, 1
        several = "a table that is none of the four gets a name"
        counts = "a count of yeses is taken for the table itself"
        two = "two too many is called one too many"
        one = several
        if verdict(call, tables(T)["one too many"]) == "one too many":
            one = "one too many is the next token: the one before in place of it is another table"
        for what, table, known in (
            ("a triangle two too wide", ones.tril(2), {"one too many": two}),
            ("a triangle without its diagonal", ones.tril(-1), {}),
            ("no influence at all", 0 * ones, {}),
            ("the inverted mask of the lesson", inverted, {}),
            ("as many yeses as causal, one in another place", moved, {"causal": counts}),
            ("as many yeses as causal, in other places", shuffled, {"causal": counts}),
            ("a triangle one too wide, transposed", ones.triu(-1), {"one too many": one}),
            ("a transposed triangle without its diagonal", ones.triu(1), {}),
            ("the diagonal alone", torch.eye(T), {}),
            ("a triangle from right to left", ones.tril().flip(1), {}),
        ):
            word = verdict(call, table.bool())
            if word != "other":
                raise Broken(known.get(word, several), f"{what}, T = {T}, is called {word!r}")


@diagnose.property("a single changed entry makes it other")
def diagnose_entries(call, draw):
    """Every entry for T = 4, and drawn ones for T = 7 and 40."""
    for T in (4, 7, 40):
        for name, table in tables(T).items():
            places = [(t, s) for t in range(T) for s in range(T)]
            if T > 4:
                drawn = torch.randint(0, T, (6, 2), generator=draw)
                ends = [(0, 0), (T - 1, 0), (0, T - 1), (T - 1, T - 1), (T // 2, 0)]
                places = [*ends, *(tuple(place) for place in drawn.tolist())]
            for t, s in places:
                changed = table.clone()
                changed[t, s] = not changed[t, s]
                word = verdict(call, changed)
                if word != "other":
                    seen = f"the table of {name!r} with T = {T} and entry ({t}, {s}) changed"
                    if T > 7:
                        fault = "in a table of many tokens, a changed entry is passed over"
                        raise Broken(fault, f"{seen} is called {word!r}")
                    less = "less" if table[t, s] else "more"
                    where = "above the diagonal" if s > t else "on or below the diagonal"
                    raise Broken(
                        f"one yes {less} {where} goes unnoticed",
                        f"{seen} is called {word!r}",
                        "a single changed entry goes unnoticed",
                    )
