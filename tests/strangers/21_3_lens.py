import torch


def wrong_no_eps(states, norm_weight, head, token):
    """eps is forgotten: a state of zeros gives nan, a tiny one is blown up

    Feedback: the probabilities are not those of the lens
    """
    # wrong for: a row of zeros: nan, right 1 / V; or states of size 1e-3
    size = states.square().mean(-1, keepdim=True).sqrt()
    return ((states / size * norm_weight) @ head.T).softmax(-1)[:, token]


def wrong_eps_outside(states, norm_weight, head, token):
    """eps is added to the root, not under it

    Feedback: eps stands outside the root
    """
    # wrong for: states of size 1e-3: divided by 0.00101, right by 0.0033
    size = states.square().mean(-1, keepdim=True).sqrt() + 1e-5
    return ((states / size * norm_weight) @ head.T).softmax(-1)[:, token]


def wrong_mean_taken_off(states, norm_weight, head, token):
    """a LayerNorm: the mean is taken off first

    Feedback: a mean is taken off: RMSNorm takes off nothing
    """
    # wrong for: states whose mean is not 0, e.g. [[1., 2., 3.]]
    centred = states - states.mean(-1, keepdim=True)
    normed = centred * (centred.square().mean(-1, keepdim=True) + 1e-5).rsqrt()
    return ((normed * norm_weight) @ head.T).softmax(-1)[:, token]


def wrong_exp_without_maximum(states, norm_weight, head, token):
    """bare exponentials of the logits: over 88 they overflow

    Feedback: NaN stands in what it returned
    """
    # wrong for: logits of some hundreds (head or norm weight of 100): nan, right finite
    normed = states * (states.square().mean(-1, keepdim=True) + 1e-5).rsqrt()
    powers = ((normed * norm_weight) @ head.T).exp()
    return powers[:, token] / powers.sum(-1)


def wrong_one_size_for_all_blocks(states, norm_weight, head, token):
    """one size for the states of all blocks together, not one for each

    Feedback: all states are normed together: each has its own size
    """
    # wrong for: two rows of different size, e.g. [[1., 2.], [10., 20.]]
    normed = states * (states.square().mean() + 1e-5).rsqrt()
    return ((normed * norm_weight) @ head.T).softmax(-1)[:, token]


def wrong_weight_before_the_norm(states, norm_weight, head, token):
    """the norm's weight is multiplied before the size is taken

    Feedback: the weight comes after the norm: the size is that of the state alone
    """
    # wrong for: norm weights that are not all 1, e.g. [0.5, 2.]
    scaled = states * norm_weight
    normed = scaled * (scaled.square().mean(-1, keepdim=True) + 1e-5).rsqrt()
    return (normed @ head.T).softmax(-1)[:, token]


def right_library_norm(states, norm_weight, head, token):
    """torch's own rms_norm and log_softmax, with keywords"""
    C = states.shape[-1]
    normed = torch.nn.functional.rms_norm(states, (C,), weight=norm_weight, eps=1e-5)
    logits = torch.nn.functional.linear(normed, weight=head)
    return torch.log_softmax(logits, dim=-1).select(-1, token).exp()


def right_differences(states, norm_weight, head, token):
    """one over the sum of exponentials of differences of logits, block by block, float64"""
    out = []
    for state in states.double():
        normed = state / (state @ state / state.numel() + 1e-5) ** 0.5
        logits = head.double() @ (normed * norm_weight.double())
        out.append(torch.exp(logits[token] - torch.logsumexp(logits, dim=0)))
    return torch.stack(out).to(states.dtype)


# STATEMENT: sizes of the logits are not said ("some hundreds" only in 21.4). Is token a whole number only?
