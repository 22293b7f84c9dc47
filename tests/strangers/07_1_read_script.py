from itertools import takewhile


def wrong_at_the_limit_is_length(script, stop_ids, limit):
    """A stop token at the very last allowed place is called "length".

    Feedback: a stop token at place `limit` gives "length": look at the token before you look
    """
    # wrong for: f([7, 7, 2], [2], 3) gives [3, "length"], right [3, "stop"]
    for place, token in enumerate(script[: limit - 1], 1):
        if token in stop_ids:
            return [place, "stop"]
    return [limit, "length"]


def wrong_found_behind_the_limit(script, stop_ids, limit):
    """The whole script is searched, so a stop token behind the limit still gives "stop".

    Feedback: a row that is cut off by the limit has another length or reason
    """
    # wrong for: f([7, 7, 7, 2], [2], 2) gives [2, "stop"], right [2, "length"]
    for place, token in enumerate(script, 1):
        if token in stop_ids:
            return [min(place, limit), "stop"]
    return [limit, "length"]


def wrong_only_one_stop_id(script, stop_ids, limit):
    """Only the first of the stop ids is looked for.

    Feedback: not exactly the ids in stop_ids end a row
    """
    # wrong for: f([7, 5, 2], [2, 5], 3) gives [3, "stop"], right [2, "stop"]
    stop = stop_ids[0] if stop_ids else None
    row = script[:limit]
    return [row.index(stop) + 1, "stop"] if stop in row else [limit, "length"]


def wrong_in_the_order_of_the_stop_ids(script, stop_ids, limit):
    """The stop ids are tried one after another, and the first that occurs decides, not the one
    that comes first in the row.

    Feedback: the stop ids are tried one by one: the one that comes first in the row counts
    """
    # wrong for: f([7, 5, 9, 2], [2, 5], 4) gives [4, "stop"], right [2, "stop"]
    row = script[:limit]
    for stop in stop_ids:
        if stop in row:
            return [row.index(stop) + 1, "stop"]
    return [limit, "length"]


def wrong_first_place_is_falsy(script, stop_ids, limit):
    """A stop token in the first place has index 0, and "if place" takes that for "not found".

    Feedback: a row does not end at its first stop token
    """
    # wrong for: f([2, 9, 9], [2], 3) gives [3, "length"], right [1, "stop"]
    place = next((i for i, token in enumerate(script[:limit]) if token in stop_ids), None)
    return [place + 1, "stop"] if place else [limit, "length"]


def wrong_length_of_the_script(script, stop_ids, limit):
    """Without a stop token the length is that of the script, which may be longer than the limit.

    Feedback: a row that is cut off by the limit has another length or reason
    """
    # wrong for: f([7, 7, 7, 7], [2], 3) gives [4, "length"], right [3, "length"]
    for place, token in enumerate(script[:limit], 1):
        if token in stop_ids:
            return [place, "stop"]
    return [len(script), "length"]


def right_takewhile(script, stop_ids, limit):
    """Count the tokens before the first stop token with takewhile, over the allowed tokens only."""
    before = len(list(takewhile(lambda token: token not in stop_ids, script[:limit])))
    return [before + 1, "stop"] if before < limit else [limit, "length"]


def right_smallest_of_all_places(script, stop_ids, limit):
    """One minimum over pairs: every stop has its place, and the limit stands half a place behind the last one."""
    places = [
        (place, "stop")
        for place, token in enumerate(script, 1)
        for stop in stop_ids
        if token == stop
    ]
    place, reason = min([*places, (limit + 0.5, "length")])
    return [int(place), reason]


# STATEMENT: clear. Whether stop_ids is a list or may be a set is not said (the answers above use `in`, two use order or [0]).
