import torch.nn.functional as F


def attend_last(query, keys, values):
    """Torch's own attention in double precision, with one query of one head."""
    result = F.scaled_dot_product_attention(
        query.double().reshape(1, 1, 1, -1), keys.double()[None, None], values.double()[None, None]
    )
    return result.reshape(-1)
