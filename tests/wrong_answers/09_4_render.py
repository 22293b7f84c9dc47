"""Wrong answers to 09.4. A docstring holds the words that only this fault's feedback contains."""


def _render(turns, words, user="", assistant=" <eos>", end=True, forbidden="<>", error=ValueError):
    parts = ["<bos>"]
    for role, text in turns:
        for word in text.split():
            if any(sign in word for sign in forbidden) or word not in words:
                raise error(word)
        parts.append(f"<{role}> {text}" + (user if role == "user" else assistant))
    if end and turns and turns[-1][0] == "user":
        parts.append("<assistant>")
    return [words.index(word) for word in " ".join(parts).split()]


def no_eos(turns, words):
    """no <eos> ends the assistant's turn"""
    return _render(turns, words, assistant="")


def eos_after_everybody(turns, words):
    """<eos> ends the user's turn too"""
    return _render(turns, words, user=" <eos>")


def not_opened(turns, words):
    """no <assistant> at the end asks for an answer"""
    return _render(turns, words, end=False)


def always_opened(turns, words):
    """a new turn of the assistant is opened"""
    ids = _render(turns, words, end=False)
    return [*ids, words.index("<assistant>")] if turns else ids


def joins_turns_of_one_role(turns, words):
    """two different conversations give the same ids"""
    joined = []
    for role, text in turns:
        if joined and joined[-1][0] == role == "user":
            joined[-1] = [role, f"{joined[-1][1]} {text}"]
        else:
            joined.append([role, text])
    return _render(joined, words)


def ids_of_the_lesson(turns, words):
    """id 1 is taken for <bos>"""
    return [1, *_render(turns, words)[1:]]


def glues_strings(turns, words):
    """forges a whole turn"""
    return _render(turns, words, forbidden="", error=KeyError)


def drops_commands(turns, words):
    """passed over in silence"""
    clean = [
        [role, " ".join(word for word in text.split() if "<" not in word)] for role, text in turns
    ]
    return _render(clean, words)


def guards_the_user_only(turns, words):
    """and the assistant's are not"""
    for role, text in turns:
        if role == "user" and "<" in text:
            raise ValueError(text)
    return _render(turns, words, forbidden="")


def knows_four_commands(turns, words):
    """some commands of the vocabulary are refused"""
    for _, text in turns:
        if set(text.split()) & {"<bos>", "<eos>", "<user>", "<assistant>"}:
            raise ValueError(text)
    return _render(turns, words, forbidden="")


def another_error(turns, words):
    """a forbidden word must raise a ValueError"""
    return _render(turns, words, error=KeyError)


def no_turn_at_all(turns, words):
    """no turn at all is <bos> alone"""
    return _render(turns, words) if turns else [words.index("<bos>"), words.index("<assistant>")]
