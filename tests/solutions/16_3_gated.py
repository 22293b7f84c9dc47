import torch.nn.functional as F


def gated(x, weights, kind):
    """Run a feed-forward part without biases: x [B, T, C] -> [B, T, C].

    weights: "widen" [h, C], "narrow" [C, h] and, for the gated kinds, "gate" [h, C].
    kind: "gelu" (exact), "geglu" or "swiglu".
    """
    wide = F.linear(x, weights["widen"])  # [B, T, h]
    if kind == "gelu":
        wide = F.gelu(wide)
    else:
        bend = F.silu if kind == "swiglu" else F.gelu
        wide = bend(F.linear(x, weights["gate"])) * wide
    return F.linear(wide, weights["narrow"])
