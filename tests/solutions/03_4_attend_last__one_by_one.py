import torch


def attend_last(query, keys, values):
    """One key after the other, with powers of e and a division."""
    scores = [float((query * key).sum()) * query.numel() ** -0.5 for key in keys]
    powers = torch.tensor([score - max(scores) for score in scores]).exp()
    row = torch.zeros(values.shape[1])
    for power, value in zip(powers, values, strict=True):
        row += power * value
    return row / powers.sum()
