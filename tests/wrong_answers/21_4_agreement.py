"""Wrong answers to 21.4. A docstring holds the words that only this fault's feedback contains."""


def _answer(a, b, same=None, first=None, kl=None):
    differ = (a.argmax(-1) != b.argmax(-1)).tolist()
    p, q = a.log_softmax(-1), b.log_softmax(-1)
    own = {
        "same": 1 - sum(differ) / len(differ),
        "first": differ.index(True) if any(differ) else None,
        "kl": (p.exp() * (p - q)).sum(-1).mean().item(),
    }
    if same:
        own["same"] = same(differ)
    if first and any(differ):
        own["first"] = first(differ)
    if kl:
        own["kl"] = kl(p, q).item()
    return own


def counted(a, b):
    """same is a number of places"""
    return _answer(a, b, same=lambda differ: len(differ) - sum(differ))


def share_of_differences(a, b):
    """same is the share of places that differ"""
    return _answer(a, b, same=lambda differ: sum(differ) / len(differ))


def from_one(a, b):
    """places are counted from 0"""
    return _answer(a, b, first=lambda differ: differ.index(True) + 1)


def the_last(a, b):
    """first is the last place where they differ"""
    return _answer(a, b, first=lambda differ: max(n for n, d in enumerate(differ) if d))


def minus_one(a, b):
    """the two never differ, and first is not None"""
    found = _answer(a, b)
    return found | {"first": -1 if found["first"] is None else found["first"]}


def turned_round(a, b):
    """the two laws have changed places in kl"""
    return _answer(a, b, kl=lambda p, q: (q.exp() * (q - p)).sum(-1).mean())


def summed(a, b):
    """kl is summed over the places"""
    return _answer(a, b, kl=lambda p, q: (p.exp() * (p - q)).sum())


def bits(a, b):
    """kl is in bits"""
    return _answer(a, b, kl=lambda p, q: (p.exp() * (p - q)).sum(-1).mean() / 0.6931472)


def mean_over_all(a, b):
    """kl is averaged over the vocabulary as well"""
    return _answer(a, b, kl=lambda p, q: (p.exp() * (p - q)).mean())


def cross_entropy(a, b):
    """the entropy of the first law is not taken off"""
    return _answer(a, b, kl=lambda p, q: -(p.exp() * q).sum(-1).mean())


def of_raw_logits(a, b):
    """kl is made of raw logits"""
    return _answer(a, b, kl=lambda p, q: (p.exp() * (a - b)).sum(-1).mean())


def log_of_zero(a, b):
    """a logarithm is taken of a probability that was rounded to 0"""

    def kl(p, q):
        tiny = 1e-10
        return (p.exp() * ((p.exp() + tiny).log() - (q.exp() + tiny).log())).sum(-1).mean()

    return _answer(a, b, kl=kl)
