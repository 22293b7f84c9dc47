from fractions import Fraction


def law_after(sentences, weights, prefix):
    """Weight of prefix and token over weight of the prefix, in exact fractions."""
    law = {}
    for token in sorted({token for sentence in sentences for token in sentence}):
        longer = [*prefix, token]
        above = below = Fraction(0)
        for sentence, weight in zip(sentences, weights, strict=True):
            if len(sentence) > len(prefix) and sentence[: len(prefix)] == prefix:
                below += Fraction(weight)
                if sentence[: len(longer)] == longer:
                    above += Fraction(weight)
        if above:
            law[token] = float(above / below)
    return law
