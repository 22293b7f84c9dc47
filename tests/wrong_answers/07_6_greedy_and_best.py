"""Wrong answers to 07.6. A docstring holds the words that only this fault's feedback contains."""

import math


def _sentences(laws, text=(1,), p=1.0):
    after = {tuple(prefix): law for prefix, law in laws}
    found = []
    for token, q in enumerate(after[text]):
        longer = (*text, token)
        if token == 2:
            found.append((list(longer), p * q))
        elif longer in after:
            found += _sentences(laws, longer, p * q)
    return found


def _greedy(laws, last=False):
    after = {tuple(prefix): law for prefix, law in laws}
    text, p = (1,), 1.0
    while text in after:
        law = after[text]
        tokens = [token for token in range(len(law)) if token == 2 or (*text, token) in after]
        token = max(tokens[::-1] if last else tokens, key=lambda token: law[token])
        text, p = (*text, token), p * law[token]
    return list(text), p


def _best(laws, key=None):
    return max(_sentences(laws), key=key or (lambda pair: pair[1]))


def _answer(greedy, best):
    return [*greedy, *best]


def both_are_greedy(laws):
    """is only the greedy one"""
    return _answer(_greedy(laws), _greedy(laws))


def both_are_the_best(laws):
    """greedy looks one step ahead only"""
    return _answer(_best(laws), _best(laws))


def best_on_average(laws):
    """chosen by its average over the steps"""
    best = _best(laws, lambda pair: pair[1] ** (1 / (len(pair[0]) - 1)))
    return _answer(_greedy(laws), best)


def logarithms(laws):
    """it gives the logarithm"""
    (greedy, p), (best, q) = _greedy(laws), _best(laws)
    return [greedy, math.log(p), best, math.log(q)]


def last_step_missing(laws):
    """the last step, the one to 2, is missing"""
    after = {tuple(prefix): law for prefix, law in laws}
    (greedy, p), (best, q) = _greedy(laws), _best(laws)
    return [greedy, p / after[tuple(greedy[:-1])][2], best, q / after[tuple(best[:-1])][2]]


def highest_id_of_equal_ones(laws):
    """greedy does not take the lowest id"""
    return _answer(_greedy(laws, last=True), _best(laws))


def among_the_shortest(laws):
    """there is a sentence likelier than the one"""
    sentences = [pair for pair in _sentences(laws) if pair[1] > 0]
    least = min(len(text) for text, _ in sentences)
    shortest = [pair for pair in sentences if len(pair[0]) == least]
    return _answer(_greedy(laws), max(shortest, key=lambda pair: pair[1]))


def falls_out_of_the_table(laws):
    """a token that leads out of the table stops it"""
    after = {tuple(prefix): law for prefix, law in laws}
    text = (1,)
    while text[-1] != 2:
        text = (*text, after[text].index(max(after[text])))
    return _answer(_greedy(laws), _best(laws))


def rescales_beside_gaps(laws):
    """a step beside a gap is rescaled"""
    after = {tuple(prefix): law for prefix, law in laws}
    outside = [t for t, p in enumerate(after[(1,)]) if p and t != 2 and (1, t) not in after]
    known = 1 - sum(after[(1,)][token] for token in outside) if len(outside) == 1 else 1
    (greedy, p), (best, q) = _greedy(laws), _best(laws)
    return [greedy, p / known, best, q / known]


EQUAL = {}


def a_beam_of_five(laws):
    """is given up: look at all"""
    after = {tuple(prefix): law for prefix, law in laws}
    running, finished = [((1,), 1.0)], []
    while running:
        longer = [
            ((*text, token), p * q) for text, p in running for token, q in enumerate(after[text])
        ]
        finished += [(list(text), p) for text, p in longer if text[-1] == 2]
        running = sorted((pair for pair in longer if pair[0] in after), key=lambda pair: -pair[1])
        running = running[:5]
    return _answer(_greedy(laws), max(finished, key=lambda pair: pair[1]))
