"""Training in 16 bits without losing small steps: a float32 master copy of all weights.

bfloat16 numbers next to 1 lie 1/128 apart. A step of 0.001 added to such a weight is rounded away,
again and again, and the weight never moves. So the steps are added up in float32, and the model
computes with a 16-bit copy of the sums. Source: Micikevicius et al. 2018, section 3.1.
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters


class MasterWeights:
    """AdamW on one float32 vector that holds all weights of a model.

    The model itself is turned to `dtype` in place, and computes in it from then on. With float32
    the vector and the model's weights are the same memory, and this is AdamW as usual, by torch's
    fused code. betas, eps, decay: as AdamW has them. A weight without a gradient counts as one
    whose gradient is zero.
    """

    def __init__(
        self,
        model: nn.Module,
        *,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        decay: float = 0.0,
        dtype: torch.dtype = torch.bfloat16,
    ) -> None:
        self.settings = {"betas": list(betas), "eps": eps, "decay": decay, "dtype": str(dtype)}
        self.model_weights = list(model.parameters())
        self.vector = nn.Parameter(parameters_to_vector(self.model_weights).detach().float())
        self.vector.grad = torch.zeros_like(self.vector)
        self.parameters = [self.vector]  # what it moves, and what has gradients after `gather`
        self.adamw = torch.optim.AdamW(
            self.parameters, betas=betas, eps=eps, weight_decay=decay, fused=True
        )
        model.to(dtype)
        # what the model computes with: its weights are views of this, so one copy brings all back
        self.rounded = self.vector.detach().to(dtype)
        vector_to_parameters(self.rounded, self.model_weights)

    def zero_grad(self) -> None:
        """Forget the model's gradients."""
        for weight in self.model_weights:
            weight.grad = None

    def gather(self, scale: float = 1.0) -> None:
        """The model's gradients to float32, and only then divided by the factor of the loss."""
        gradients = [torch.zeros_like(w) if w.grad is None else w.grad for w in self.model_weights]
        torch.cat([gradient.flatten() for gradient in gradients], out=self.vector.grad)
        if scale != 1:
            self.vector.grad /= scale

    def step(self, rate: float) -> None:
        """One step of AdamW on the vector with what was gathered, and the sums back, rounded."""
        self.adamw.param_groups[0]["lr"] = rate
        self.adamw.step()
        self.rounded.copy_(self.vector.detach())

    def state(self) -> dict:
        """All that a later step needs: the vector, and the state of torch's AdamW."""
        return {"vector": self.vector.detach(), "adamw": self.adamw.state_dict()["state"]}

    def load_state(self, state: dict) -> None:
        """Go on from what `state` gave. Raises ValueError if it belongs to other weights."""
        if state["vector"].shape != self.vector.shape:
            raise ValueError("the saved vector belongs to weights of other shapes")
        with torch.no_grad():
            self.vector.copy_(state["vector"])
            self.rounded.copy_(self.vector)
        self.adamw.load_state_dict(self.adamw.state_dict() | {"state": state["adamw"]})
