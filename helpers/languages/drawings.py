"""Small pictures with captions: a large or small plus or circle somewhere on 8 x 8 points.

A caption's size and shape follow from the picture, its style does not. So the best loss of a model
that sees the picture is exactly ln 2 / 7 nats a token. Without the picture it is a little under
3 ln 2 / 7, since small things fit in more places than large ones and so are drawn more often.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

import torch
from jaxtyping import Float
from torch import Tensor

from helpers.languages.language import Language, captions

SIDE = 8
_SHAPES = {
    ("small", "plus"): (".#.", "###", ".#."),
    ("small", "circle"): (".#.", "#.#", ".#."),
    ("large", "plus"): ("..#..", "..#..", "#####", "..#..", "..#.."),
    ("large", "circle"): (".###.", "#...#", "#...#", "#...#", ".###."),
}


@dataclass(frozen=True)
class Drawing:
    """One picture: what it shows, and where its top left corner stands.

    Raises ValueError for a thing that there is not, or a place where it does not fit.
    """

    size: Literal["small", "large"]
    shape: Literal["plus", "circle"]
    top: int
    left: int

    def __post_init__(self) -> None:
        if (self.size, self.shape) not in _SHAPES:
            raise ValueError(f"{self.size!r} {self.shape!r}; give one of {list(_SHAPES)}")
        most = SIDE - len(_SHAPES[self.size, self.shape])
        for name in ("top", "left"):
            if not 0 <= getattr(self, name) <= most:
                raise ValueError(f"{name} is {getattr(self, name)}; here 0 to {most} fit")

    def picture(self) -> Float[Tensor, "8 8"]:
        """The points, 1 for ink and 0 for paper, shape [8, 8]."""
        points = _SHAPES[self.size, self.shape]
        picture = torch.zeros(SIDE, SIDE)
        ink = torch.tensor([[point == "#" for point in row] for row in points])
        picture[self.top : self.top + len(points), self.left : self.left + len(points)] = ink
        return picture

    def captions(self) -> list[tuple[int, ...]]:
        """The two sentences of the captions language that are true of it, as ids."""
        words = _captions().words
        things = {words.index(self.size), words.index(self.shape)}
        return [sentence for sentence in _captions().sentences if things <= set(sentence)]


@cache  # the law of a language is computed when it is made
def _captions() -> Language:
    return captions()


def all_drawings() -> list[Drawing]:
    """Every picture there is: 104, for the four things at every place where they fit."""
    return [
        Drawing(size, shape, top, left)
        for (size, shape), points in _SHAPES.items()
        for top in range(SIDE - len(points) + 1)
        for left in range(SIDE - len(points) + 1)
    ]


def split_drawings(seed: int = 0, held_out: int = 24) -> tuple[list[Drawing], list[Drawing]]:
    """All drawings in two parts: to learn from, and to be tested on places never seen.

    The parts are drawn without regard to what is shown; look whether each holds all four things.
    """
    drawings = all_drawings()
    if not 0 <= held_out <= len(drawings):
        raise ValueError(f"held_out is {held_out}; give 0 to {len(drawings)}")
    order = torch.randperm(len(drawings), generator=torch.Generator().manual_seed(seed)).tolist()
    shuffled = [drawings[i] for i in order]
    return shuffled[held_out:], shuffled[:held_out]


def pictures_of(drawings: list[Drawing]) -> Float[Tensor, "B 8 8"]:
    """The pictures of several drawings, [B, 8, 8]."""
    return torch.stack([drawing.picture() for drawing in drawings])


def patches(pictures: Float[Tensor, "B 8 8"], side: int = 2) -> Float[Tensor, "B S P"]:
    """Pictures cut into squares of side x side points, read row by row: [B, S, side * side].

    Raises ValueError unless the pictures can be cut evenly.
    """
    if side < 1:
        raise ValueError(f"side is {side}; give 1 or more")
    if pictures.ndim != 3 or pictures.shape[1] % side or pictures.shape[2] % side:
        raise ValueError(
            f"pictures have shape {list(pictures.shape)}; give [B, rows, columns], both divisible "
            f"by side={side}"
        )
    batch, rows, columns = pictures.shape
    cut = pictures.reshape(batch, rows // side, side, columns // side, side)
    return cut.transpose(2, 3).flatten(3).flatten(1, 2)  # [B, S, side * side]
