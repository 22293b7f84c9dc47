"""Wrong answers to 01.3. A docstring holds the words that only this fault's feedback contains."""

EQUAL = {"True  ->  False": "strict= only guards against lists of different lengths"}


def _masses(sentences, weights, prefix):
    n, mass = len(prefix), {}
    for sentence, weight in zip(sentences, weights, strict=True):
        if sentence[:n] == prefix and len(sentence) > n:
            mass[sentence[n]] = mass.get(sentence[n], 0) + weight
    return mass


def _shares(mass):
    return {token: value / sum(mass.values()) for token, value in mass.items()}


def counts_sentences(sentences, weights, prefix):
    """it counts the sentences"""
    return _shares(_masses(sentences, [1] * len(sentences), prefix))


def divides_by_all_weight(sentences, weights, prefix):
    """do not sum to 1"""
    mass = _masses(sentences, weights, prefix)
    return {token: value / sum(weights) for token, value in mass.items()}


def overwrites(sentences, weights, prefix):
    """the weight of one sentence"""
    n, mass = len(prefix), {}
    for sentence, weight in zip(sentences, weights, strict=True):
        if sentence[:n] == prefix and len(sentence) > n:
            mass[sentence[n]] = weight
    return _shares(mass)


def looks_behind_the_end(sentences, weights, prefix):
    """it has no answer where no sentence goes on"""
    n, mass = len(prefix), {}
    for sentence, weight in zip(sentences, weights, strict=True):
        if sentence[:n] == prefix:
            mass[sentence[n]] = mass.get(sentence[n], 0) + weight
    return _shares(mass)


def sees_only_the_last_token(sentences, weights, prefix):
    """never follows this beginning"""
    mass = {}
    for sentence, weight in zip(sentences, weights, strict=True):
        for t in range(len(sentence) - 1):
            if sentence[t] == prefix[-1]:
                mass[sentence[t + 1]] = mass.get(sentence[t + 1], 0) + weight
    return _shares(mass)


def forgets_the_end(sentences, weights, prefix):
    """misses a token that can follow"""
    mass = _masses(sentences, weights, prefix)
    mass.pop(2, None)
    return _shares(mass)


def evens_out(sentences, weights, prefix):
    """all tokens that can follow get the same"""
    return _shares(dict.fromkeys(_masses(sentences, weights, prefix), 1))


def prefix_as_joined_text(sentences, weights, prefix):
    """two beginnings are taken for one"""
    n, mass = len(prefix), {}
    start = "".join(map(str, prefix))
    for sentence, weight in zip(sentences, weights, strict=True):
        if "".join(map(str, sentence)).startswith(start) and len(sentence) > n:
            mass[sentence[n]] = mass.get(sentence[n], 0) + weight
    return _shares(mass)
