import torch


def agreement(a, b):
    """A loop over the places, and torch's own divergence."""
    same, first, kl = 0, None, 0.0
    for place, (x, y) in enumerate(zip(a.double(), b.double(), strict=True)):
        if int(x.argmax()) == int(y.argmax()):
            same += 1
        elif first is None:
            first = place
        p, q = x.log_softmax(0), y.log_softmax(0)
        kl += torch.nn.functional.kl_div(q, p, log_target=True, reduction="sum").item()
    return {"same": same / len(a), "first": first, "kl": kl / len(a)}
