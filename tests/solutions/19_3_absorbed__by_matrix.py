import torch


def absorbed(weights):
    """Name by name, with the stretch as a diagonal matrix."""
    new = {}
    for name, value in weights.items():
        part, _, layer = name.partition(".")
        if part.endswith("norm"):
            new[name] = torch.full(value.shape, 1.0)
        elif layer in ("output.weight", "narrow.weight"):
            new[name] = value.clone()
        else:
            new[name] = value @ torch.diag(weights[part + "_norm.weight"])
    return new
