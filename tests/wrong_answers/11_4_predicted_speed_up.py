"""Wrong answers to 11.4. A docstring holds the words that only this fault's feedback contains."""


def _speed_up(rows, tokens, model, overhead, price, **other):
    C, T = model["width"], tokens
    row = model["blocks"] * (4 * C**2 + 2 * C * model["hidden"])
    pair = model["blocks"] * 2 * C
    head = T * C * model["vocab"]
    count = {
        "rows": (T * (T + 1) // 2, T),
        "pairs": (T * (T + 1) * (2 * T + 1) // 6, T * (T + 1) // 2),
        "heads": (head, head),
        "times": (1, 1),
        "steps": (T, T),
    } | other
    seconds = [
        steps * overhead + price * rows * (times * (passed * row + looked * pair) + logits)
        for passed, looked, logits, times, steps in zip(*count.values(), strict=True)
    ]
    return seconds[0] / seconds[1]


def heads_counted(rows, tokens, model, overhead, price):
    """more heads are no more work"""
    T, H = tokens, model["heads"]
    pairs = T * (T + 1) * (2 * T + 1) // 6 * H, T * (T + 1) // 2 * H
    return _speed_up(rows, tokens, model, overhead, price, pairs=pairs)


def triangles_only(rows, tokens, model, overhead, price):
    """also those that the mask hides"""
    T = tokens
    pairs = T * (T + 1) * (T + 2) // 6, T * (T + 1) // 2
    return _speed_up(rows, tokens, model, overhead, price, pairs=pairs)


def no_head(rows, tokens, model, overhead, price):
    """the step from state to logits is left out"""
    return _speed_up(rows, tokens, model, overhead, price, heads=(0, 0))


def logits_of_every_row(rows, tokens, model, overhead, price):
    """logits are made for the last position only"""
    one = model["width"] * model["vocab"]
    heads = tokens * (tokens + 1) // 2 * one, tokens * one
    return _speed_up(rows, tokens, model, overhead, price, heads=heads)


def hidden_is_four_times_the_width(rows, tokens, model, overhead, price):
    """hidden is given"""
    model = model | {"hidden": 4 * model["width"]}
    return _speed_up(rows, tokens, model, overhead, price)


def one_block(rows, tokens, model, overhead, price):
    """every block does this work"""
    return _speed_up(rows, tokens, model | {"blocks": 1}, overhead, price)


def one_text_too_long(rows, tokens, model, overhead, price):
    """for one token both ways do the same"""
    longer = tokens + 1
    return _speed_up(rows, longer, model, overhead, price)


def score_without_average(rows, tokens, model, overhead, price):
    """a pair costs two products"""
    T = tokens
    pairs = T * (T + 1) * (2 * T + 1) // 6 / 2, T * (T + 1) // 2 / 2
    return _speed_up(rows, tokens, model, overhead, price, pairs=pairs)


def upside_down(rows, tokens, model, overhead, price):
    """without a cache comes first"""
    return 1 / _speed_up(rows, tokens, model, overhead, price)


def overhead_once(rows, tokens, model, overhead, price):
    """paid once a run, not at each step"""
    return _speed_up(rows, tokens, model, overhead, price, steps=(1, 1))


def overhead_for_every_row_of_the_batch(rows, tokens, model, overhead, price):
    """go through one step together"""
    return _speed_up(rows, tokens, model, rows * overhead, price)


def counts_only(rows, tokens, model, overhead, price):
    """as if overhead cost nothing"""
    if price == 0:
        return 1.0
    return _speed_up(rows, tokens, model, 0, price)


def overhead_for_every_row_that_passes(rows, tokens, model, overhead, price):
    """pays its overhead once, however many rows pass"""
    T = tokens
    return _speed_up(rows, tokens, model, overhead, price, steps=(T * (T + 1) / 2, T))
