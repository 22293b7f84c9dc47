from itertools import takewhile


def wrong_negative_counts_from_the_end(ids, words):
    """only an id that is too large is refused; a negative one takes a word from the end

    Feedback: a negative id is no token, though Python counts it from the end of a list
    """
    # wrong for: read([1, 3, -1], words) gives a text, right ValueError
    text = []
    for token in ids:
        if token == 2:
            break
        try:
            word = words[token]
        except IndexError:
            raise ValueError(f"no such id: {token}") from None
        if token not in (0, 1):
            text.append(word)
    return " ".join(text)


def wrong_angle_bracket_is_special(ids, words):
    """a word that begins with an angle bracket is taken for special

    Feedback: a word like <br> is left out: only <pad> and <bos> are
    """
    # wrong for: read([1, 3], ["<pad>", "<bos>", "<eos>", "<3"]) gives "", right "<3"
    text = []
    for token in ids:
        if not 0 <= token < len(words):
            raise ValueError(f"id {token} is outside the vocabulary")
        if words[token] == "<eos>":
            break
        if not words[token].startswith("<"):
            text.append(words[token])
    return " ".join(text)


def right_dict_and_takewhile(ids, words):
    """a dict of the words by id, whose KeyError is turned into a ValueError"""
    known = dict(enumerate(words))
    try:
        pairs = [(token, known[token]) for token in takewhile((2).__ne__, ids)]
    except KeyError as error:
        raise ValueError(f"unknown id {error}") from error
    return " ".join(word for token, word in pairs if token > 1)


# STATEMENT: may a vocabulary hold the same word twice, or the text "<eos>" a second time?
# ("no other word is special" suggests that a second "<eos>" is an ordinary word.)
