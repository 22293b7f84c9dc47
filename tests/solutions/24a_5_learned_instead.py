def learned_instead(probabilities, lengths):
    """Return the probability of each sentence in the language that is learned."""
    pairs = zip(probabilities, lengths, strict=True)
    # one vote a sentence, shared among its targets
    weights = [p / (n - 1) if n > 1 else 0.0 for p, n in pairs]
    return [w / sum(weights) for w in weights]
