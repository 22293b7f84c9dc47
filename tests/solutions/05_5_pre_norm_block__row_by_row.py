import math

import torch


def pre_norm_block(x, weights, H, mask):
    """One head and one position at a time, in float64; GELU from the error function."""
    w = {name: value.double() for name, value in weights.items()}
    x = x.double().clone()
    B, T, C = x.shape
    D = C // H

    def norm(name, vector):
        centred = vector - vector.mean()
        spread = math.sqrt(float(centred @ centred) / C + 1e-5)
        return centred / spread * w[f"{name}.weight"] + w[f"{name}.bias"]

    def linear(name, vector):
        return w[f"{name}.weight"] @ vector + w[f"{name}.bias"]

    for b in range(B):
        read = [norm("attention_norm", x[b, t]) for t in range(T)]
        q, k, v = (
            [linear(f"attention.{name}", vector) for vector in read]
            for name in ("query", "key", "value")
        )
        said = []
        for t in range(T):
            shown = [s for s in range(T) if mask[t, s]]
            pieces = []
            for h in range(H):
                own = slice(h * D, (h + 1) * D)
                scores = torch.stack([q[t][own] @ k[s][own] for s in shown]) / math.sqrt(D)
                law = (scores - scores.max()).exp()
                law = law / law.sum()
                pieces.append(sum(p * v[s][own] for p, s in zip(law, shown, strict=True)))
            said.append(linear("attention.output", torch.cat(pieces)))
        x[b] += torch.stack(said)
        for t in range(T):
            wide = linear("feed_forward.widen", norm("feed_forward_norm", x[b, t]))
            wide = wide * (1 + torch.erf(wide / math.sqrt(2))) / 2
            x[b, t] += linear("feed_forward.narrow", wide)
    return x
