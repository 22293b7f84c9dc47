import math

import torch


def paged_step(query, keys, values, tables, lengths):
    """Page after page with a running sum, so that no row is ever gathered."""
    B, H, D = query.shape
    P, G = keys.shape[1:3]
    out = torch.zeros(B, H, D, dtype=torch.float64)
    for b in range(B):
        for h in range(H):
            g = h * G // H
            top, total = -math.inf, 0.0
            mixed = torch.zeros(D, dtype=torch.float64)
            for number, page in enumerate(tables[b]):
                count = min(P, lengths[b] - number * P)
                if count <= 0:
                    break
                scores = keys[page, :count, g].double() @ query[b, h].double() / math.sqrt(D)
                new_top = max(top, scores.max().item())
                old, shares = math.exp(top - new_top), (scores - new_top).exp()
                mixed = mixed * old + shares @ values[page, :count, g].double()
                total, top = total * old + shares.sum().item(), new_top
            out[b, h] = mixed / total
    return out
