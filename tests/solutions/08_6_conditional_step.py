def conditional_step(sentences, probabilities, allowed, prefix):
    """Return {id: probability} of the next token, so that sampling gives the conditional law.

    sentences: lists of ids from 1 to 2; probabilities: one for each, they sum to 1. allowed: the
    allowed sentences. prefix: a list of ids that begins with 1. Only ids with a probability above
    0 stand in the result; where no allowed sentence goes on, it is {}.

    For a real model nobody can do this: the sum goes over all allowed texts that begin so, and
    there are as many as V^T of them.
    """
    mass = {}  # next token -> probability of all allowed sentences that go on with it
    for sentence, probability in zip(sentences, probabilities, strict=True):
        longer = sentence[: len(prefix) + 1]
        if sentence in allowed and longer[:-1] == prefix and probability > 0:
            mass[longer[-1]] = mass.get(longer[-1], 0) + probability
    total = sum(mass.values())
    return {token: mass[token] / total for token in mass}
