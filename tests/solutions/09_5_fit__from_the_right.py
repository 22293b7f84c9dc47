def fit(prompt, room):
    """Cut out pieces of four tokens, the last object that may go first."""
    count = (len(prompt) - 3) // 4
    most = (room - 3) // 4
    if most < 1:
        raise ValueError("no room")
    row = list(prompt)
    number = count - 1
    while (len(row) - 3) // 4 > most:
        start = 1 + 4 * number
        if row[start + 2] != row[-2]:
            # the last object goes with the "and" before it, any other with the one behind it
            shift = 1 if start + 3 == len(row) - 3 else 0
            row = row[: start - shift] + row[start + 4 - shift :]
        number -= 1
    return row
