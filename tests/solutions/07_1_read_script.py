def read_script(script, stop_ids, limit):
    """Return [length, reason] of one row: how many tokens it has, and "stop" or "length".

    script: what the row would say if nobody stopped it, a list of at least `limit` ids.
    stop_ids: the ids that end a row, perhaps none. limit: how many tokens at most, 1 or more.
    """
    # The three rows of the text: 2 "stop", 4 "stop", 4 "length". The batch takes 4 passes.
    for length, token in enumerate(script[:limit], start=1):
        if token in stop_ids:
            return [length, "stop"]
    return [limit, "length"]
