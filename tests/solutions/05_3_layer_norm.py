def layer_norm(x, scale, shift):
    """Normalise each position's vector: x [B, T, C], scale and shift [C] -> [B, T, C]."""
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = centred.pow(2).mean(dim=-1, keepdim=True)  # [B, T, 1], divided by C
    return centred / (variance + 1e-5).sqrt() * scale + shift
