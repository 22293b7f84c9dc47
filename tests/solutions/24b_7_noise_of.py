def noise_of(small, large, few, many):
    """Return the noise scale in rows, a float.

    small: float64 tensor [k, P]. large: [m, P]. few, many: rows of a batch of each.
    """
    a, b = (x.square().sum(dim=1).mean().item() for x in (small, large))
    noise = (a - b) / (1 / few - 1 / many)
    true = (many * b - few * a) / (many - few)
    return noise / true if true > 0 else float("inf")
