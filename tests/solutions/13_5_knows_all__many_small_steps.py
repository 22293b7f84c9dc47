import torch


def knows_all(mask, blocks):
    """A state that holds its own mark, and takes over the marks of all that it sees."""
    marks = torch.eye(len(mask), dtype=torch.bool)  # [T, T], row t = marks that t carries
    for _ in range(blocks):
        marks = (mask[:, :, None] & marks[None]).any(dim=1)
    return marks.all(dim=-1).nonzero().flatten().tolist()
