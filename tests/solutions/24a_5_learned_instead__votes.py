def learned_instead(probabilities, lengths):
    """A target's vote, beside that of the longest sentence."""
    longest = max(lengths) - 1
    pairs = zip(probabilities, lengths, strict=True)
    votes = [0 if n == 1 else p * longest / (n - 1) for p, n in pairs]
    scale = 1 / sum(votes)
    return [vote * scale for vote in votes]
