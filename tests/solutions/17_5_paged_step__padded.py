import torch
import torch.nn.functional as F


def paged_step(query, keys, values, tables, lengths):
    """All rows gathered into one padded batch, what is behind their ends hidden by a mask."""
    H, P, G = query.shape[1], keys.shape[1], keys.shape[2]
    longest = max(len(table) for table in tables)
    padded = torch.tensor([table + [0] * (longest - len(table)) for table in tables])
    key, value = (x[padded].flatten(1, 2).transpose(1, 2) for x in (keys, values))  # [B, G, T, D]
    mask = torch.arange(longest * P) < torch.tensor(lengths)[:, None, None, None]
    key, value = (x.repeat_interleave(H // G, dim=1) for x in (key, value))
    return F.scaled_dot_product_attention(query[:, :, None], key, value, attn_mask=mask)[:, :, 0]
