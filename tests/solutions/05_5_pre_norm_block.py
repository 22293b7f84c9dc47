import torch.nn.functional as F


def pre_norm_block(x, weights, H, mask):
    """Run one pre-norm block: x [B, T, C] -> [B, T, C].

    weights: the block's state_dict(), a dict of tensors. mask: bool [T, T], True = may attend.

    A post-norm block cannot promise to give x back: it ends with norm(x + 0), which is x only
    where x is normalised already.
    """

    def linear(name, x):
        return F.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name, x):
        return F.layer_norm(x, x.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])

    def split(x):
        B, T, C = x.shape
        return x.view(B, T, H, C // H).transpose(1, 2)  # [B, H, T, D]

    read = norm("attention_norm", x)
    query = split(linear("attention.query", read))
    key = split(linear("attention.key", read))
    value = split(linear("attention.value", read))
    scores = query @ key.mT / query.shape[-1] ** 0.5  # [B, H, T, T]
    heads = scores.masked_fill(~mask, float("-inf")).softmax(dim=-1) @ value
    x = x + linear("attention.output", heads.transpose(1, 2).flatten(2))  # [B, T, C]

    wide = F.gelu(linear("feed_forward.widen", norm("feed_forward_norm", x)))  # [B, T, 4C]
    return x + linear("feed_forward.narrow", wide)
