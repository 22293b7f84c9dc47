import torch


def piece_mask(past, new, window=None):
    """A row of the whole text's mask at a time."""
    rows = []
    for position in range(past, past + new):
        first = 0 if window is None else max(0, position + 1 - window)
        rows.append([first <= key <= position for key in range(past + new)])
    return torch.tensor(rows)
