PAD, BOS, EOS = 0, 1, 2


def read(ids, words):
    """Return the text of a list of ids up to the first <eos>, without special words.

    ids: a list of whole numbers. words: the vocabulary, a list of texts that begins with
    <pad>, <bos>, <eos>. Raises ValueError for an id outside the vocabulary before <eos>.
    """
    if EOS in ids:
        ids = ids[: ids.index(EOS)]  # cut first: what stands behind has no influence
    for token in ids:
        if not 0 <= token < len(words):
            raise ValueError(f"unknown id {token}")
    return " ".join(words[token] for token in ids if token not in (PAD, BOS))
