def _pick(law, spot):
    end, last = 0.0, 0
    for index, p in enumerate(law):
        if p == 0:
            continue
        last = index
        end += p
        if spot < end:
            return index
    return last


def wrong_two_in_the_prefix_ends(laws, prefix, spots):
    """it draws until a 2 is anywhere in the list, so a 2 inside the prefix ends it at once

    Feedback: a 2 within the prefix ends the sentence: go on until 2 is drawn
    """
    # wrong for: finish([[[1, 2, 3], [0, 0, 1.0]]], [1, 2, 3], [0.5]) gives [1, 2, 3], right [1, 2,
    # 3, 2]
    known = {tuple(ids): law for ids, law in laws}
    words, left = list(prefix), list(spots)
    while 2 not in words:
        words.append(_pick(known[tuple(words)], left.pop(0)))
    return words


def wrong_keys_run_together(laws, prefix, spots):
    """the laws are looked up by the ids joined as text, so [1, 11] and [11, 1] are the same

    Feedback: two prefixes are taken for one, though their ids differ: [1, 12] is not [11, 2]
    """
    # wrong for: laws of [1, 11] and of [11, 1] that differ: finish(.., [1, 11], ..) uses the later
    # one
    known = {"".join(map(str, ids)): law for ids, law in laws}
    words = list(prefix)
    for spot in spots:
        words.append(_pick(known["".join(map(str, words))], spot))
        if words[-1] == 2:
            break
    return words


def right_recursive(laws, prefix, spots):
    """a function inside calls itself with one word more and the spots left"""

    def go(words, left):
        law = next(law for ids, law in laws if list(ids) == words)
        word = _pick(law, left[0])
        return [*words, word] if word == 2 else go([*words, word], left[1:])

    return go(list(prefix), list(spots))


# STATEMENT: may sentences be longer than Python's recursion goes (1,000 words)?
