import torch


def pick(law, spot):
    """Search the cuts, as the lesson does at station 7."""
    law = torch.tensor(law, dtype=torch.float32)
    cuts = law.cumsum(dim=0)
    index = torch.searchsorted(cuts, torch.tensor(spot), right=True)
    return torch.minimum(index, law.nonzero().max())
