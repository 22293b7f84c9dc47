"""AdamW written out: what one step of training does to each weight.

Adam keeps two running means for each weight, of its gradient and of the gradient's square, and
moves the weight by the first over the root of the second. So the size of a gradient cancels, and
the rate says how far a weight moves. AdamW also shrinks each weight a little, outside of that
division. Sources: Kingma and Ba 2015; Loshchilov and Hutter 2019.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor, nn

from helpers.needs import need_positive


@torch.no_grad()
def adamw_step(
    weight: Tensor,
    gradient: Tensor,
    mean: Tensor,
    square: Tensor,
    *,
    step: int,
    rate: float,
    betas: tuple[float, float] = (0.9, 0.999),
    eps: float = 1e-8,
    decay: float = 0.0,
) -> None:
    """Move one weight tensor, and both its running means, in place. All four have one shape.

    mean, square: zeros before the first step. step: from 1. The means begin at zero, so after few
    steps they are too small, by the known factors 1 - beta^step: both are divided out.
    Operations stand in torch's order, so that the numbers are torch's to the last bit.
    """
    first, second = betas
    if decay:
        weight.mul_(1 - rate * decay)
    mean.lerp_(gradient, 1 - first)
    square.mul_(second).addcmul_(gradient, gradient, value=1 - second)
    spread = (square.sqrt() / (1 - second**step) ** 0.5).add_(eps)
    weight.addcdiv_(mean, spread, value=-(rate / (1 - first**step)))


class AdamW:
    """AdamW for all weights of a model, the rate given at each step.

    decay: the share of a weight, times the rate, that a step takes from it. With 0 it is Adam.
    factors: one a weight, by which its rate is multiplied; 1 for all if None. Raises ValueError on
    impossible numbers. A weight without a gradient is left alone.
    """

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        *,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        decay: float = 0.0,
        factors: Sequence[float] | None = None,
    ) -> None:
        for name, beta in zip(("first", "second"), betas, strict=True):
            if not 0 <= beta < 1:
                raise ValueError(f"the {name} of betas is {beta}; give 0 or more, and less than 1")
        need_positive("eps", eps)
        if not 0 <= decay < float("inf"):
            raise ValueError(f"decay is {decay}; give 0 or more")
        self.parameters = list(parameters)
        self.model_weights = (
            self.parameters
        )  # in float32 what moves is what the model computes with
        if not self.parameters:
            raise ValueError("there are no weights to move; give model.parameters()")
        self.betas, self.eps, self.decay = tuple(betas), eps, decay
        self.factors = [1.0] * len(self.parameters) if factors is None else list(factors)
        if len(self.factors) != len(self.parameters):
            raise ValueError(
                f"there are {len(self.factors)} factors for {len(self.parameters)} weights; give "
                "one for each"
            )
        self.means = [torch.zeros_like(p) for p in self.parameters]
        self.squares = [torch.zeros_like(p) for p in self.parameters]
        self.steps = [0] * len(self.parameters)  # a weight that sometimes has no gradient lags

    def zero_grad(self) -> None:
        """Forget all gradients."""
        for parameter in self.parameters:
            parameter.grad = None

    def gather(self, scale: float = 1.0) -> None:
        """Divide all gradients by the factor that the loss had."""
        for parameter in self.parameters:
            if scale != 1 and parameter.grad is not None:
                parameter.grad /= scale

    def step(self, rate: float) -> None:
        """Move each weight that has a gradient, by this rate."""
        for i, parameter in enumerate(self.parameters):
            if parameter.grad is None:
                continue
            self.steps[i] += 1
            adamw_step(
                parameter,
                parameter.grad,
                self.means[i],
                self.squares[i],
                step=self.steps[i],
                rate=rate * self.factors[i],
                betas=self.betas,
                eps=self.eps,
                decay=self.decay,
            )

    @property
    def settings(self) -> dict:
        """What decides a step besides the state: the same in a run that goes on."""
        settings = {"betas": list(self.betas), "eps": self.eps, "decay": self.decay}
        return settings if set(self.factors) == {1.0} else settings | {"factors": self.factors}

    def state(self) -> dict:
        """All that a later step needs: both means of each weight, and its count of steps."""
        return {"means": self.means, "squares": self.squares, "steps": self.steps}

    def load_state(self, state: dict) -> None:
        """Go on from what `state` gave. Raises ValueError if it belongs to other weights."""
        shapes = [list(p.shape) for p in self.parameters]
        for name in ("means", "squares"):
            if [list(tensor.shape) for tensor in state[name]] != shapes:
                raise ValueError(f"the saved {name} belong to weights of other shapes")
        self.means = [tensor.clone() for tensor in state["means"]]
        self.squares = [tensor.clone() for tensor in state["squares"]]
        self.steps = list(state["steps"])
