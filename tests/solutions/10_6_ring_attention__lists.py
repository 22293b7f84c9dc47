import torch


def ring_attention(query, key, value, W):
    """Lists of rows, float64, powers of e."""
    ring = [None] * W
    rows = []
    for t, (q, k, v) in enumerate(zip(query.double(), key.double(), value.double(), strict=True)):
        ring[t % W] = (k, v)
        held = [pair for pair in ring if pair is not None]
        powers = torch.stack([torch.exp(q.dot(k) / len(q) ** 0.5) for k, _ in held])
        rows.append(sum(p * v for p, (_, v) in zip(powers, held, strict=True)) / powers.sum())
    empty = torch.zeros(query.shape[1], dtype=torch.float64)
    return torch.stack(rows), torch.stack([empty if pair is None else pair[0] for pair in ring])
