"""Wrong answers to 21.5. A docstring holds the words that only this fault's feedback contains."""

START, END = "<|im_start|>", "<|im_end|>"


def _rendered(turns, system):
    if not turns or turns[0][0] != "system":
        turns = [["system", system], *turns]
    whole = "".join(f"{START}{role}\n{text}{END}\n" for role, text in turns)
    return f"{whole}{START}assistant\n"


def _ids(turns, special, text=str.encode, tail=b"assistant\n", line=b"\n", gap="\n"):
    start, end = special[START], special[END]
    ids = []
    for role, said in turns:
        ids += [start, *f"{role}{gap}".encode(), *text(said), end, *line]
    return ids if tail is None else [*ids, start, *tail]


def _with_system(turns, system):
    return turns if turns and turns[0][0] == "system" else [["system", system], *turns]


def rendered_as_one_text(turns, system, special):
    """a special token in somebody's text becomes a command"""
    rest, ids = _rendered(turns, system), []
    while rest:
        for text, token in special.items():
            if rest.startswith(text):
                ids.append(token)
                rest = rest[len(text) :]
                break
        else:
            ids += rest[0].encode()
            rest = rest[1:]
    return ids


def cleaned(turns, system, special):
    """what looks like a special token stays"""
    turns = _with_system(turns, system)
    return _ids(turns, special, lambda said: said.replace(START, "").replace(END, "").encode())


def characters(turns, system, special):
    """characters are not bytes"""
    return _ids(_with_system(turns, system), special, lambda said: map(ord, said))


def no_open_turn(turns, system, special):
    """no turn is opened for the assistant"""
    return _ids(_with_system(turns, system), special, tail=None)


def closed_turn(turns, system, special):
    """closed before it has said a word"""
    return [*_ids(_with_system(turns, system), special), special[END], 10]


def no_system(turns, system, special):
    """the system turn that the template adds is missing"""
    return _ids(turns, special)


def always_a_system(turns, system, special):
    """one more is added"""
    return _ids([["system", system], *turns], special)


def no_line_behind(turns, system, special):
    """the line break behind the end of a turn is missing"""
    return _ids(_with_system(turns, system), special, line=b"")


def no_line_after_the_role(turns, system, special):
    """the line break between role and text is missing"""
    return _ids(_with_system(turns, system), special, tail=b"assistant", gap="")
