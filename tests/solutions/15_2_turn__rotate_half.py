import torch


def turn(x, positions, base, layout):
    """As most code for halves does it: x cos + other x sin, with cos and sin written out twice."""
    D = x.shape[-1]
    speeds = base ** (-torch.arange(0, D, 2).double() / D)
    angles = positions.double()[:, None] * speeds
    if layout == "halves":
        angles = torch.cat([angles, angles], dim=-1)
        a, b = x.chunk(2, dim=-1)
        other = torch.cat([-b, a], dim=-1)
    else:
        angles = angles.repeat_interleave(2, dim=-1)
        other = torch.stack([-x[:, 1::2], x[:, 0::2]], dim=-1).flatten(1)
    return x * angles.cos() + other * angles.sin()
