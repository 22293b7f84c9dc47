def wrong_full_length_means_length(scripts, stop_ids, limit, pad_id):
    """Gives the reason by the length alone: a row that says its stop token at the last place that
    is allowed gets "length".

    Feedback: a row that stops in the last step has the reason "length"
    """
    # wrong for: f([[7, 2]], [2], 2, 0), reasons give ["length"], right ["stop"]
    B = len(scripts)
    rows, lengths, done = [[] for _ in range(B)], [0] * B, [False] * B
    steps = 0
    while steps < limit and not all(done):
        for b in range(B):
            if done[b]:
                rows[b].append(pad_id)
                continue
            word = scripts[b][steps]
            rows[b].append(word)
            lengths[b] += 1
            done[b] = word in stop_ids
        steps += 1
    reasons = ["stop" if length < limit else "length" for length in lengths]
    return rows, lengths, reasons, steps


def wrong_pads_at_the_end_cut_off(scripts, stop_ids, limit, pad_id):
    """Finds the length by cutting pad ids off the end: a row that said the pad id itself as its
    last word (or whose stop token is the pad id) comes out too short.

    Feedback: pad ids at the end are cut off, and a row may have said them itself
    """
    # wrong for: f([[7, 0], [7, 7]], [2], 2, 0), lengths give [1, 2], right [2, 2]
    B = len(scripts)
    rows = [[] for _ in range(B)]
    done = [False] * B
    steps = 0
    for step in range(limit):
        if all(done):
            break
        for b in range(B):
            rows[b].append(pad_id if done[b] else scripts[b][step])
            done[b] = done[b] or rows[b][-1] in stop_ids
        steps += 1
    lengths = []
    for row in rows:
        length = len(row)
        while length > 0 and row[length - 1] == pad_id:
            length -= 1
        lengths.append(length)
    reasons = ["stop" if finished else "length" for finished in done]
    return rows, lengths, reasons, steps
