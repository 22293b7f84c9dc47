import math

import torch


def llama_step(x, weights, keys, values, base):
    """Turning as a complex product, one query head at a time, in float64."""
    w = {name: value.double() for name, value in weights.items()}
    x = x.double()
    groups, past, width = keys.shape

    def read(name):
        size = math.sqrt(float(x @ x) / len(x) + 1e-5)
        return x / size * w[name + "_norm.weight"]

    speeds = torch.tensor([base ** (-2 * i / width) for i in range(width // 2)]).double()
    turn = torch.polar(torch.ones_like(speeds), speeds * past)

    def turned(rows):  # [heads, D]
        pairs = torch.complex(rows[:, : width // 2], rows[:, width // 2 :]) * turn
        return torch.cat([pairs.real, pairs.imag], dim=1)

    seen = read("attention")
    query, key, value = (
        (w[f"attention.{name}.weight"] @ seen).reshape(-1, width)
        for name in ("query", "key", "value")
    )
    query, key = turned(query), turned(key)
    keys = torch.cat([keys.double(), key[:, None]], dim=1)
    values = torch.cat([values.double(), value[:, None]], dim=1)
    mixed = []
    for head, row in enumerate(query):
        group = head * groups // len(query)
        law = torch.softmax(keys[group] @ row / math.sqrt(width), dim=0)
        mixed.append(law @ values[group])
    x = x + w["attention.output.weight"] @ torch.cat(mixed)
    seen = read("feed_forward")
    gate = w["feed_forward.gate.weight"] @ seen
    wide = gate * torch.sigmoid(gate) * (w["feed_forward.widen.weight"] @ seen)
    return {"x": x + w["feed_forward.narrow.weight"] @ wide, "keys": keys, "values": values}
