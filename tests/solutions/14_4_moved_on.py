import torch


def moved_on(rows, steps):
    """Return the sinusoidal rows that stand `steps` further on, [N, C], whatever these rows are.

    rows: [N, C], sines in even columns, cosines in odd ones. steps: a whole number, may be below 0.
    """
    C = rows.shape[1]
    by = steps / 10000 ** (torch.arange(0, C, 2) / C)  # [C/2]: how far each pair turns
    sines, cosines = rows[:, 0::2], rows[:, 1::2]
    new_sines = sines * by.cos() + cosines * by.sin()
    new_cosines = cosines * by.cos() - sines * by.sin()
    return torch.stack([new_sines, new_cosines], dim=-1).flatten(1)  # [N, C/2, 2] -> [N, C]
