def _bytes(text):
    return list(text.encode("utf-8"))


def wrong_system_text_commands(turns, system, special):
    """the system's own text is trusted, so special tokens in it are read as such

    Feedback: these are not the ids of the template
    """
    # wrong for: f([], "a<|im_end|>", s): the text's "<|im_end|>" becomes one id, right its 10 bytes
    start, end = special["<|im_start|>"], special["<|im_end|>"]

    def trusted(text):
        ids = []
        for i, part in enumerate(text.split("<|im_end|>")):
            ids += [end] * (i > 0)
            for j, piece in enumerate(part.split("<|im_start|>")):
                ids += [start] * (j > 0) + _bytes(piece)
        return ids

    if not turns or turns[0][0] != "system":
        turns = [["system", system], *turns]
    ids = []
    for role, text in turns:
        said = trusted(text) if role == "system" else _bytes(text)
        ids += [start, *_bytes(role + "\n"), *said, end, *_bytes("\n")]
    return [*ids, start, *_bytes("assistant\n")]


def wrong_any_system_turn(turns, system, special):
    """a system turn anywhere is enough, not only as the first

    Feedback: the system turn that the template adds is missing
    """
    # wrong for: f([["user", "a"], ["system", "b"]], "s", ..): no system turn in front
    start, end = special["<|im_start|>"], special["<|im_end|>"]
    if all(role != "system" for role, _ in turns):
        turns = [["system", system], *turns]
    ids = []
    for role, text in turns:
        ids += [start, *_bytes(role + "\n" + text), end, *_bytes("\n")]
    return [*ids, start, *_bytes("assistant\n")]


def wrong_empty_system_left_out(turns, system, special):
    """where the system text is empty, its turn is left out

    Feedback: the system turn that the template adds is missing
    """
    # wrong for: f([["user", "a"]], "", ..): starts with the user's turn, right with an empty system turn
    start, end = special["<|im_start|>"], special["<|im_end|>"]
    if system and (not turns or turns[0][0] != "system"):
        turns = [["system", system], *turns]
    ids = []
    for role, text in turns:
        ids += [start, *_bytes(role + "\n" + text), end, *_bytes("\n")]
    return [*ids, start, *_bytes("assistant\n")]


def wrong_text_stripped(turns, system, special):
    """spaces and line breaks at the ends of a text are taken off

    Feedback: spaces and line breaks at the ends of a text belong to it
    """
    # wrong for: f([["user", " a\n"]], "s", ..): the space and the line break are missing
    start, end = special["<|im_start|>"], special["<|im_end|>"]
    if not turns or turns[0][0] != "system":
        turns = [["system", system], *turns]
    ids = []
    for role, text in turns:
        ids += [start, *_bytes(role + "\n" + text.strip()), end, *_bytes("\n")]
    return [*ids, start, *_bytes("assistant\n")]


def wrong_characters_not_bytes(turns, system, special):
    """one id for each character (its code point), not for each byte

    Feedback: characters are not bytes: encode the text as UTF-8
    """
    # wrong for: f([["user", "é"]], "s", ..): 233, right 195, 169
    start, end = special["<|im_start|>"], special["<|im_end|>"]
    if not turns or turns[0][0] != "system":
        turns = [["system", system], *turns]
    ids = []
    for role, text in turns:
        ids += [start, *map(ord, role + "\n" + text), end, 10]
    return [*ids, start, *map(ord, "assistant\n")]


def wrong_last_answer_left_open(turns, system, special):
    """where the last turn is the assistant's, no new one is opened

    Feedback: no turn is opened for the assistant at the end
    """
    # wrong for: f([["user", "a"], ["assistant", "b"]], "s", ..): nothing behind the last line break
    start, end = special["<|im_start|>"], special["<|im_end|>"]
    if not turns or turns[0][0] != "system":
        turns = [["system", system], *turns]
    ids = []
    for role, text in turns:
        ids += [start, *_bytes(role + "\n" + text), end, *_bytes("\n")]
    if turns[-1][0] == "assistant":
        return ids
    return [*ids, start, *_bytes("assistant\n")]


def right_generator(turns, system, special):
    """a generator that yields ids one after the other"""

    def walk():
        first = turns[0][0] if turns else None
        front = () if first == "system" else (("system", system),)
        for role, text in (*front, *turns):
            yield special["<|im_start|>"]
            yield from bytes(role, "utf-8")
            yield 10
            yield from bytes(text, "utf-8")
            yield special["<|im_end|>"]
            yield 10
        yield special["<|im_start|>"]
        yield from b"assistant\n"

    return list(walk())


def right_recursive(turns, system, special):
    """an inner function takes the last turn off and calls itself; turns as a copy"""

    def closed(rest):
        if not rest:
            return []
        role, text = rest[-1]
        body = "\n".join((role, text)).encode()
        tail = [special["<|im_start|>"], *body, special["<|im_end|>"], ord("\n")]
        return closed(rest[:-1]) + tail

    own = [tuple(turn) for turn in turns]
    if [role for role, _ in own[:1]] != ["system"]:
        own.insert(0, ("system", system))
    return closed(own) + [special["<|im_start|>"]] + list("assistant\n".encode())


# STATEMENT: roles: only user, assistant, system? A role that holds a special token's text? special: the ids may lie under 256 (not excluded)
# ; a dict {text: id} is only implied ("special gives the ids of").
