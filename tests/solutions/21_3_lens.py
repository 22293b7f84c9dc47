import torch


def lens(states, norm_weight, head, token):
    """Return the probability of a token after each block, a tensor [L].

    states: the stream after each block at one position, [L, C]. norm_weight: of the final RMSNorm,
    [C], with eps 1e-5. head: [V, C]. token: an id.
    """
    size = states.square().mean(dim=-1, keepdim=True)  # [L, 1]
    normed = states * torch.rsqrt(size + 1e-5) * norm_weight  # [L, C]
    return (normed @ head.T).softmax(dim=-1)[:, token]
