"""Wrong answers to 05.5. A docstring holds the words that only this fault's feedback contains."""

import torch.nn.functional as F


def _linear(weights, name, x):
    return F.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])


def _norm(weights, name, x):
    return F.layer_norm(x, x.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"])


def _attend(weights, x, H, mask, hurried="", scale=None):
    B, T, C = x.shape
    parts = [_linear(weights, f"attention.{name}", x) for name in ("query", "key", "value")]
    if hurried:
        q, k, v = (part.view(B, H, T, C // H) for part in parts)
    else:
        q, k, v = (part.view(B, T, H, C // H).transpose(1, 2) for part in parts)
    scores = q @ k.mT * ((C // H) ** -0.5 if scale is None else scale)
    heads = scores.masked_fill(~mask, float("-inf")).softmax(-1) @ v
    heads = heads.reshape(B, T, C) if hurried == "both" else heads.transpose(1, 2).flatten(2)
    return _linear(weights, "attention.output", heads)


def _think(weights, x, bend=F.gelu):
    return _linear(weights, "feed_forward.narrow", bend(_linear(weights, "feed_forward.widen", x)))


def post_norm(x, weights, H, mask):
    """this is a post-norm block"""
    x = _norm(weights, "attention_norm", x + _attend(weights, x, H, mask))
    return _norm(weights, "feed_forward_norm", x + _think(weights, x))


def adds_to_the_copy(x, weights, H, mask):
    """what is added to is the norm's copy"""
    x = _norm(weights, "attention_norm", x)
    x = x + _attend(weights, x, H, mask)
    x = _norm(weights, "feed_forward_norm", x)
    return x + _think(weights, x)


def mask_the_wrong_way_round(x, weights, H, mask):
    """the mask is read the wrong way round"""
    mask = ~mask
    x = x + _attend(weights, _norm(weights, "attention_norm", x), H, mask)
    return x + _think(weights, _norm(weights, "feed_forward_norm", x))


def hurried_both_ways(x, weights, H, mask):
    """cut and put together by view alone"""
    x = x + _attend(weights, _norm(weights, "attention_norm", x), H, mask, "both")
    return x + _think(weights, _norm(weights, "feed_forward_norm", x))


def root_of_the_whole_width(x, weights, H, mask):
    """divided by the root of C"""
    read = _norm(weights, "attention_norm", x)
    x = x + _attend(weights, read, H, mask, scale=x.shape[-1] ** -0.5)
    return x + _think(weights, _norm(weights, "feed_forward_norm", x))


def no_second_norm(x, weights, H, mask):
    """the feed-forward part reads the stream without its norm"""
    x = x + _attend(weights, _norm(weights, "attention_norm", x), H, mask)
    return x + _think(weights, x)


def plain_norms(x, weights, H, mask):
    """the norms have no scale and shift"""
    x = x + _attend(weights, F.layer_norm(x, x.shape[-1:]), H, mask)
    return x + _think(weights, F.layer_norm(x, x.shape[-1:]))


def relu(x, weights, H, mask):
    """the bend is ReLU"""
    x = x + _attend(weights, _norm(weights, "attention_norm", x), H, mask)
    return x + _think(weights, _norm(weights, "feed_forward_norm", x), F.relu)


def no_residual_after_attention(x, weights, H, mask):
    """replaces the stream, instead of being added"""
    x = _attend(weights, _norm(weights, "attention_norm", x), H, mask)
    return x + _think(weights, _norm(weights, "feed_forward_norm", x))


def parallel(x, weights, H, mask):
    """from before attention"""
    looked = _attend(weights, _norm(weights, "attention_norm", x), H, mask)
    return x + looked + _think(weights, _norm(weights, "feed_forward_norm", x))


def _one_way(x, weights, H, mask, shares):
    """Run the block with another way from scores and mask to weights."""
    B, T, C = x.shape
    read = _norm(weights, "attention_norm", x)
    q, k, v = (
        _linear(weights, f"attention.{name}", read).view(B, T, H, C // H).transpose(1, 2)
        for name in ("query", "key", "value")
    )
    heads = shares(q @ k.mT * (C // H) ** -0.5, mask) @ v
    x = x + _linear(weights, "attention.output", heads.transpose(1, 2).flatten(2))
    return x + _think(weights, _norm(weights, "feed_forward_norm", x))


def hidden_by_a_low_number(x, weights, H, mask):
    """is not low enough"""
    return _one_way(x, weights, H, mask, lambda s, m: s.masked_fill(~m, -1e9).softmax(-1))


def noughts_hidden(x, weights, H, mask):
    """is taken for a hidden one"""

    def shares(scores, mask):
        scores = scores * mask
        return scores.masked_fill(scores == 0, float("-inf")).softmax(-1)

    return _one_way(x, weights, H, mask, shares)


def nothing_subtracted(x, weights, H, mask):
    """large scores overflow"""

    def shares(scores, mask):
        powers = scores.exp() * mask
        return powers / powers.sum(-1, keepdim=True)

    return _one_way(x, weights, H, mask, shares)


def hidden_afterwards_and_shared_again(x, weights, H, mask):
    """the visible weights vanish"""

    def shares(scores, mask):
        parts = scores.softmax(-1) * mask
        return parts / parts.sum(-1, keepdim=True)

    return _one_way(x, weights, H, mask, shares)
