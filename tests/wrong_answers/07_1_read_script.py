"""Wrong answers to 07.1. A docstring holds the words that only this fault's feedback contains."""


def leaves_the_stop_token_out(script, stop_ids, limit):
    """the stop token is not counted"""
    for length, token in enumerate(script[:limit]):
        if token in stop_ids:
            return [length, "stop"]
    return [limit, "length"]


def last_stop(script, stop_ids, limit):
    """a later stop token counts, and not the first one"""
    for length in range(limit, 0, -1):
        if script[length - 1] in stop_ids:
            return [length, "stop"]
    return [limit, "length"]


def limit_first(script, stop_ids, limit):
    """look at the token before you look at the limit"""
    length = 0
    for token in script:
        length += 1
        if length == limit:
            return [length, "length"]
        if token in stop_ids:
            return [length, "stop"]


def reads_one_too_many(script, stop_ids, limit):
    """tokens behind the limit are read"""
    for length, token in enumerate(script[: limit + 1], start=1):
        if token in stop_ids:
            return [length, "stop"]
    return [limit, "length"]


def first_stop_id_only(script, stop_ids, limit):
    """not exactly the ids in stop_ids end a row"""
    for length, token in enumerate(script[:limit], start=1):
        if stop_ids and token == stop_ids[0]:
            return [length, "stop"]
    return [limit, "length"]


def length_of_the_whole_script(script, stop_ids, limit):
    """cut off by the limit has another length"""
    for length, token in enumerate(script[:limit], start=1):
        if token in stop_ids:
            return [length, "stop"]
    return [len(script), "length"]


def says_eos(script, stop_ids, limit):
    """neither "stop" nor "length\""""
    for length, token in enumerate(script[:limit], start=1):
        if token in stop_ids:
            return [length, "eos"]
    return [limit, "length"]


EQUAL = {}
