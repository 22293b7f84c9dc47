import torch


def top_p(logits, p):
    """In float32, with the mask put back by a second sort."""
    if p >= 1:
        return logits.clone()
    ordered, order = torch.sort(-logits, dim=-1, stable=True)
    law = torch.softmax(-ordered, dim=-1)
    removed = torch.cumsum(law, dim=-1) - law >= p
    removed[..., 0] = False
    back = order.argsort(dim=-1)
    return torch.where(removed.gather(-1, back), float("-inf"), logits)
