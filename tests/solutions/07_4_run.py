def run(scripts, stop_ids, limit, pad_id):
    """Return (rows, lengths, reasons, steps) of a batch, as the loop of decoding makes them.

    scripts: B lists of ids, what each row says at each step; a list goes to the row's first stop
    token at least, or to `limit`. rows: B lists of `steps` ids. lengths: B numbers of tokens
    without padding. reasons: B times "stop" or "length". steps: how often the loop went round.
    """
    rows = [[] for _ in scripts]
    reasons = ["length" for _ in scripts]
    lengths = [limit for _ in scripts]
    done = [False for _ in scripts]
    step = 0
    while step < limit and not all(done):
        for b, script in enumerate(scripts):
            if done[b]:
                rows[b].append(pad_id)
                continue
            rows[b].append(script[step])  # the stop token belongs to the text
            if script[step] in stop_ids:
                done[b], lengths[b], reasons[b] = True, step + 1, "stop"
        step += 1
    return rows, lengths, reasons, step
