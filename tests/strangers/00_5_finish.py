from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate


def _pick(law, spot):
    end = 0.0
    for index, share in enumerate(law):
        end += share
        if spot < end:
            return index
    return max(index for index, share in enumerate(law) if share > 0)


def _draw(look_up, prefix, spots):
    result = list(prefix)
    for spot in spots:
        result.append(_pick(look_up(result), spot))
        if result[-1] == 2:
            return result


def wrong_prefix_as_joined_text(laws, prefix, spots):
    """The prefix is looked up as digits written without a gap, so 1 12 and 11 2 are the same.

    Feedback: two prefixes are taken for one, though their ids differ
    """
    # wrong for: f([[[1], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.5, 0.5]], [[1, 12], [0, 0, 0, 1.0]],
    # [[1, 12, 3], [0, 0, 1.0]], [[1, 1], [0, 0, 1.0]], [[11, 2], [0, 0, 1.0]]], [1], [0.9, 0.0,
    # 0.0]) gives [1, 12, 2], right [1, 12, 3, 2]
    table = {"".join(map(str, known)): law for known, law in laws}
    return _draw(lambda ids: table["".join(map(str, ids))], prefix, spots)


def wrong_order_of_the_prefix(laws, prefix, spots):
    """The prefix is looked up without regard to order.

    Feedback: the order of the ids in a prefix is not looked at
    """
    # wrong for: f([[[1, 3, 4], [0, 0, 1.0]], [[1, 4, 3], [0, 0, 0, 0, 0, 1.0]], [[1, 4, 3, 5], [0,
    # 0, 1.0]]], [1, 3, 4], [0.0, 0.0]) gives [1, 3, 4, 5, 2], right [1, 3, 4, 2]
    table = {tuple(sorted(known)): law for known, law in laws}
    return _draw(lambda ids: table[tuple(sorted(ids))], prefix, spots)


def wrong_a_two_inside_ends_it(laws, prefix, spots):
    """The loop asks whether a 2 is anywhere in the list, also inside the prefix.

    Feedback: a 2 within the prefix ends the sentence
    """
    # wrong for: f([[[1, 2, 3], [0, 0, 1.0]]], [1, 2, 3], [0.0]) gives [1, 2, 3], right [1, 2, 3, 2]
    table = {tuple(known): law for known, law in laws}
    result, left = list(prefix), iter(spots)
    while 2 not in result:
        result.append(_pick(table[tuple(result)], next(left)))
    return result


def wrong_twenty_words_at_most(laws, prefix, spots):
    """The loop gives up after twenty new words.

    Feedback: a sentence of many words is cut off
    """
    # wrong for: f([[[1] + [3] * n, [0, 0, 0.5, 0.5]] for n in range(40)], [1], [0.9] * 25 + [0.0])
    # gives [1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3], right [1, 3, 3, 3, 3,
    # 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2]
    table = {tuple(known): law for known, law in laws}
    result = list(prefix)
    for number in range(20):
        result.append(_pick(table[tuple(result)], spots[number]))
        if result[-1] == 2:
            break
    return result


def wrong_impossible_word_beyond(laws, prefix, spots):
    """A spot beyond a sum under 1 falls on the last id, though its probability is 0.

    Feedback: near 1 leads to a word that cannot come
    """
    # wrong for: f([[[1], [0, 0, 0.9999, 0.0]], [[1, 3], [0, 0, 1.0, 0.0]]], [1], [0.99995, 0.0])
    # gives [1, 3, 2],
    # right [1, 2]
    table = {tuple(known): law for known, law in laws}
    result = list(prefix)
    for spot in spots:
        cuts = list(accumulate(table[tuple(result)]))
        result.append(min(bisect_right(cuts, spot), len(cuts) - 1))
        if result[-1] == 2:
            return result


def wrong_prefix_grows(laws, prefix, spots):
    """The new words are put into the list that was given, so the next call begins with its end.

    Feedback: it changed what it was given
    """
    # wrong for: p = [1]; laws = [[[1], [0, 0, 1.0]], [[1, 2], [0, 0, 0, 1.0]], [[1, 2, 3], [0, 0,
    # 1.0]]]; f(laws, p, [0.0, 0.0]); f(laws, p, [0.0, 0.0]) gives [1, 2, 3, 2], right [1, 2]
    table = {tuple(known): law for known, law in laws}
    result = prefix
    for spot in spots:
        result.append(_pick(table[tuple(result)], spot))
        if result[-1] == 2:
            return result


def right_recursive(laws, prefix, spots):
    """Draw one word with exact fractions, then finish the longer prefix by calling itself."""

    def go_on(text, number):
        law = next(law for known, law in laws if list(known) == text)
        possible = [(index, Fraction(share)) for index, share in enumerate(law) if share > 0]
        starts = [sum((q for _, q in possible[:i]), Fraction(0)) for i in range(len(possible))]
        word = possible[bisect_right(starts, Fraction(spots[number])) - 1][0]
        longer = [*text, word]
        return longer if word == 2 else go_on(longer, number + 1)

    return go_on(list(prefix), 0)


def right_machine_with_a_state(laws, prefix, spots):
    """A small machine that holds the text and is fed one spot after the other."""

    class Writer:
        def __init__(self, text):
            self.text = tuple(text)

        def feed(self, spot):
            law = next(law for known, law in laws if tuple(known) == self.text)
            words = [word for word, share in enumerate(law) if share]
            begins = [0.0, *accumulate(law[word] for word in words)][:-1]
            self.text += (words[bisect_right(begins, spot) - 1],)
            return self.text[-1] != 2

    writer, feed = Writer(prefix), iter(spots)
    while writer.feed(next(feed)):
        pass
    return list(writer.text)


# STATEMENT: whether the prefix that was given may be changed is not said; an empty prefix and a
# prefix with a 2 inside (only "does not end with 2" is said) are allowed by the words. Ties on
# rounded cuts are open, as in 00.2. That every prefix met is in `laws` is meant but not said.
