import torch
import torch.nn.functional as F


def _norm(x, weights, name):
    return F.layer_norm(x, x.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"], 1e-5)


def _linear(x, weights, name):
    return F.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])


def wrong_gelu_by_tanh(x, weights, H, mask):
    """Uses the approximation of GELU by tanh, which is off by up to half a thousandth at each
    hidden number.

    Feedback: the bend is the tanh form of GELU: the course uses the exact one
    """
    # wrong for: ordinary random weights: off by 0.001; feed_forward.narrow times 100: by 0.14
    B, T, C = x.shape
    y = _norm(x, weights, "attention_norm")
    q, k, v = (
        _linear(y, weights, f"attention.{name}").view(B, T, H, C // H).transpose(1, 2)
        for name in ("query", "key", "value")
    )
    scores = q @ k.transpose(-2, -1) / (C // H) ** 0.5
    law = scores.masked_fill(~mask, -torch.inf).softmax(dim=-1)
    joined = (law @ v).transpose(1, 2).reshape(B, T, C)
    x = x + _linear(joined, weights, "attention.output")
    y = _norm(x, weights, "feed_forward_norm")
    y = F.gelu(_linear(y, weights, "feed_forward.widen"), approximate="tanh")
    return x + _linear(y, weights, "feed_forward.narrow")


def wrong_minus_ten_thousand_added(x, weights, H, mask):
    """Adds -10,000 to hidden scores, as BERT's code did, in place of minus infinity: a hidden
    score that lies higher than the visible ones by more than that leaks.

    Feedback: what hides a score is not low enough: only -inf lies below every score
    """
    # wrong for: query and key weights times 1000 (scores of a million): it leaks, off by 4
    B, T, C = x.shape
    D = C // H
    y = _norm(x, weights, "attention_norm")
    q = _linear(y, weights, "attention.query").view(B, T, H, D).transpose(1, 2)
    k = _linear(y, weights, "attention.key").view(B, T, H, D).transpose(1, 2)
    v = _linear(y, weights, "attention.value").view(B, T, H, D).transpose(1, 2)
    bias = (1.0 - mask.to(x.dtype)) * -10000.0
    law = (q @ k.transpose(-2, -1) / D**0.5 + bias).softmax(dim=-1)
    joined = (law @ v).transpose(1, 2).flatten(2)
    x = x + _linear(joined, weights, "attention.output")
    y = F.gelu(_linear(_norm(x, weights, "feed_forward_norm"), weights, "feed_forward.widen"))
    return x + _linear(y, weights, "feed_forward.narrow")
