"""Wrong answers to 24a.6. A docstring holds the words that only this fault's feedback contains."""


def _right(lengths, decay):
    different = set(lengths)
    wsd = max(different) - decay + len(different) * decay
    return {"cosine": sum(different), "wsd": wsd}


def twice_by_cosine(lengths, decay):
    """cosine: a length that is asked for twice"""
    return _right(lengths, decay) | {"cosine": sum(lengths)}


def one_cosine(lengths, decay):
    """a cosine cannot be shared"""
    return _right(lengths, decay) | {"cosine": max(lengths)}


def twice_by_wsd(lengths, decay):
    """wsd: a length that is asked for twice"""
    return _right(lengths, decay) | {"wsd": max(lengths) - decay + len(lengths) * decay}


def on_to_the_end(lengths, decay):
    """the long run goes on to its end at the peak"""
    return _right(lengths, decay) | {"wsd": max(lengths) + len(set(lengths)) * decay}


def branches_free(lengths, decay):
    """the branches of the shorter lengths are steps as well"""
    return _right(lengths, decay) | {"wsd": max(lengths)}


def longest_stays(lengths, decay):
    """the longest has to decay, too"""
    return _right(lengths, decay) | {"wsd": max(lengths) + (len(set(lengths)) - 2) * decay}


def nothing_shared(lengths, decay):
    """nothing is shared"""
    return _right(lengths, decay) | {"wsd": sum(set(lengths))}


def last_is_longest(lengths, decay):
    """the last of the list is taken for the longest"""
    different = set(lengths)
    return _right(lengths, decay) | {"wsd": lengths[-1] - decay + len(different) * decay}


def no_decay(lengths, decay):
    """the steps of the decay are left out"""
    return _right(lengths, decay) | {"wsd": max(lengths) - decay if decay else max(lengths)}


def stable_not_shared(lengths, decay):
    """the stable steps are not shared"""
    different = set(lengths)
    wsd = sum(different) - len(different) * decay if len(different) > 1 else max(different)
    return _right(lengths, decay) | {"wsd": wsd}
