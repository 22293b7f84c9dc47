def wrong_first_stop_id_in_the_list(script, stop_ids, limit):
    """Looks for the stop ids one after the other and takes the first that occurs, not the one that
    comes earliest in the row.

    Feedback: the stop ids are tried one by one: the one that comes first in the row counts
    """
    # wrong for: f([7, 3, 7, 2], [2, 3], 4) gives [4, "stop"], right [2, "stop"]
    said = script[:limit]
    for stop in stop_ids:
        if stop in said:
            return [said.index(stop) + 1, "stop"]
    return [limit, "length"]


def wrong_place_0_is_no_place(script, stop_ids, limit):
    """Asks `if place`, and so takes a stop token at the very beginning (place 0) for none.

    Feedback: a row does not end at its first stop token
    """
    # wrong for: f([2, 7, 7], [2], 3) gives [3, "length"], right [1, "stop"]
    place = next((i for i, word in enumerate(script[:limit]) if word in stop_ids), None)
    if place:
        return [place + 1, "stop"]
    return [limit, "length"]
