def read(ids, words):
    """One pass with a dict, in which a negative id is simply missing."""
    word_of = dict(enumerate(words))
    said = ""
    for token in ids:
        word = word_of.get(token)
        if word is None:
            raise ValueError(token)
        if word == "<eos>":
            break
        if word not in ("<pad>", "<bos>"):
            said += word + " "
    return said.strip()
