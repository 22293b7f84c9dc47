import torch


def clipped(gradients, limit):
    """As one flat vector, cut into its shapes again."""
    flat = torch.cat([g.reshape(-1) for g in gradients])
    norm = torch.linalg.vector_norm(flat)
    if norm > limit:
        flat = flat / norm * limit
    pieces = flat.split([g.numel() for g in gradients])
    shaped = [p.reshape(g.shape).clone() for p, g in zip(pieces, gradients, strict=True)]
    return {"norm": norm, "gradients": shaped}
