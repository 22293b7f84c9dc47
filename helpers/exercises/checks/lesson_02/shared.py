"""What several checks of lesson 02 need."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken
from helpers.exercises.plain import show


def full_precision(value, seen: str) -> None:
    """Raise Broken for a tensor of 16-bit floats."""
    if isinstance(value, torch.Tensor) and value.dtype in (torch.float16, torch.bfloat16):
        raise Broken("half precision is too coarse: float32 or float64 is asked for", seen)


def equal_rows(
    got: torch.Tensor, right: torch.Tensor, seen: str, fault: str, known: list[tuple]
) -> None:
    """Raise Broken unless two matrices are equal; show the first row that differs."""
    try:
        expect.equal(got, right, seen, fault, known)
    except Broken as error:
        row = next(t for t in range(len(right)) if not expect.close(got[t], right[t]))
        shown = f"row {row} is {show(got[row])}, right is {show(right[row])}"
        raise Broken(error.fault, f"{seen} {shown}", error.public) from None


def normal(matrix: torch.Tensor, dim: int = 1) -> torch.Tensor:
    """Return a matrix whose rows sum to 1; rows of zeros stay."""
    return matrix / matrix.sum(dim=dim, keepdim=True).clamp(min=1)
