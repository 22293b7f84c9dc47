from itertools import zip_longest


def wrong_lengths_without_pad_ids(scripts, stop_ids, limit, pad_id):
    """The lengths count what is not the pad id, so a pad id that the row says itself is lost.

    Feedback: a row that says the pad id itself is taken for shorter than it is: padding is
    """
    # wrong for: f([[7, 0, 2], [7, 7, 2]], [2], 5, 0) gives lengths [2, 3], right [3, 3]
    rows, done, steps = [[] for _ in scripts], [False for _ in scripts], 0
    while steps < limit and not all(done):
        for b, script in enumerate(scripts):
            token = pad_id if done[b] else script[steps]
            rows[b].append(token)
            done[b] = done[b] or token in stop_ids
        steps += 1
    lengths = [sum(token != pad_id for token in row) for row in rows]
    return rows, lengths, ["stop" if one else "length" for one in done], steps


def wrong_pad_means_done(scripts, stop_ids, limit, pad_id):
    """No flag: a row counts as finished when its last token is a stop token or the pad id.

    Feedback: a length is not the number of tokens up to the row's end
    """
    # wrong for: f([[7, 0, 7, 2]], [2], 10, 0) gives [[7, 0]] and "stop", right [[7, 0, 7, 2]]
    ends, rows, lengths, steps = {*stop_ids, pad_id}, [[] for _ in scripts], [0 for _ in scripts], 0
    while steps < limit and not all(row and row[-1] in ends for row in rows):
        for b, row in enumerate(rows):
            if row and row[-1] in ends:
                row.append(pad_id)
            else:
                row.append(scripts[b][steps])
                lengths[b] += 1
        steps += 1
    return rows, lengths, ["stop" if row[-1] in ends else "length" for row in rows], steps


def wrong_full_length_is_length(scripts, stop_ids, limit, pad_id):
    """A row that has as many tokens as the limit gets "length", also when its last one is a stop
    token.

    Feedback: a row that stops in the last step has the reason "length"
    """
    # wrong for: f([[7, 7, 2]], [2], 3, 0) gives ["length"], right ["stop"]
    rows, lengths, steps = [[] for _ in scripts], [0 for _ in scripts], 0
    done = [False for _ in scripts]
    while steps < limit and not all(done):
        for b, script in enumerate(scripts):
            if done[b]:
                rows[b].append(pad_id)
                continue
            rows[b].append(script[steps])
            lengths[b] += 1
            done[b] = script[steps] in stop_ids
        steps += 1
    return rows, lengths, ["stop" if length < limit else "length" for length in lengths], steps


def wrong_asks_finished_rows(scripts, stop_ids, limit, pad_id):
    """The next token is read from every script first, also from one that has ended.

    Feedback: a finished row is asked for another token, which it does not have
    """
    # wrong for: f([[2], [7, 2]], [2], 5, 0) raises IndexError, right [[2, 0], [7, 2]]
    rows, lengths, done, steps = (
        [[] for _ in scripts],
        [0] * len(scripts),
        [False] * len(scripts),
        0,
    )
    while steps < limit and not all(done):
        said = [script[steps] for script in scripts]
        for b, token in enumerate(said):
            rows[b].append(pad_id if done[b] else token)
            lengths[b] += not done[b]
            done[b] = done[b] or token in stop_ids
        steps += 1
    return rows, lengths, ["stop" if one else "length" for one in done], steps


def wrong_one_stop_id(scripts, stop_ids, limit, pad_id):
    """Only the first stop id ends a row.

    Feedback: only the first of the stop ids ends a row
    """
    # wrong for: f([[7, 5, 2]], [2, 5], 3, 0) gives [[7, 5, 2]], right [[7, 5]]; f([[7, 7]], [], 2, 0) IndexError, right [[7, 7]]
    stop, kept, reasons = stop_ids[0], [], []
    for script in scripts:
        row = script[:limit]
        reasons.append("stop" if stop in row else "length")
        kept.append(row[: row.index(stop) + 1] if stop in row else row)
    lengths = [len(row) for row in kept]
    steps = max(lengths)
    return [row + [pad_id] * (steps - len(row)) for row in kept], lengths, reasons, steps


def wrong_as_long_as_the_longest_script(scripts, stop_ids, limit, pad_id):
    """The number of steps is taken from the longest script and not from the longest row.

    Feedback: the loop goes on to the limit although all rows have ended
    """
    # wrong for: f([[2, 9, 9]], [2], 5, 0) gives [[2, 0, 0]] and 3 steps, right [[2]] and 1
    steps = min(limit, max(len(script) for script in scripts))
    rows, lengths, reasons = [], [], []
    for script in scripts:
        end = next((i + 1 for i, token in enumerate(script[:limit]) if token in stop_ids), None)
        lengths.append(end or limit)
        reasons.append("stop" if end else "length")
        rows.append(script[: lengths[-1]] + [pad_id] * (steps - lengths[-1]))
    return rows, lengths, reasons, steps


def right_columns_of_generators(scripts, stop_ids, limit, pad_id):
    """Each row is a generator that ends by itself; zip_longest pads the columns, which are turned back into rows."""

    def speak(script):
        for token in script[:limit]:
            yield token
            if token in stop_ids:
                return

    spoken = [list(speak(script)) for script in scripts]
    columns = list(zip_longest(*spoken, fillvalue=pad_id))
    rows = [[column[b] for column in columns] for b in range(len(scripts))]
    reasons = ["stop" if row and row[-1] in stop_ids else "length" for row in spoken]
    return rows, [len(row) for row in spoken], reasons, len(columns)


def right_recursion_over_steps(scripts, stop_ids, limit, pad_id):
    """One call for each step; the set of rows that still run is handed on."""

    def step(at, rows, lengths, running):
        if at == limit or not running:
            reasons = ["length" if b in running else "stop" for b in range(len(scripts))]
            return rows, lengths, reasons, at
        rows = [[*row, scripts[b][at] if b in running else pad_id] for b, row in enumerate(rows)]
        lengths = [length + (b in running) for b, length in enumerate(lengths)]
        return step(at + 1, rows, lengths, {b for b in running if rows[b][at] not in stop_ids})

    return step(0, [[] for _ in scripts], [0] * len(scripts), set(range(len(scripts))))


# STATEMENT: a batch of no rows is not named (steps 0?). Whether limit is at least 1 is not said here (07.1 says it). stop_ids
# may be empty is said only in 07.1. "Return four things" / "(rows, ...)" : list or tuple is open.
