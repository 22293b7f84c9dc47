import torch


def folded(weights, H):
    """Return the weights of an attention without a value bias that says the same, as a new dict.

    weights: "query.weight" [H*D, C], "key.weight" and "value.weight" [G*D, C], "output.weight"
    [C, H*D], and a ".bias" for each. H: the query heads.
    """
    matrix, bias = weights["output.weight"], weights["value.bias"]
    rows = bias.view(-1, matrix.shape[1] // H)  # [G, D]
    wide = rows.repeat_interleave(H // len(rows), dim=0).flatten()  # [H * D]
    return weights | {
        "value.bias": torch.zeros_like(bias),
        "output.bias": weights["output.bias"] + matrix @ wide,
    }
