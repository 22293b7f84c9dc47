"""A law of losses: fitted to runs of many sizes, then asked for the best size.

    loss(N, D) = E + A / N ** a + B / D ** b

N: parameters. D: tokens that were trained on. E: what no model can go below, the entropy of the
language, if the law holds. Its form is that of Hoffmann et al. 2022.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

FLOPS = 6  # floating-point operations of training, a parameter and token: 2 forward, 4 backward
LOWEST, HIGHEST, ROUNDS, POINTS = 0.05, 2.0, 3, 17  # of the search for the two exponents
COARSE = 40
AT_N, AT_D = 1e4, 1e5  # units in which the columns of least squares are of like size


@dataclass(frozen=True)
class Split:
    """How a budget is best spent: N parameters on D tokens."""

    N: float
    D: float

    @property
    def tokens_a_parameter(self) -> float:
        """D / N."""
        return self.D / self.N


@dataclass(frozen=True)
class ScalingLaw:
    """The five numbers of the law above; error: the root of the mean squared error of a fit."""

    E: float
    A: float
    a: float
    B: float
    b: float
    error: float = 0.0

    def __post_init__(self):
        for name in ("E", "A", "a", "B", "b"):
            value = getattr(self, name)
            if not math.isfinite(value) or (value <= 0 and name != "E"):
                wanted = "a finite number" + ("" if name == "E" else " above 0")
                raise ValueError(f"{name} is {value}; give {wanted}")

    def loss(self, N: float, D: float) -> float:
        """The loss in nats a token that the law expects."""
        return self.E + self.A / N**self.a + self.B / D**self.b

    def best_split(self, flops: float) -> Split:
        """The N and D of least loss among those with 6 N D = flops.

        On that curve the loss has one lowest point: there a A / N ** a = b B / D ** b.
        """
        if not (flops > 0 and math.isfinite(flops)):
            raise ValueError(f"flops is {flops}; give a finite number above 0")
        both = self.a + self.b
        N = (self.a * self.A / (self.b * self.B)) ** (1 / both) * (flops / FLOPS) ** (self.b / both)
        return Split(N, flops / FLOPS / N)

    def best_split_with_use(self, loss: float, served: float) -> Split:
        """The N and D that reach a loss at least cost of training and of use: 6 N D + 2 N served.

        served: tokens that will be read or written by the model in its life. A smaller model,
        trained for longer, costs more to train and less to use.
        """
        if not loss > self.E:
            raise ValueError(f"loss is {loss}; no model goes below E, {self.E:.4g}")
        if not (served >= 0 and math.isfinite(served)):
            raise ValueError(f"served is {served}; give a finite number from 0 on")
        # N below this reaches the loss on no number of tokens; the cost has one lowest point above
        least = math.log(self.A / (loss - self.E)) / self.a
        grid = least + np.geomspace(1e-4, 20, 20_000)
        N = np.exp(grid)
        rest = loss - self.E - self.A / N**self.a
        D = (self.B / np.where(rest > 0, rest, np.nan)) ** (1 / self.b)
        best = int(np.nanargmin(FLOPS * N * D + 2 * N * served))
        return Split(float(N[best]), float(D[best]))


def least_squares(
    N: Sequence[float],
    D: Sequence[float],
    losses: Sequence[float],
    a: float,
    b: float,
    E: float | None = None,
) -> ScalingLaw | None:
    """The best E, A and B for given exponents; None where one of them would not be positive.

    For given exponents the law is a sum of three columns, so nothing has to be searched. E: where
    it is known.
    """
    columns = [(np.asarray(N) / AT_N) ** -a, (np.asarray(D) / AT_D) ** -b]
    wanted = np.asarray(losses, dtype=float)
    if E is None:
        columns.append(np.ones_like(wanted))
    matrix = np.stack(columns, axis=1)  # [runs, 2 or 3]
    found, *_ = np.linalg.lstsq(matrix, wanted - (E or 0.0), rcond=None)
    if (found <= 0).any():
        return None
    error = np.sqrt(np.mean((matrix @ found + (E or 0.0) - wanted) ** 2))
    numbers = [found[2] if E is None else E, found[0] * AT_N**a, a, found[1] * AT_D**b, b, error]
    return ScalingLaw(*map(float, numbers))


def fit_scaling_law(
    N: Sequence[float], D: Sequence[float], losses: Sequence[float], E: float | None = None
) -> ScalingLaw:
    """Fit the law to runs of N parameters on D tokens that ended at these losses.

    Only the two exponents are searched, on a grid that grows finer; the rest follows by least
    squares (variable projection). So there are no starting values, and no luck.
    Raises: ValueError for fewer than six runs, or runs of fewer than three sizes of N or of D.
    """
    if not len(N) == len(D) == len(losses):
        raise ValueError(f"there are {len(N)} N, {len(D)} D and {len(losses)} losses; give as many")
    if len(losses) < 6 or min(len({*N}), len({*D})) < 3:
        raise ValueError(
            f"{len(losses)} runs of {len({*N})} N and {len({*D})} D cannot tell five numbers: "
            "give at least 6 runs, of at least 3 sizes each"
        )
    values = np.array([*N, *D, *losses], dtype=float)
    if not np.isfinite(values).all() or (values[: 2 * len(N)] <= 0).any():
        raise ValueError("a run has an N, D or loss that is not finite, or an N or D not above 0")
    best, center, step = None, None, (HIGHEST - LOWEST) / (COARSE - 1)
    for _ in range(ROUNDS):
        if center is None:
            grids = [np.linspace(LOWEST, HIGHEST, COARSE)] * 2
        else:
            grids = [np.linspace(max(LOWEST, at - step), at + step, POINTS) for at in center]
            step /= (POINTS - 1) / 2
        for a in grids[0]:
            for b in grids[1]:
                law = least_squares(N, D, losses, a, b, E)
                if law is not None and (best is None or law.error < best.error):
                    best = law
        if best is None:
            raise ValueError("no law of this form goes through these runs: do the losses fall?")
        center = best.a, best.b
    return best


def isoflop_minimum(N: Sequence[float], losses: Sequence[float]) -> float:
    """The N of least loss among runs of equal cost: the lowest point of a parabola in ln N.

    Raises: ValueError for fewer than three sizes, or where the parabola has no lowest point.
    """
    if len({*N}) < 3 or len(N) != len(losses) or not all(n > 0 for n in N):
        raise ValueError(f"give three sizes or more above 0, and a loss for each, not {N}")
    logs = np.log(np.asarray(N, dtype=float))
    middle = logs.mean()
    square, slope, _ = np.polyfit(logs - middle, np.asarray(losses, dtype=float), 2)
    if square <= 0:
        raise ValueError("the losses have no lowest point among these sizes: take others")
    return float(np.exp(middle - slope / (2 * square)))
