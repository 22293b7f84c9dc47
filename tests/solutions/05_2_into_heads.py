def into_heads(x, H):
    """Cut the width into heads: x [B, T, C] -> [B, H, T, D], where D = C / H."""
    B, T, C = x.shape
    parts = x.view(B, T, H, C // H)  # the numbers stay where they are, C has two names
    return parts.transpose(1, 2)  # [B, H, T, D]
