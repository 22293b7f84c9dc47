import torch


def _best(a, b):
    differ = (a.argmax(-1) != b.argmax(-1)).tolist()
    first = differ.index(True) if True in differ else None
    return 1 - sum(differ) / len(differ), first


def wrong_first_place_is_none(a, b):
    """a first difference at place 0 is false and becomes None

    Feedback: first is not the first place where the best tokens differ
    """
    # wrong for: f([[1, 0]], [[0, 1]]): first gives None, right 0
    differ = (a.argmax(-1) != b.argmax(-1)).tolist()
    first = next((t for t, other in enumerate(differ) if other), None) or None
    left, right = a.log_softmax(-1), b.log_softmax(-1)
    kl = (left.exp() * (left - right)).sum(-1).mean().item()
    return {"same": 1 - sum(differ) / len(differ), "first": first, "kl": kl}


def wrong_kl_other_way(a, b):
    """the divergence is taken the other way, KL(b || a)

    Feedback: the two laws have changed places in kl
    """
    # wrong for: f([[2, 0, 0]], [[0, 0, 0]])
    same, first = _best(a, b)
    left, right = a.log_softmax(-1), b.log_softmax(-1)
    kl = (right.exp() * (right - left)).sum(-1).mean().item()
    return {"same": same, "first": first, "kl": kl}


def wrong_probabilities_clamped(a, b):
    """probabilities are held above 1e-9 so that the logarithm does not fail

    Feedback: a logarithm is taken of a probability that was rounded to 0
    """
    # wrong for: f([[200, 0]], [[0, 200]]): kl gives about 20.7, right 200
    same, first = _best(a, b)
    left, right = (x.softmax(-1).clamp(min=1e-9) for x in (a, b))
    kl = (left * (left / right).log()).sum(-1).mean().item()
    return {"same": same, "first": first, "kl": kl}


def wrong_logarithm_of_softmax(a, b):
    """the logarithm of a finished softmax: what has become 0 gives inf or nan

    Feedback: NaN stands in what it returned
    """
    # wrong for: f([[300, 0]], [[0, 300]]): kl gives nan, right 300
    same, first = _best(a, b)
    left, right = a.softmax(-1), b.softmax(-1)
    kl = (left * (left.log() - right.log())).sum(-1).mean().item()
    return {"same": same, "first": first, "kl": kl}


def wrong_mean_over_tokens_too(a, b):
    """the mean is taken over places and tokens, so it is V times too small

    Feedback: kl is averaged over the vocabulary as well
    """
    # wrong for: f([[2, 0, 0]], [[0, 0, 0]]): kl is a third of the right one
    same, first = _best(a, b)
    left, right = a.log_softmax(-1), b.log_softmax(-1)
    kl = (left.exp() * (left - right)).mean().item()
    return {"same": same, "first": first, "kl": kl}


def wrong_same_up_to_first(a, b):
    """counts as same only the places before the first difference

    Feedback: the share of places with the same best token is another one
    """
    # wrong for: best tokens 0 0 0 and 0 1 0: same gives 1/3, right 2/3
    _, first = _best(a, b)
    left, right = a.log_softmax(-1), b.log_softmax(-1)
    kl = (left.exp() * (left - right)).sum(-1).mean().item()
    return {"same": 1.0 if first is None else first / len(a), "first": first, "kl": kl}


def right_library(a, b):
    """torch's kl_div with the law of a as the target, batchmean, float64"""
    left, right = a.double().log_softmax(-1), b.double().log_softmax(-1)
    equal = a.argmax(dim=-1).eq(b.argmax(dim=-1))
    places = (~equal).nonzero().flatten()
    kl = torch.nn.functional.kl_div(right, left, reduction="batchmean", log_target=True)
    return {
        "same": equal.double().mean().item(),
        "first": int(places[0]) if len(places) else None,
        "kl": float(kl),
    }


def right_place_by_place(a, b):
    """one place at a time, the divergence as expected difference of logits plus a constant"""
    equal, total, first = 0, 0.0, None
    for t, (x, y) in enumerate(zip(a.double(), b.double(), strict=True)):
        x, y = x - x.max(), y - y.max()
        law = torch.softmax(x, dim=0)
        total += (law @ (x - y) - torch.logsumexp(x, 0) + torch.logsumexp(y, 0)).item()
        if x.argmax().item() == y.argmax().item():
            equal += 1
        elif first is None:
            first = t
    return {"same": equal / len(a), "first": first, "kl": total / len(a)}


# STATEMENT: ties for the best token; logits of -inf (a forbidden token: 0 times inf); T = 0; numbers or tensors in the dict.
