import torch


def last_real(logits, token_mask):
    """Loops, in float64."""
    found = []
    for row, real in zip(logits.double(), token_mask.tolist(), strict=True):
        place = len(real) - 1
        while not real[place]:
            place -= 1
        found.append(row[place])
    return torch.stack(found)
