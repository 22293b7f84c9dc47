"""Wrong answers to 07.4. A docstring holds the words that only this fault's feedback contains."""


def _run(scripts, stop_ids, limit, pad_id, keep_stop=True):
    rows, lengths, reasons = [], [], []
    for script in scripts:
        stops = [place for place, token in enumerate(script[:limit]) if token in stop_ids]
        lengths.append(stops[0] + 1 if stops else limit)
        reasons.append("stop" if stops else "length")
        rows.append(script[: lengths[-1]])
        if stops and not keep_stop:
            rows[-1][-1] = pad_id
    steps = max(lengths)
    return [row + [pad_id] * (steps - len(row)) for row in rows], lengths, reasons, steps


def no_done_flag(scripts, stop_ids, limit, pad_id):
    """tokens stand behind the stop token of a finished row"""
    _, lengths, reasons, steps = _run(scripts, stop_ids, limit, pad_id)
    rows = [(script + [pad_id] * steps)[:steps] for script in scripts]
    return rows, lengths, reasons, steps


def ends_with_the_first(scripts, stop_ids, limit, pad_id):
    """the loop ends with the first row that ends"""
    rows, lengths, reasons, _ = _run(scripts, stop_ids, limit, pad_id)
    steps = min(lengths)
    return [row[:steps] for row in rows], lengths, reasons, steps


def runs_to_the_limit(scripts, stop_ids, limit, pad_id):
    """the loop goes on to the limit"""
    rows, lengths, reasons, _ = _run(scripts, stop_ids, limit, pad_id)
    return [row + [pad_id] * (limit - len(row)) for row in rows], lengths, reasons, limit


def stop_token_becomes_padding(scripts, stop_ids, limit, pad_id):
    """the stop token of a row is missing from its text"""
    return _run(scripts, stop_ids, limit, pad_id, keep_stop=False)


def pads_with_zero(scripts, stop_ids, limit, pad_id):
    """filled with another id than pad_id"""
    return _run(scripts, stop_ids, limit, 0)


def counts_padding(scripts, stop_ids, limit, pad_id):
    """padding is counted in the lengths"""
    rows, _, reasons, steps = _run(scripts, stop_ids, limit, pad_id)
    return rows, [steps] * len(rows), reasons, steps


def counts_what_is_not_padding(scripts, stop_ids, limit, pad_id):
    """a row that says the pad id itself"""
    rows, _, reasons, steps = _run(scripts, stop_ids, limit, pad_id)
    return rows, [sum(token != pad_id for token in row) for row in rows], reasons, steps


def last_step_is_length(scripts, stop_ids, limit, pad_id):
    """stops in the last step has the reason "length\""""
    rows, lengths, reasons, steps = _run(scripts, stop_ids, limit, pad_id)
    reasons = ["length" if n == limit else why for n, why in zip(lengths, reasons, strict=True)]
    return rows, lengths, reasons, steps


def reads_finished_rows(scripts, stop_ids, limit, pad_id):
    """a finished row is asked for another token"""
    result = _run(scripts, stop_ids, limit, pad_id)
    for script in scripts:
        script[result[3] - 1]
    return result


def lengths_without_stop(scripts, stop_ids, limit, pad_id):
    """the lengths leave the stop tokens out"""
    rows, lengths, reasons, steps = _run(scripts, stop_ids, limit, pad_id)
    lengths = [n - (why == "stop") for n, why in zip(lengths, reasons, strict=True)]
    return rows, lengths, reasons, steps


def first_stop_id_only(scripts, stop_ids, limit, pad_id):
    """only the first of the stop ids"""
    return _run(scripts, stop_ids[:1], limit, pad_id)


EQUAL = {}
