"""Wrong answers to 08.6. A docstring holds the words that only this fault's feedback contains."""


def _mass(sentences, weights, allowed, prefix):
    mass = {}
    for sentence, weight in zip(sentences, weights, strict=True):
        begins = sentence[: len(prefix)] == prefix and len(sentence) > len(prefix)
        if begins and sentence in allowed and weight > 0:
            token = sentence[len(prefix)]
            mass[token] = mass.get(token, 0.0) + weight
    return mass


def _rescaled(mass):
    return {token: weight / sum(mass.values()) for token, weight in mass.items()}


def one_step_ahead(sentences, probabilities, allowed, prefix):
    """it looks one step ahead only"""
    may_come = _mass(sentences, probabilities, allowed, prefix)
    own = _mass(sentences, probabilities, sentences, prefix)
    return _rescaled({token: own[token] for token in may_come})


def counts(sentences, probabilities, allowed, prefix):
    """counted, not weighed"""
    ones = [float(p > 0) for p in probabilities]
    return _rescaled(_mass(sentences, ones, allowed, prefix))


def not_rescaled(sentences, probabilities, allowed, prefix):
    """the law is not rescaled"""
    return _mass(sentences, probabilities, allowed, prefix)


def divides_by_all_allowed(sentences, probabilities, allowed, prefix):
    """also those that begin in another way"""
    mass = _mass(sentences, probabilities, allowed, prefix)
    pairs = zip(sentences, probabilities, strict=True)
    total = sum(p for sentence, p in pairs if sentence in allowed)
    return {token: weight / total for token, weight in mass.items()}


def whatever_is_allowed(sentences, probabilities, allowed, prefix):
    """it gives the language's own law"""
    if not _mass(sentences, probabilities, allowed, prefix):
        return {}
    return _rescaled(_mass(sentences, probabilities, sentences, prefix))


def divides_by_zero(sentences, probabilities, allowed, prefix):
    """it fails where no allowed sentence goes on"""
    mass = _mass(sentences, probabilities, allowed, prefix)
    total = sum(mass.values())
    return {token: mass.get(token, 0) / total for token in mass} if total else 1 / total


def keeps_zeros(sentences, probabilities, allowed, prefix):
    """an id without probability"""
    law = _rescaled(_mass(sentences, probabilities, allowed, prefix))
    return {token: law.get(token, 0.0) for token in range(3, 6)} | law if law else {}


EQUAL = {
    "mass.get(longer[-1], 0) + probability  ->  mass.get(longer[-1], 0) - probability": "all "
    "masses turn negative, and so does their sum: the ratios stay",
    "True  ->  False": "there is one probability for each sentence, so zip has nothing to refuse",
}
