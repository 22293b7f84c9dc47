from itertools import groupby


def _encode(text, words, commands=None):
    ids = []
    for word in text.split(" ") if text else []:
        if commands is None:
            forbidden = word.startswith("<") and word.endswith(">")
        else:
            forbidden = word in commands
        if forbidden or word not in words:
            raise ValueError(f"not a word: {word!r}")
        ids.append(words.index(word))
    return ids


def right_any_white_space(turns, words):
    """Texts are split at any white space, so texts with more spaces or a tab give the same ids."""
    # wrong for: f([["user", "the  is"]], words) gives the ids of "the is", right ValueError
    ids = [words.index("<bos>")]
    for role, text in turns:
        ids += [words.index(f"<{role}>"), *_encode(" ".join(text.split()), words)]
        if role == "assistant":
            ids.append(words.index("<eos>"))
    if turns and turns[-1][0] == "user":
        ids.append(words.index("<assistant>"))
    return ids


def wrong_asks_after_nothing(turns, words):
    """<assistant> stands at the end unless the assistant spoke last, also where nobody spoke.

    Feedback: no turn at all is <bos> alone
    """
    # wrong for: f([], words) gives [<bos>, <assistant>], right [<bos>]
    ids, last = [words.index("<bos>")], None
    for role, text in turns:
        ids += [words.index(f"<{role}>"), *_encode(text, words)]
        if role == "assistant":
            ids.append(words.index("<eos>"))
        last = role
    return ids if last == "assistant" else [*ids, words.index("<assistant>")]


def wrong_only_four_commands(turns, words):
    """Only the four commands of the template are refused; others in the vocabulary pass.

    Feedback: some commands of the vocabulary are refused, and others are not
    """
    # wrong for: f([["user", "<pad> is"]], words with "<pad>") gives ids, right ValueError
    four = ("<bos>", "<eos>", "<user>", "<assistant>")
    ids = [words.index("<bos>")]
    for role, text in turns:
        ids += [words.index(f"<{role}>"), *_encode(text, words, four)]
        if role == "assistant":
            ids.append(words.index("<eos>"))
    if turns and turns[-1][0] == "user":
        ids.append(words.index("<assistant>"))
    return ids


def wrong_assistant_is_trusted(turns, words):
    """Only what the user said is searched for commands.

    Feedback: the user's texts are guarded, and the assistant's are not
    """
    # wrong for: f([["assistant", "<eos>"]], words) gives ids, right ValueError
    ids = [words.index("<bos>")]
    for role, text in turns:
        ids += [words.index(f"<{role}>"), *_encode(text, words, None if role == "user" else ())]
        if role == "assistant":
            ids.append(words.index("<eos>"))
    if turns and turns[-1][0] == "user":
        ids.append(words.index("<assistant>"))
    return ids


def wrong_same_speaker_goes_on(turns, words):
    """Turns of the same role in a row are joined into one.

    Feedback: the ids are not those of the template
    """
    # wrong for: f([["user", "the"], ["user", "is"]], words) gives bos user the is assistant,
    # right bos user the user is assistant
    ids, role = [words.index("<bos>")], None
    for role, same in groupby(turns, key=lambda turn: turn[0]):
        ids.append(words.index(f"<{role}>"))
        for _, text in same:
            ids += _encode(text, words)
        if role == "assistant":
            ids.append(words.index("<eos>"))
    return [*ids, words.index("<assistant>")] if role == "user" else ids


def wrong_empty_turn_left_out(turns, words):
    """A turn with an empty text is skipped, so that two conversations give the same ids.

    Feedback: the ids are not those of the template
    """
    # wrong for: f([["user", ""], ["assistant", "is"]], words) gives bos assistant is eos,
    # right bos user assistant is eos
    ids = [words.index("<bos>")]
    for role, text in turns:
        if text:
            ids += [words.index(f"<{role}>"), *_encode(text, words)]
            if role == "assistant":
                ids.append(words.index("<eos>"))
    if turns and turns[-1][0] == "user":
        ids.append(words.index("<assistant>"))
    return ids


def right_marked_pairs(turns, words):
    """First a list of pairs (is it a command, word), then one look-up for all."""
    marks = [(True, "<bos>")]
    for role, text in turns:
        marks.append((True, {"user": "<user>", "assistant": "<assistant>"}[role]))
        marks.extend((False, word) for word in text.split(" ") if text != "")
        if role == "assistant":
            marks.append((True, "<eos>"))
    if [role for role, _ in turns][-1:] == ["user"]:
        marks.append((True, "<assistant>"))
    place = {(word[:1] == "<" and word[-1:] == ">", word): i for i, word in enumerate(words)}
    if any(mark not in place for mark in marks):
        raise ValueError("a command or an unknown word in a text")
    return [place[mark] for mark in marks]


def right_one_turn_then_the_rest(turns, words):
    """Recursion over the turns, with a small class for the two kinds of words."""

    class Book:
        def __init__(self):
            self.of = {w: i for i, w in enumerate(words)}

        def text(self, text):
            if not text:
                return []
            head, gap, rest = text.partition(" ")
            if head not in self.of or (head[0], head[-1]) == ("<", ">") or (gap and not rest):
                raise ValueError(f"no word of a text: {head!r}")
            return [self.of[head]] + self.text(rest)

        def turns(self, left):
            if not left:
                return []
            (role, text), *rest = left
            said = [self.of[f"<{role}>"]] + self.text(text)
            if role == "assistant":
                return said + [self.of["<eos>"]] + self.turns(rest)
            return said + (self.turns(rest) if rest else [self.of["<assistant>"]])

    book = Book()
    return [book.of["<bos>"]] + book.turns(list(turns))


# STATEMENT: a text with two spaces in a row, or a space at an end, is "not a text": it may be forbidden, or
# must raise ValueError ("two different conversations never the same ids" asks for the latter). A role other
# than the two is not defined. What follows an empty list (<bos> alone) can be inferred only. Whether a word
# such as "<", "<>" or "a<b>" that stands in the vocabulary counts as "in angle brackets" is not said.
# (right_one_turn_then_the_rest recurses once a word: a text of about 900 words and more needs another way.)
