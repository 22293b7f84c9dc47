import torch


def grouped_attention(query, key, value, mask):
    """One query head after the other, in float64."""
    H, G, D = query.shape[1], key.shape[1], query.shape[-1]
    hidden = torch.zeros(mask.shape, dtype=torch.float64).masked_fill(~mask, -1e9)
    heads = []
    for h in range(H):
        k, v = (x[:, h * G // H].double() for x in (key, value))
        scores = torch.einsum("bqd,bkd->bqk", query[:, h].double(), k) / D**0.5 + hidden
        heads.append(scores.softmax(-1) @ v)
    return torch.stack(heads, dim=1)
