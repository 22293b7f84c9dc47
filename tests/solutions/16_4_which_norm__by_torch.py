import torch.nn.functional as F


def which_norm(x, weight, y):
    """By torch's own norms, the one that lies nearest, if it is near enough."""
    C = x.shape[-1:]
    gaps = {
        "layer": F.layer_norm(x, C, weight) - y,
        "rms": F.rms_norm(x, C, weight, 1e-5) - y,
        "one_plus_rms": F.rms_norm(x, C, weight + 1, 1e-5) - y,
    }
    sizes = {name: gap.abs().max().item() for name, gap in gaps.items()}
    nearest = min(sizes, key=sizes.get)
    return nearest if sizes[nearest] < 1e-3 else "other"
