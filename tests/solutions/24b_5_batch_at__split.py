import torch


def batch_at(n, size, seed, step):
    """The round's batches as a table, of which one row is asked."""
    per = (n - n % size) // size
    generator = torch.Generator()
    generator.manual_seed(step // per + seed)
    table = torch.randperm(n, generator=generator)[: per * size].view(per, size)
    return [int(row) for row in table[step % per]]
