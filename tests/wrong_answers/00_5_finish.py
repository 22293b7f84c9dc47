"""Wrong answers to 00.5. A docstring holds the words that only this fault's feedback contains."""


def _pick(law, spot):
    end = 0
    for index, share in enumerate(law):
        end += share
        if spot < end:
            return index
    return max(index for index, share in enumerate(law) if share > 0)


def _finish(laws, prefix, spots, pick=_pick):
    table = {tuple(known): law for known, law in laws}
    sentence = list(prefix)
    for spot in spots:
        sentence.append(pick(table[tuple(sentence)], spot))
        if sentence[-1] == 2:
            break
    return sentence


def first_spot_only(laws, prefix, spots):
    """every word is drawn with the first spot"""
    return _finish(laws, prefix, spots[:1] * len(spots))


def spots_from_the_end(laws, prefix, spots):
    """the spots are used from the end"""
    return _finish(laws, prefix, spots[::-1])


def two_spots_a_word(laws, prefix, spots):
    """two spots are used for each word"""
    return _finish(laws, prefix, spots[::2] + [spots[-1]] * len(spots))


def likeliest_word(laws, prefix, spots):
    """the likeliest word is taken"""
    return _finish(laws, prefix, spots, lambda law, spot: law.index(max(law)))


def without_the_end(laws, prefix, spots):
    """the 2 at the end is left out"""
    return _finish(laws, prefix, spots)[:-1]


def only_the_new_words(laws, prefix, spots):
    """does not begin with the prefix"""
    return _finish(laws, prefix, spots)[len(prefix) :]


def one_word_only(laws, prefix, spots):
    """no 2 stands in it"""
    return _finish(laws, prefix, spots[:1])


def pick_with_or_equal(laws, prefix, spots):
    """from there to an exception"""

    def pick(law, spot):
        end = 0
        for index, share in enumerate(law):
            end += share
            if end >= spot:
                return index
        return len(law) - 1

    return _finish(laws, prefix, spots, pick)


def goes_on(laws, prefix, spots):
    """it goes on behind the 2"""
    sentence = _finish(laws, prefix, spots)
    left = len(spots) - (len(sentence) - len(prefix))
    return sentence + [2] * left


def always_takes_one_more(laws, prefix, spots):
    """it asks for more spots than it adds words"""
    spots = list(spots)
    table = {tuple(known): law for known, law in laws}
    sentence = list(prefix)
    spot = spots.pop(0)
    while sentence[-1] != 2:
        sentence.append(_pick(table[tuple(sentence)], spot))
        spot = spots.pop(0)
    return sentence
