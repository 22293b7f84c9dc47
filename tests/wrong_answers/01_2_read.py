"""Wrong answers to 01.2. A docstring holds the words that only this fault's feedback contains."""


def _check(ids, words):
    for token in ids:
        if not 0 <= token < len(words):
            raise ValueError(token)


def _say(ids, words):
    return " ".join(words[token] for token in ids if token > 2)


def _cut(ids):
    return ids[: ids.index(2)] if 2 in ids else ids


def checks_before_it_cuts(ids, words):
    """cut first, then check"""
    _check(ids, words)
    return _say(_cut(ids), words)


def needs_an_end(ids, words):
    """takes a list without <eos> for an error"""
    ids = ids[: ids.index(2)]
    _check(ids, words)
    return _say(ids, words)


def cuts_always(ids, words):
    """the last word is lost"""
    ids = _cut(ids) if 2 in ids else ids[:-1]
    _check(ids, words)
    return _say(ids, words)


def negative_ids_pass(ids, words):
    """a negative id is no token"""
    ids = _cut(ids)
    if any(token >= len(words) for token in ids):
        raise ValueError
    return _say(ids, words)


def one_id_too_many(ids, words):
    """beyond the last word"""
    ids = _cut(ids)
    if any(not 0 <= token <= len(words) for token in ids):
        raise ValueError
    return _say(ids, words)


def padding_is_read(ids, words):
    """only <bos> is left out"""
    ids = _cut(ids)
    _check(ids, words)
    return " ".join(words[token] for token in ids if token != 1)


def reads_on(ids, words):
    """it reads on"""
    known = [token for token in ids if 0 <= token < len(words)]
    if 2 not in ids:
        _check(ids, words)
    _check(_cut(ids), words)
    return _say(known, words)
