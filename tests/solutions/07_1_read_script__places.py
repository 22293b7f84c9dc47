def read_script(script, stop_ids, limit):
    """All places of stop tokens first, then the earliest of them against the limit."""
    places = [place for place in range(len(script)) if script[place] in set(stop_ids)]
    first = min(places, default=limit)
    if first < limit:
        return first + 1, "stop"
    return limit, "length"
