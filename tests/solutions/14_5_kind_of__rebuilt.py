import torch


def kind_of(scores):
    """Rebuild the table from its last row as each kind would have it, and compare."""
    T = len(scores)
    by_distance = scores[-1].flip(0)
    back = (torch.arange(T)[:, None] - torch.arange(T)).clamp(min=0)
    seen = torch.ones(T, T).tril().bool()

    def same(table):
        return bool(((table - scores)[seen].abs() < 1e-4).all())

    slope = by_distance[0] - by_distance[1]
    if not same(by_distance[back]):
        return "absolute"
    if same(scores[0, 0].expand(T, T)):
        return "none"
    if same(scores[0, 0] - slope * back) and slope > 0:
        return "alibi"
    return "relative"
