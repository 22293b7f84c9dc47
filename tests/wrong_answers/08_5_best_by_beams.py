"""Wrong answers to 08.5. A docstring holds the words that only this fault's feedback contains."""

import math


def _search(laws, beams, slip=""):
    after = {tuple(prefix): law for prefix, law in laws}

    def likeliest(pairs):
        return sorted(pairs, key=lambda pair: -pair[1])[:beams]

    running, finished = [((1,), 1.0)], []
    while running:
        candidates = [
            ((*text, token), p * q)
            for text, p in running
            for token, q in enumerate(after[text])
            if q > 0
        ]
        best = likeliest(candidates)
        ends = candidates if slip == "all that end" else best
        finished += [pair for pair in ends if pair[0][-1] == 2]
        running = likeliest([pair for pair in candidates if pair[0][-1] != 2])
        if slip == "places":
            running = [pair for pair in best if pair[0][-1] != 2]
        if slip == "for each":
            running = [pair for pair in candidates if pair[0][-1] != 2]
        if slip == "first" and finished:
            break
        if slip == "enough" and len(finished) >= beams:
            break
    if slip == "average":
        finished.sort(key=lambda pair: -(pair[1] ** (1 / (len(pair[0]) - 1))))
        return finished[:beams]
    return finished if slip == "all" else likeliest(finished)


def finished_take_places(laws, beams):
    """finished texts take the places"""
    return _search(laws, beams, "places")


def sets_all_ends_aside(laws, beams):
    """although it is not among"""
    if beams == 1:
        return _search(laws, 1)
    return _search(laws, beams, "all that end")


def stops_at_the_first_end(laws, beams):
    """it stops as soon as the first text has ended"""
    return _search(laws, beams, "first")


def stops_with_enough_texts(laws, beams):
    """one that goes on may still win"""
    return _search(laws, beams, "enough")


def ranks_by_average(laws, beams):
    """the average over their steps"""
    pairs = _search(laws, beams, "average")
    best = sorted(pairs, key=lambda pair: -pair[1])
    return pairs if len(pairs) == 2 and len({len(text) for text, _ in pairs}) > 1 else best


def gives_logarithms(laws, beams):
    """it gives the logarithm"""
    return [(text, math.log(p)) for text, p in _search(laws, beams)]


def gives_all(laws, beams):
    """it gives more texts than there are beams"""
    found = _search(laws, beams, "all")
    return sorted(found, key=lambda pair: -pair[1])


def unordered(laws, beams):
    """do not stand in order"""
    return _search(laws, beams)[::-1]


def without_beams(laws, beams):
    """more texts than there are beams go on"""
    return _search(laws, 100)[:beams]


EQUAL = {}
