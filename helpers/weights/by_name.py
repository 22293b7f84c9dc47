"""A model's weights by name, each once, and loading them strictly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import torch
from torch import Tensor, nn
from torch.overrides import TorchFunctionMode

# what torch.compile, DataParallel and their like put into names; the model's own parts have others
WRAPPERS = ("_orig_mod", "module", "_fsdp_wrapped_module", "_checkpoint_wrapped_module")


def plain_names(names: Iterable[str]) -> dict[str, str]:
    """For each name without what wrappers put into it, the name as it was given.

    Raises ValueError where two names would be one.
    """
    plain: dict[str, str] = {}
    for name in names:
        bare = ".".join(part for part in name.split(".") if part not in WRAPPERS)
        if bare in plain:
            raise ValueError(f"{plain[bare]} and {name} are one name, {bare}, for two weights")
        plain[bare] = name
    return plain


def unwrapped(model: nn.Module) -> nn.Module:
    """The model itself, out of whatever wraps it: torch.compile, DataParallel, and so on."""
    while len(model._modules) == 1 and (name := next(iter(model._modules))) in WRAPPERS:
        model = model._modules[name]
    return model


def own_weights(model: nn.Module) -> dict[str, Tensor]:
    """What training can change, by name; a wrapped or compiled model has the names of a bare one.

    A tensor with two names, as the matrix of a tied head, is here once, under the first of them:
    a file that held it twice could bring back two tensors that drift apart.
    """
    parameters = dict(model.named_parameters())
    return {plain: parameters[name].detach() for plain, name in plain_names(parameters).items()}


@torch.no_grad()
def load_weights(model: nn.Module, weights: Mapping[str, Tensor]) -> None:
    """Copy weights into a model, in place, so that what was one tensor stays one.

    Raises ValueError, before anything is changed, unless these are exactly the model's
    `own_weights` in name and shape. Either of the two may come from a wrapped or compiled model.
    """
    own = own_weights(model)
    weights = {plain: weights[name] for plain, name in plain_names(weights).items()}
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


class Undrawn(TorchFunctionMode):
    """`with Undrawn(): Decoder(config)` leaves weights as the memory was, for others to be loaded.

    Drawing the first weights of a large model takes longer than reading its real ones.
    """

    def __torch_function__(self, function, types, arguments=(), named=None):
        if getattr(function, "__name__", "") in ("uniform_", "normal_", "kaiming_uniform_"):
            return None  # torch's own layers and ours look at no result of these
        return function(*arguments, **(named or {}))
