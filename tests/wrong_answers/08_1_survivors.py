"""Wrong answers to 08.1. A docstring holds the words that only this fault's feedback contains."""


def _possible(law):
    return [token for token in range(len(law)) if law[token] > 0]


def _ranked(law):
    return sorted(_possible(law), key=lambda token: -law[token])


def _min_p(law, p):
    return [token for token in _possible(law) if law[token] >= p * max(law)]


def one_too_many(law, control, setting):
    """top-k keeps one word too many"""
    return sorted(_ranked(law)[: setting + 1]) if control == "top_k" else _min_p(law, setting)


def keeps_ties(law, control, setting):
    """not exactly k"""
    if control != "top_k":
        return _min_p(law, setting)
    ranked = _ranked(law)
    last = law[ranked[:setting][-1]]
    return [token for token in range(len(law)) if law[token] >= last]


def higher_ids_first(law, control, setting):
    """takes those with higher ids"""
    if control != "top_k":
        return _min_p(law, setting)
    return sorted(sorted(_possible(law), key=lambda token: (-law[token], -token))[:setting])


def no_ranking(law, control, setting):
    """rank the words by probability first"""
    return _possible(law)[:setting] if control == "top_k" else _min_p(law, setting)


def large_k_fails(law, control, setting):
    """it raised IndexError"""
    if control != "top_k":
        return _min_p(law, setting)
    ranked = _ranked(law)
    return sorted(ranked[place] for place in range(setting) if place < 6 or ranked[setting])


def compares_with_the_first(law, control, setting):
    """min-p compares with the first word"""
    if control == "top_k":
        return sorted(_ranked(law)[:setting])
    return [token for token in _possible(law) if law[token] >= setting * law[0]]


def compares_with_p_itself(law, control, setting):
    """min-p compares with p itself"""
    if control == "top_k":
        return sorted(_ranked(law)[:setting])
    return [token for token in _possible(law) if law[token] >= setting]


def strictly_above(law, control, setting):
    """exactly p times as likely"""
    if control == "top_k":
        return sorted(_ranked(law)[:setting])
    return [token for token in _possible(law) if law[token] > setting * max(law)]


def keeps_the_impossible(law, control, setting):
    """a word of probability 0 stays"""
    if control == "top_k":
        return sorted(sorted(range(len(law)), key=lambda token: -law[token])[:setting])
    return [token for token in range(len(law)) if law[token] >= setting * max(law)]


def in_order_of_rank(law, control, setting):
    """the ids do not go from low to high"""
    return _ranked(law)[:setting] if control == "top_k" else _min_p(law, setting)


EQUAL = {}
