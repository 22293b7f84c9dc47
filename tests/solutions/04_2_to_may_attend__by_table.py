import torch


def to_may_attend(mask, convention):
    """One function for each convention, in a table."""
    ways = {
        "may": torch.clone,
        "hidden": torch.logical_not,
        "additive": lambda numbers: numbers.isfinite(),
    }
    try:
        way = ways[convention]
    except KeyError:
        raise ValueError(f"unknown convention {convention}") from None
    return way(mask)
