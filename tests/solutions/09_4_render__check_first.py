def render(turns, words):
    """Every text is checked first; then one string is glued and looked up."""
    for _, text in turns:
        if "<" in text or set(text.split()) - set(words):
            raise ValueError(text)
    parts = ["<bos>"]
    for role, text in turns:
        parts.append(f"<{role}> {text}" + " <eos>" * (role == "assistant"))
    if turns[-1:] and turns[-1][0] != "assistant":
        parts.append("<assistant>")
    return [words.index(word) for word in " ".join(parts).split()]
