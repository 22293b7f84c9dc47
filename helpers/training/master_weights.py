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
    the vector and the model's weights are the same memory, and this is AdamW as usual.
    rate: the learning rate. weight_decay: as torch's AdamW has it. `adamw` is torch's optimiser,
    for schedules. A weight without a gradient counts as one whose gradient is zero.
    """

    def __init__(
        self,
        model: nn.Module,
        *,
        rate: float,
        weight_decay: float = 0.0,
        dtype: torch.dtype = torch.bfloat16,
    ) -> None:
        self.weights = list(model.parameters())
        self.vector = nn.Parameter(parameters_to_vector(self.weights).detach().float())
        self.vector.grad = torch.zeros_like(self.vector)
        self.adamw = torch.optim.AdamW(
            [self.vector], lr=rate, weight_decay=weight_decay, fused=True
        )
        model.to(dtype)
        # what the model computes with: its weights are views of this, so one copy brings all back
        self.rounded = self.vector.detach().to(dtype)
        vector_to_parameters(self.rounded, self.weights)

    def zero_grad(self) -> None:
        """Forget the model's gradients."""
        for weight in self.weights:
            weight.grad = None

    def step(self) -> None:
        """Gradients to float32, one step of AdamW on the vector, and the sums back, rounded."""
        gradients = [torch.zeros_like(w) if w.grad is None else w.grad for w in self.weights]
        torch.cat([gradient.flatten() for gradient in gradients], out=self.vector.grad)
        self.adamw.step()
        self.rounded.copy_(self.vector.detach())
