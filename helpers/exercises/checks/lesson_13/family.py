"""Exercise 13.2: whose mask?."""

import torch

from helpers.decoder import masks
from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

family = Exercise(
    "13.2",
    "family",
    title="Whose mask?",
    minutes=8,
    level="medium",
    points=2,
    hints=(
        "Only three recipes exist. Can you build each of them for a given T, and compare?",
        "The first row tells you how long the prefix is, if there is one: count its True. A first "
        "row of [True, False, False, ...] is left to the decoder, a full one to the encoder.",
        "past = torch.ones(T, T, dtype=torch.bool).tril(). The recipe with n tokens to see both "
        "ways is past | (torch.arange(T) < n). Build it for n = the sum of the first row; if it "
        "is not equal to the mask, the answer is other.",
    ),
)


def prefix_mask(n: int, T: int) -> torch.Tensor:
    """Return [T, T]: the first n see each other, the rest is causal."""
    return masks.prefix(torch.tensor([n]), T)[0, 0]


def recipes(T: int) -> dict[str, list[torch.Tensor]]:
    """Return the masks of each family for T tokens."""
    return {
        "encoder": [prefix_mask(T, T)],
        "decoder": [masks.causal(T)],
        "prefix": [prefix_mask(n, T) for n in range(2, T)],
    }


def strangers(T: int) -> list[tuple[torch.Tensor, str]]:
    """Return masks of none of the three, each with what is said if it gets the name of one."""
    half = torch.arange(T) >= T // 2
    return [
        (
            masks.window(T, width=2),
            "a window got the name of a family: it hides a part of the past",
        ),
        (
            masks.causal(T).T,
            "a transposed triangle got the name of a family: it looks at the future",
        ),
        (
            masks.causal(T).tril(-1),
            "a triangle without its diagonal got the name of a family",
        ),
        (
            torch.zeros(T, T, dtype=torch.bool),
            "a mask that shows nothing got the name of a family",
        ),
        (
            masks.causal(T) | (half[:, None] & half),
            "a mask whose last tokens see each other both ways got the name of a family",
        ),
        (
            masks.causal(T) & (half[:, None] == half),
            "two texts in one row got the name of a family: the second does not see the first",
        ),
        (
            masks.causal(T).flip(1),
            "a mirrored triangle got the name of a family: it is not enough to count the squares "
            "of each row",
        ),
        (
            masks.causal(T) | masks.causal(T).T.triu(T - 1),
            "a first token that sees itself and the last got the name of a family",
        ),
        (
            torch.ones(T, T, dtype=torch.bool).fill_diagonal_(False),
            "a mask in which nobody sees itself got the name of a family",
        ),
    ]


def called(call, mask: torch.Tensor) -> str:
    """Return the answer's name for a mask, one of the four."""
    names = ("encoder", "decoder", "prefix", "other")
    name = expect.text(call(mask), f"for T = {len(mask)}")
    if name not in names:
        raise Broken("it returned a text that is none of the four names", show(name))
    return name


@family.property("it gives one of four names")
def four_names(call, draw):
    """Form, on every kind of mask."""
    for found in recipes(4).values():
        called(call, found[0])
    called(call, strangers(4)[0][0])


@family.property("each of the three recipes is recognised, for every T")
def recognised(call, draw):
    """All T up to 6 and all lengths of a prefix."""
    sentences = {
        "encoder": "a full square is an encoder's, and gets another name",
        "decoder": "a triangle with its diagonal is a decoder's, and gets another name",
        "prefix": "the mask of a prefix gets another name",
    }
    for T in range(3, 7):
        for right, found in recipes(T).items():
            for number, mask in enumerate(found):
                name = called(call, mask)
                which = f" with a prefix of {number + 2}" if right == "prefix" else ""
                expect.equal(name, right, f"for T = {T}{which}:", sentences[right])


@family.property("masks of another kind get no family's name")
def others_named(call, draw):
    """Windows, transposed triangles and more."""
    for T in (4, 5, 6):
        for mask, sentence in strangers(T):
            expect.equal(called(call, mask), "other", f"for {show(mask.int().tolist())}:", sentence)


@family.property("one changed square changes the name")
def one_square(call, draw):
    """Flip each square, except where that gives another recipe."""
    every = [mask for T in (3, 4) for found in recipes(T).values() for mask in found]
    large = [mask for found in recipes(7).values() for mask in found]
    for mask in every + large:
        T = len(mask)
        places = torch.arange(T * T) if T < 7 else torch.randint(T * T, (4,), generator=draw)
        for place in places.tolist():
            changed = mask.clone()
            changed.view(-1)[place] ^= True
            if any(
                torch.equal(changed, recipe) for found in recipes(T).values() for recipe in found
            ):
                continue
            given = f"for T = {T}, {show(changed.int().tolist())}:"
            fault = "a recipe with one changed square has a family's name: compare every square"
            expect.equal(called(call, changed), "other", given, fault)


@family.property("one changed square changes the name of a long mask as well")
def one_of_many(call, draw):
    """Of 144 and of 400 squares."""
    for T in (12, 20):
        for name, n in (("decoder", 1), ("prefix", T // 2), ("encoder", T)):
            t = int(torch.randint(2, T, (), generator=draw))
            mask = prefix_mask(n, T)
            mask[t, t - 1] = ~mask[t, t - 1]
            found = called(call, mask)
            if found != "other":
                raise Broken(
                    "one changed square of many goes unnoticed",
                    f"{name} with T = {T} and square ({t}, {t - 1}) changed is called {found!r}",
                )
