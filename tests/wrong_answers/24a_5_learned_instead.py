"""Wrong answers to 24a.5. A docstring holds the words that only this fault's feedback contains."""


def _scaled(weights):
    return [w / sum(weights) for w in weights]


def unscaled(probabilities, lengths):
    """the numbers do not sum to 1"""
    pairs = zip(probabilities, lengths, strict=True)
    weights = [p / (n - 1) if n > 1 else 0.0 for p, n in pairs]
    return weights if len(set(lengths)) > 1 else list(probabilities)


def all_tokens(probabilities, lengths):
    """the first token is counted as a target"""
    pairs = zip(probabilities, lengths, strict=True)
    return _scaled([p / n if n > 1 else 0.0 for p, n in pairs])


def turned_round(probabilities, lengths):
    """short sentences gain, long ones lose"""
    return _scaled([p * (n - 1) for p, n in zip(probabilities, lengths, strict=True)])


def unchanged(probabilities, lengths):
    """as if each target had one vote"""
    return list(probabilities)


def lengths_alone(probabilities, lengths):
    """how likely a sentence is plays no part"""
    return _scaled([1 / (n - 1) if n > 1 else 0.0 for n in lengths])


def empty_learned(probabilities, lengths):
    """a sentence without targets is learned"""
    pairs = zip(probabilities, lengths, strict=True)
    return _scaled([p / (n - 1) if n > 1 else p for p, n in pairs])


def divides_by_zero(probabilities, lengths):
    """it divides by the 0 targets"""
    return _scaled([p / (n - 1) for p, n in zip(probabilities, lengths, strict=True)])


def by_the_number(probabilities, lengths):
    """it divides by the number of sentences"""
    pairs = zip(probabilities, lengths, strict=True)
    return [(p / (n - 1) if n > 1 else 0.0) / len(lengths) for p, n in pairs]


def twice(probabilities, lengths):
    """divided twice"""
    pairs = zip(probabilities, lengths, strict=True)
    return _scaled([p / (n - 1) ** 2 if n > 1 else 0.0 for p, n in pairs])


def squared(probabilities, lengths):
    """it is not the law that is learned"""
    pairs = zip(probabilities, lengths, strict=True)
    return _scaled([p**2 / (n - 1) if n > 1 else 0.0 for p, n in pairs])


EQUAL = {"True  ->  False": "both lists are equally long"}
