def frequency_penalty(logits, counts, each, once):
    """Return logits in which words that stood in the text are lower, same shape: [..., V].

    logits: [..., V], -inf may stand in it. counts: [..., V], whole numbers, how often each word has
    stood. each: what every time costs. once: what having stood at all costs.
    """
    return logits - each * counts - once * (counts > 0)
