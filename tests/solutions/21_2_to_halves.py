import torch


def to_halves(weight, G):
    """Return a key matrix [G * D, C] with each head's rows in the order even lanes, odd lanes.

    weight: the matrix as a GGUF file has it, lanes that turn together side by side. G: heads.
    """
    heads = weight.unflatten(0, (G, -1))  # [G, D, C]
    return torch.cat([heads[:, ::2], heads[:, 1::2]], dim=1).flatten(0, 1)  # [G * D, C]
