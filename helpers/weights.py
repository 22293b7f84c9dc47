"""A model's weights by name, each once, and loading them strictly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

import torch
from torch import Tensor, nn

Model = TypeVar("Model", bound=nn.Module)


def own_weights(model: nn.Module) -> dict[str, Tensor]:
    """What training can change, by name.

    A tensor with two names, as the matrix of a tied head, is here once, under the first of them:
    a file that held it twice could bring back two tensors that drift apart.
    """
    return {name: parameter.detach() for name, parameter in model.named_parameters()}


@torch.no_grad()
def load_weights(model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Copy weights into a model, in place, so that what was one tensor stays one.

    Raises ValueError, before anything is changed, unless these are exactly the model's
    `own_weights` in name and shape.
    """
    own = own_weights(model)
    wrong = [f"{name} is missing" for name in own if name not in weights]
    wrong += [f"{name} is none of the model's" for name in weights if name not in own]
    wrong += [
        f"{name} has shape {list(weights[name].shape)}, the model's {list(tensor.shape)}"
        for name, tensor in own.items()
        if name in weights and weights[name].shape != tensor.shape
    ]
    if wrong:
        raise ValueError(f"the weights do not fit the model: {'; '.join(wrong)}")
    for name, tensor in own.items():
        tensor.copy_(weights[name])


def without_weights(make: Callable[[], Model]) -> Model:
    """What `make` makes, with names and shapes but no memory for weights; see `put_weight`.

    Drawing the first weights of a large model takes longer than reading its real ones.
    """
    with torch.device("meta"):
        return make()


def put_weight(model: nn.Module, name: str, weight: Tensor) -> None:
    """Give a model without weights a copy of this one, of the same shape, in float32.

    What was one tensor under two names stays one.
    """
    old = model.get_parameter(name)
    if weight.shape != old.shape:
        raise ValueError(f"{name} has shape {list(weight.shape)}, the model's {list(old.shape)}")
    new = nn.Parameter(torch.empty(old.shape, device="cpu").copy_(weight))
    for module in model.modules():
        for part, parameter in list(module.named_parameters(recurse=False, remove_duplicate=False)):
            if parameter is old:
                setattr(module, part, new)
