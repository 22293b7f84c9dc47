import torch


def batch_at(n, size, seed, step):
    """Return the rows of batch `step`, a list of `size` ints from 0 to n - 1.

    n: rows. size: rows of a batch. seed: of the first round. step: from 0.
    """
    turn, place = divmod(step, n // size)
    order = torch.randperm(n, generator=torch.Generator().manual_seed(seed + turn))
    return order[place * size : (place + 1) * size].tolist()
