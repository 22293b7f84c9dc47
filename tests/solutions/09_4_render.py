def render(turns, words):
    """Return the ids of a conversation: a list of [role, text], in the template.

    words: the vocabulary in the order of its ids. Raises: ValueError for a text with a command or
    an unknown word in it.
    """
    plain = {word: i for i, word in enumerate(words) if not word.startswith("<")}
    ids = [words.index("<bos>")]
    for role, text in turns:
        ids.append(words.index(f"<{role}>"))
        for word in text.split():
            if word not in plain:  # a command is simply an unknown word
                raise ValueError(f"{word!r} cannot stand in a text")
            ids.append(plain[word])
        if role == "assistant":
            ids.append(words.index("<eos>"))
    if turns and turns[-1][0] == "user":
        ids.append(words.index("<assistant>"))
    return ids
