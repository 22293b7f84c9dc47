def _pick(law, spot):
    total = 0.0
    last = 0
    for word, share in enumerate(law):
        if share > 0:
            last = word
            total += share
            if spot < total:
                return word
    return last


def wrong_last_beginning_in_the_list(laws, prefix, spots):
    """Takes the law of the last entry in the list that is a beginning of the text, not of the
    entry that is the whole text: right only while longer prefixes stand later.

    Feedback: the law of a shorter beginning is used
    """
    # wrong for: f([[[1, 3], [0, 0, 1.0, 0]], [[1], [0, 0, 0, 1.0]]], [1], [0.5, 0.5]) asks [1]
    # again for ever (IndexError), right [1, 3, 2]
    words = list(prefix)
    step = 0
    while True:
        for known, law in laws:
            if words[: len(known)] == known:
                current = law
        words.append(_pick(current, spots[step]))
        step += 1
        if words[-1] == 2:
            return words


def wrong_rest_to_the_last_word(laws, prefix, spots):
    """A spot beyond a sum that rounding left under 1 goes to the last word of the list, even if
    its probability is 0.

    Feedback: a spot on 0, on a cut or near 1 leads to a word that cannot come, and from
    """
    # wrong for: f([[[1], [0.0, 0.0, 0.99999, 0.0]], [[1, 3], [0.0, 0.0, 1.0, 0.0]]], [1],
    # [0.999999, 0.5]) gives [1, 3, 2], right [1, 2]
    table = {tuple(known): law for known, law in laws}
    words = list(prefix)
    for spot in spots:
        law = table[tuple(words)]
        end = 0.0
        for word, share in enumerate(law):
            end += share
            if spot < end:
                break
        words.append(word)
        if word == 2:
            break
    return words


# STATEMENT: laws of prefixes that cannot come may stand in the list (they do in the example); their order
# is free.
