import torch
import torch.nn.functional as F


def _swiglu(x, expert):
    return (F.silu(x @ expert["gate"].T) * (x @ expert["widen"].T)) @ expert["narrow"].T


def right_all_asked_times_zero(x, router, experts, k):
    """Every expert answers every token, and the unused are multiplied by 0."""
    best = (x @ router.T).topk(k, dim=-1)
    shares = torch.zeros(len(x), len(experts), dtype=x.dtype)
    shares = shares.scatter(1, best.indices, best.values.softmax(-1))
    answers = torch.stack([_swiglu(x, expert) for expert in experts], dim=1)
    return (shares[..., None] * answers).sum(1)


def wrong_softmax_before_choosing(x, router, experts, k):
    """softmax over all experts, the best k kept as they are

    Feedback: the softmax is over all experts: the shares of the best do not sum to 1
    """
    # wrong for: k < E, e.g. k = 1: the best expert's answer times its probability, right the answer itself
    law = (x @ router.T).softmax(-1)
    best = law.topk(k, dim=-1)
    out = torch.zeros_like(x)
    for e, expert in enumerate(experts):
        rows, slots = (best.indices == e).nonzero(as_tuple=True)
        out[rows] += best.values[rows, slots, None] * _swiglu(x[rows], expert)
    return out


def wrong_capacity(x, router, experts, k):
    """an expert takes only its fair share of the tokens, later tokens are turned away

    Feedback: it is not the mixture of the k best
    """
    # wrong for: five equal tokens, E = 2, k = 1: only the first three get an answer, right all five
    best = (x @ router.T).topk(k, dim=-1)
    shares = best.values.softmax(-1)
    capacity = -(-len(x) * k // len(experts))
    out = torch.zeros_like(x)
    for e, expert in enumerate(experts):
        rows, slots = (best.indices == e).nonzero(as_tuple=True)
        rows, slots = rows[:capacity], slots[:capacity]
        out[rows] += shares[rows, slots, None] * _swiglu(x[rows], expert)
    return out


def wrong_exp_without_maximum(x, router, experts, k):
    """the shares come from bare exponentials, which overflow for large scores

    Feedback: exponentials of large scores overflow: take off the maximum first
    """
    # wrong for: scores over 89, e.g. x * 100: gives nan, right finite
    best = (x @ router.T).topk(k, dim=-1)
    powers = best.values.exp()
    shares = powers / powers.sum(-1, keepdim=True)
    out = torch.zeros_like(x)
    for e, expert in enumerate(experts):
        rows, slots = (best.indices == e).nonzero(as_tuple=True)
        out[rows] += shares[rows, slots, None] * _swiglu(x[rows], expert)
    return out


def wrong_small_shares_dropped(x, router, experts, k):
    """experts with a share under 5 % are not asked at all

    Feedback: it is not the mixture of the k best
    """
    # wrong for: k = 2 with scores 0 and 4: the second expert's 1.8 % are missing
    best = (x @ router.T).topk(k, dim=-1)
    shares = best.values.softmax(-1)
    out = torch.zeros_like(x)
    for e, expert in enumerate(experts):
        rows, slots = ((best.indices == e) & (shares > 0.05)).nonzero(as_tuple=True)
        out[rows] += shares[rows, slots, None] * _swiglu(x[rows], expert)
    return out


def wrong_gate_and_widen_swapped(x, router, experts, k):
    """the bend is put on the widened state, not on the gate

    Feedback: gate and widen have changed places: the gate is what is bent
    """
    # wrong for: gate and widen that differ, any x
    best = (x @ router.T).topk(k, dim=-1)
    shares = best.values.softmax(-1)
    out = torch.zeros_like(x)
    for e, expert in enumerate(experts):
        rows, slots = (best.indices == e).nonzero(as_tuple=True)
        inner = (x[rows] @ expert["gate"].T) * F.silu(x[rows] @ expert["widen"].T)
        out[rows] += shares[rows, slots, None] * (inner @ expert["narrow"].T)
    return out


def wrong_one_choice_for_all_tokens(x, router, experts, k):
    """the k experts are chosen once for all tokens, by the sum of their scores; only the shares
    are each token's own

    Feedback: a token's result changes with another token
    """
    # wrong for: two tokens with different best experts, k = 1: both get one expert, right each its own (N = 1 and k = E are right)
    scores = x @ router.T
    chosen = scores.sum(0).topk(k).indices
    shares = scores[:, chosen].softmax(-1)
    out = torch.zeros_like(x)
    for slot, e in enumerate(chosen.tolist()):
        out += shares[:, slot, None] * _swiglu(x, experts[e])
    return out


def right_token_by_token(x, router, experts, k):
    """one token at a time, in float64, with a sigmoid written out"""
    out = []
    for state in x.double():
        scores = router.double() @ state
        best = scores.argsort(descending=True)[:k]
        answer = torch.zeros_like(state)
        for e, share in zip(best.tolist(), scores[best].softmax(0), strict=True):
            gate = experts[e]["gate"].double() @ state
            inner = gate * gate.sigmoid() * (experts[e]["widen"].double() @ state)
            answer = answer + share * (experts[e]["narrow"].double() @ inner)
        out.append(answer)
    return torch.stack(out).to(x.dtype) if out else torch.zeros_like(x)


def right_sorted_dispatch(x, router, experts, k):
    """sorts all pairs of token and expert by expert, as fast programs do"""
    best = F.linear(x, router).topk(k, dim=-1)
    chosen = best.indices.flatten()
    order = chosen.argsort(stable=True)
    tokens = order // k
    counts = torch.bincount(chosen, minlength=len(experts)).tolist()
    answers = [
        F.linear(F.silu(F.linear(part, own["gate"])) * F.linear(part, own["widen"]), own["narrow"])
        for part, own in zip(x[tokens].split(counts), experts, strict=True)
    ]
    shares = best.values.softmax(-1).flatten()[order, None]
    return torch.zeros_like(x).index_add(0, tokens, shares * torch.cat(answers))


# STATEMENT: how the answers are weighted is not said here (only 20.2 and the lesson: softmax over the k best). "no say" with nan weights in an
# unused expert is allowed but not named. Do all experts have the same hidden? ("[hidden, C]" suggests yes.) Ties in the scores; N = 0.
