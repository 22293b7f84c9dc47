"""Wrong answers to 21.3. A docstring holds the words that only this fault's feedback contains."""


def _norm(x, w, eps=1e-5):
    return x / (x.square().mean(-1, keepdim=True) + eps).sqrt() * w


def not_normed(states, norm_weight, head, token):
    """the states are not normed before the head"""
    return (states * norm_weight @ head.T).softmax(-1)[:, token]


def without_weight(states, norm_weight, head, token):
    """the learned weight of the norm is left out"""
    return (_norm(states, 1.0) @ head.T).softmax(-1)[:, token]


def layer_norm(states, norm_weight, head, token):
    """RMSNorm takes off nothing"""
    centred = states - states.mean(-1, keepdim=True)
    return (_norm(centred, norm_weight) @ head.T).softmax(-1)[:, token]


def normed_together(states, norm_weight, head, token):
    """each has its own size"""
    normed = states / (states.square().mean() + 1e-5).sqrt() * norm_weight
    return (normed @ head.T).softmax(-1)[:, token]


def summed_squares(states, norm_weight, head, token):
    """RMSNorm takes their mean"""
    normed = states / (states.square().sum(-1, keepdim=True) + 1e-5).sqrt() * norm_weight
    return (normed @ head.T).softmax(-1)[:, token]


def logits(states, norm_weight, head, token):
    """a softmax over the vocabulary is missing"""
    return (_norm(states, norm_weight) @ head.T)[:, token]


def softmax_over_blocks(states, norm_weight, head, token):
    """it belongs to the vocabulary"""
    return (_norm(states, norm_weight) @ head.T).softmax(0)[:, token]


def log_probabilities(states, norm_weight, head, token):
    """it gives logarithms of probabilities"""
    return (_norm(states, norm_weight) @ head.T).log_softmax(-1)[:, token]


def eps_outside(states, norm_weight, head, token):
    """eps stands outside the root"""
    normed = states / (states.square().mean(-1, keepdim=True).sqrt() + 1e-5) * norm_weight
    return (normed @ head.T).softmax(-1)[:, token]


def norm_left_out(states, norm_weight, head, token):
    """the final norm is left out"""
    return (states.double() @ head.double().T).softmax(-1)[:, token]


def weight_first(states, norm_weight, head, token):
    """the weight comes after the norm"""
    x = states.double() * norm_weight.double()
    x = x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt()
    return (x @ head.double().T).softmax(-1)[:, token]
