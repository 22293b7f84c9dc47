import torch


def folded(weights, H):
    """One query head after the other, in float64."""
    new = {name: value.clone() for name, value in weights.items()}
    D = weights["output.weight"].shape[1] // H
    G = len(weights["value.bias"]) // D
    total = weights["output.bias"].double()
    for h in range(H):
        g = h * G // H
        columns = weights["output.weight"][:, h * D : (h + 1) * D].double()
        total = total + columns @ weights["value.bias"][g * D : (g + 1) * D].double()
    new["output.bias"] = total
    new["value.bias"] = torch.zeros(G * D)
    return new
