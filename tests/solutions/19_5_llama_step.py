import torch
import torch.nn.functional as F


def llama_step(x, weights, keys, values, base):
    """Take one token through a Llama block: return a dict of "x", "keys" and "values".

    x: the token's state [C]. weights: the block's matrices and norms, by name. keys, values: those
    of the T tokens before it, [G, T, D], the keys turned already. base: of the rotary positions.
    """
    G, T, D = keys.shape

    def norm(name, x):
        return x * torch.rsqrt(x.square().mean() + 1e-5) * weights[f"{name}.weight"]

    def heads(name, x):
        return (weights[f"attention.{name}.weight"] @ x).view(-1, 1, D)  # [heads, 1, D]

    angles = T * base ** (-torch.arange(0, D, 2) / D)  # [D/2]: this token is number T

    def turned(x):
        a, b = x.chunk(2, dim=-1)
        cos, sin = angles.cos(), angles.sin()
        return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)

    read = norm("attention_norm", x)
    query = turned(heads("query", read))  # [H, 1, D]
    keys = torch.cat([keys, turned(heads("key", read))], dim=1)  # [G, T + 1, D]
    values = torch.cat([values, heads("value", read)], dim=1)
    group = len(query) // G
    scores = query @ keys.repeat_interleave(group, dim=0).mT / D**0.5  # [H, 1, T + 1]
    mixed = scores.softmax(dim=-1) @ values.repeat_interleave(group, dim=0)  # [H, 1, D]
    x = x + weights["attention.output.weight"] @ mixed.flatten()

    read = norm("feed_forward_norm", x)
    gate = F.silu(weights["feed_forward.gate.weight"] @ read)
    wide = gate * (weights["feed_forward.widen.weight"] @ read)
    return {"x": x + weights["feed_forward.narrow.weight"] @ wide, "keys": keys, "values": values}
