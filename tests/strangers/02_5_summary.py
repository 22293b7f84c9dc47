def _number(prefix, asked_pair, answer, kind_of_shape, kind_of_size):
    """The common frame: what to say after <the>, <is>, a shape and a size; 0 elsewhere."""
    last = prefix[-1]
    if last == 5:
        return asked_pair(prefix[3], prefix[7])
    if last == 6:
        return answer(prefix)
    if last in (7, 8):
        return kind_of_size(prefix)
    return kind_of_shape(prefix) if last >= 9 else 0


def _pair(a, b):
    return [(9, 10), (9, 11), (9, 12), (10, 11), (10, 12), (11, 12)].index((min(a, b), max(a, b)))


def _answer(prefix):
    return prefix[prefix.index(prefix[9]) - 1] - 7


def _shape(prefix):
    return {4: 0, 8: 1, 10: 2}[len(prefix)]


def _size(prefix):
    return 4 if len(prefix) == 3 else prefix[3] - 9 if len(prefix) == 7 else 5


def wrong_pair_in_order(prefix):
    """After <the> the two shapes are told in their order: twelve numbers, and fourteen in all.

    Feedback: it remembers what makes no difference
    """
    # wrong for: len({f(list(p)) for p in recall(2).prefixes}) gives 14, right at most 6
    return _number(prefix, lambda a, b: (a - 9) * 4 + b - 9, _answer, _shape, _size)


def wrong_pair_as_a_sum(prefix):
    """After <the> the pair is told by its sum, and 9 + 12 is 10 + 11.

    Feedback: after `the` two different pairs of shapes have the same number
    """
    # wrong for: f([1,3,7,9,4,3,7,12,5]) == f([1,3,7,10,4,3,7,11,5]) gives True, right False
    return _number(prefix, lambda a, b: a + b - 19, _answer, _shape, _size)


def wrong_seventh_number_for_the_rest(prefix):
    """Wherever nothing must be remembered it says -1, a seventh number.

    Feedback: it uses more than six numbers, though never more than six after one word
    """
    # wrong for: len({f(list(p)) for p in recall(2).prefixes}) gives 7, right at most 6
    quiet = prefix[-1] in (1, 3, 4)
    return -1 if quiet else _number(prefix, _pair, _answer, _shape, _size)


def wrong_which_and_not_how_large(prefix):
    """After <is> it tells whether the first or the second thing is asked for, not its size.

    Feedback: after `is` the size that stood with the asked shape is lost
    """
    # wrong for: f([1,3,7,9,4,3,8,10,5,9,6]) == f([1,3,8,9,4,3,7,10,5,9,6]) gives True, right False
    return _number(prefix, _pair, lambda p: int(p[9] == p[3]), _shape, _size)


def wrong_second_shape_or_later(prefix):
    """A shape after <and> counts as one case, though the second shape and the asked one differ.

    Feedback: after a shape it does not tell whether
    """
    # wrong for: f([1,3,7,9,4,3,8,10]) == f([1,3,7,9,4,3,8,10,5,10]) gives True, right False
    return _number(prefix, _pair, _answer, lambda p: int(4 in p), _size)


def wrong_answer_still_a_size(prefix):
    """The size at the end is treated like the second size, though only <eos> can follow it.

    Feedback: after a size it does not tell which shapes
    """
    # wrong for: f([1,3,7,9,4,3,8]) == f([1,3,7,9,4,3,8,10,5,10,6,8]) gives True, right False
    return _number(prefix, _pair, _answer, _shape, lambda p: p[3] - 9 if len(p) > 3 else 4)


def right_exclusive_or(prefix):
    """The exclusive or of the two shapes is 1, 2, 3, 5, 6 or 7, another one for each pair."""
    places = {
        3: 5,
        4: 1,
        7: {9: 1, 10: 2, 11: 3, 12: 6}.get(prefix[3]) if len(prefix) > 3 else 0,
        8: 2,
        9: prefix[3] ^ prefix[7] if len(prefix) > 7 else 0,
        10: 3,
        11: prefix[2 if prefix[9:10] == prefix[3:4] else 6] - 6 if len(prefix) > 9 else 0,
        12: 7,
    }
    return places.get(len(prefix), 1)


def _laws(kept={}):
    if kept:
        return kept
    sizes, shapes = (7, 8), (9, 10, 11, 12)
    sentences = [
        (1, 3, a, x, 4, 3, b, y, 5, asked, 6, a if asked == x else b, 2)
        for a in sizes
        for b in sizes
        for x in shapes
        for y in shapes
        if x != y
        for asked in (x, y)
    ]
    follow = {}
    for sentence in sentences:
        for t in range(1, len(sentence)):
            follow.setdefault(sentence[:t], []).append(sentence[t])
    laws = {}
    for begin, tokens in follow.items():
        law = tuple(sorted((token, tokens.count(token) / len(tokens)) for token in set(tokens)))
        laws.setdefault(begin[-1], {}).setdefault(law, []).append(begin)
    for cases in laws.values():
        for number, law in enumerate(sorted(cases)):
            kept.update(dict.fromkeys(cases[law], number))
    return kept


def right_numbered_laws(prefix):
    """Write down the whole language, collect the laws after each last word and number them."""
    return _laws()[tuple(prefix)]


# STATEMENT: the statement calls the answer "a whole number"; True and False (as in its own
# int(...)) and numpy numbers are open. Prefixes come as lists (recall(2).prefixes holds tuples):
# what a tuple gets is open. "Six different numbers in all" counts over all last words together,
# which is easy to misread as six for each last word; the numbers may be any whole numbers, also
# negative or huge ones.
