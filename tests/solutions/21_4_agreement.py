def agreement(a, b):
    """Return {"same", "first", "kl"} of two models' logits [T, V] on one text.

    same: the share of places with the same best token. first: the first place, counted from 0,
    where the best tokens differ, None if there is none. kl: KL(law of a || law of b) in nats, mean
    over the places.
    """
    differ = (a.argmax(dim=-1) != b.argmax(dim=-1)).tolist()
    p, q = a.log_softmax(dim=-1), b.log_softmax(dim=-1)  # [T, V]
    return {
        "same": 1 - sum(differ) / len(differ),
        "first": differ.index(True) if any(differ) else None,
        "kl": (p.exp() * (p - q)).sum(dim=-1).mean().item(),
    }
