import re
from itertools import takewhile


def wrong_negative_from_the_end(ids, words):
    """Only ids that are too large are refused; a negative one counts from the end of the list.

    Feedback: a negative id is no token
    """
    # wrong for: f([3, -1], W) gives 'a circle', right ValueError
    found = []
    for token in ids:
        if token == 2:
            break
        if token >= len(words):
            raise ValueError(token)
        if token not in (0, 1):
            found.append(words[token])
    return " ".join(found)


def wrong_first_id_outside_is_let_in(ids, words):
    """The id that equals the size of the vocabulary passes the test and ends in an IndexError.

    Feedback: an id beyond the last word must raise ValueError and nothing else
    """
    # wrong for: f([3, 12], W) gives IndexError, right ValueError
    found = []
    for token in ids:
        if token == 2:
            break
        if not 0 <= token <= len(words):
            raise ValueError(token)
        if token > 2:
            found.append(words[token])
    return " ".join(found)


def wrong_special_by_its_look(ids, words):
    """Every word in pointed brackets is taken for a special one.

    Feedback: a word like <br> is left out
    """
    # wrong for: f([3, 4], ["<pad>", "<bos>", "<eos>", "<br>", "a"]) gives 'a', right '<br> a'
    found = []
    for token in ids:
        if token == 2:
            break
        if not 0 <= token < len(words):
            raise ValueError(token)
        found.append(words[token])
    return " ".join(word for word in found if not re.fullmatch("<.*>", word))


def wrong_twelve_words_always(ids, words):
    """Ids are held against the 12 words of the lesson, not against the given vocabulary.

    Feedback: with a vocabulary of another size than the lesson's it goes wrong
    """
    # wrong for: f([12, 3], W + ["square"]) gives ValueError, right 'square a'
    found = []
    for token in ids:
        if token == 2:
            break
        if not 0 <= token < 12:
            raise ValueError(token)
        if token > 2:
            found.append(words[token])
    return " ".join(found)


def wrong_gap_where_padding_was(ids, words):
    """Special words become empty texts, and their gaps stay inside the sentence.

    Feedback: special words leave wide gaps
    """
    # wrong for: f([1, 3, 0, 4], W) gives 'a  photo', right 'a photo'
    found = []
    for token in ids:
        if token == 2:
            break
        if not 0 <= token < len(words):
            raise ValueError(token)
        found.append(words[token] if token > 2 else "")
    return " ".join(found).strip()


def wrong_padding_ends_it_too(ids, words):
    """The first <pad> ends the text like an <eos>.

    Feedback: the first <pad> ends the text
    """
    # wrong for: f([1, 3, 0, 4, 2], W) gives 'a', right 'a photo'
    found = []
    for token in takewhile(lambda token: token not in (0, 2), ids):
        if not 0 <= token < len(words):
            raise ValueError(token)
        if token > 2:
            found.append(words[token])
    return " ".join(found)


def right_dictionary_of_words(ids, words):
    """Look the ids up in a dict, and pass its KeyError on as ValueError."""
    book = dict(enumerate(words))
    try:
        said = [(token, book[token]) for token in takewhile((2).__ne__, ids)]
    except KeyError as error:
        raise ValueError(f"id {error} is not in the vocabulary") from error
    return " ".join(word for token, word in said if token not in {0, 1})


def right_cut_at_the_sentinel(ids, words):
    """Put an <eos> behind, cut at the first one, check the least and the largest id at once."""
    cut = [*ids, 2]
    cut = cut[: cut.index(2)]
    outside = sorted(set(cut) - set(range(len(words))))
    if outside:
        raise ValueError(f"outside the vocabulary: {outside}")
    return " ".join([words[token] for token in cut if token > 1])


# STATEMENT: ids are "a list of whole numbers": bool and numpy numbers are open. A word that is
# empty or holds blanks, or a second word that is spelt like a special one, is neither allowed nor
# forbidden. "Leaves special words out": by id (0, 1) is meant; by text it is the same only if no
# word repeats.
