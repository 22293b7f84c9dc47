import torch


def last_real(logits, token_mask):
    """Return the logits at each row's last real token: [B, T, V], [B, T] -> [B, V]."""
    B, T = token_mask.shape
    column = torch.arange(T) * token_mask  # [B, T]: its number, 0 at padding
    place = column.amax(dim=1)  # [B]
    return logits[torch.arange(B), place]
