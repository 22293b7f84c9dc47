"""Wrong answers to 02.5. A docstring holds the words that only this fault's feedback contains."""

EQUAL = {
    "7  ->  6": "the two sizes get the numbers 1 and 2 instead of 0 and 1",
    "0  ->  -1": "of a list of one shape the last is the first",
    "1  ->  0  (7)": "after the first shape the number is 0; after the second and third 2 and 5",
    "2  ->  3  (2)": "after the second shape the number is 3; after the first and third 1 and 5",
}

_VALUE = {9: 0, 10: 1, 11: 2, 12: 4}


def _right(prefix):
    step = len(prefix)
    if step == 7:
        return 2 + prefix[3] - 9
    if step == 9:
        return _VALUE[prefix[3]] + _VALUE[prefix[7]]
    if step == 11:
        return 1 + prefix[prefix.index(prefix[9]) - 1] - 7
    return {8: 2, 10: 3, 12: 6}.get(step, 1)


def sums_of_ids(prefix):
    """two different pairs of shapes"""
    if len(prefix) == 9:
        return (prefix[3] + prefix[7]) % 6
    return _right(prefix)


def ordered_pairs(prefix):
    """what makes no difference"""
    if len(prefix) == 9:
        return 10 * prefix[3] + prefix[7]
    return _right(prefix)


def size_of_the_second_shape(prefix):
    """the size that stood with the asked shape is lost"""
    return prefix[6] - 6 if len(prefix) == 11 else _right(prefix)


def numbers_never_used_again(prefix):
    """use the same numbers again"""
    return 100 * prefix[-1] + _right(prefix)


def forgets_the_first_shape(prefix):
    """which shapes, if any, can still follow"""
    return 2 if len(prefix) == 7 else _right(prefix)


def shape_already_seen(prefix):
    """the first, the second or the asked one"""
    if prefix[-1] >= 9:
        return 1 + (prefix.count(prefix[-1]) > 1)
    return _right(prefix)


def needs_a_shape(prefix):
    """no answer for a short beginning"""
    first = prefix[3]
    return 2 + first - 9 if len(prefix) == 7 else _right(prefix)
