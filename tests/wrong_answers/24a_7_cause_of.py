"""Wrong answers to 24a.7. A docstring holds the words that only this fault's feedback contains."""


def _cause(log, order=None, **changes):
    loss, norm = log["loss"], log["norm"]
    last = sum(loss[-10:]) / 10
    signs = {
        "not shifted": last < log["floor"],
        "shifted twice": log["law"] > last + 2,
        "padding": any(count != log["planned"] for count in log["targets"]),
        "one batch": len(set(log["batch"])) < len(log["batch"]),
        "first weights": loss[0] > 2 * log["ln_v"],
        "gradients kept": norm[-1] > 3 * norm[0],
        "rate": max(log["update"]) > 0.05,
        "undivided": max(norm) > 3 * norm[0],
        "data": max(loss[10:]) > 1.2 * loss[0],
    } | changes
    return next((word for word in order or signs if signs[word]), "healthy")


def loss_only(log):
    """it asks the losses only"""
    return _cause(log, **{"shifted twice": False})


def law_first(log):
    """a log that shows 'not shifted' is taken for 'shifted twice'"""
    last = sum(log["loss"][-10:]) / 10
    return "shifted twice" if log["law"] > last + 2 else _cause(log)


def lowest_loss(log):
    """a log that shows 'healthy' is taken for 'not shifted'"""
    return _cause(log, **{"not shifted": min(log["loss"]) < log["floor"]})


def first_batch_only(log):
    """a log that shows 'one batch' is taken for 'healthy'"""
    return _cause(log, **{"one batch": log["batch"][0] == log["batch"][1]})


def first_targets_only(log):
    """a log that shows 'padding' is taken for 'healthy'"""
    return _cause(log, padding=log["targets"][0] != log["planned"])


def above_ln_v(log):
    """is taken for 'first weights'"""
    return _cause(log, **{"first weights": log["loss"][0] > 0.9 * log["ln_v"]})


def norm_before_rate(log):
    """a log that shows 'rate' is taken for 'undivided'"""
    return _cause(log, rate=False)


def any_long_norm(log):
    """a log that shows 'rate' is taken for 'gradients kept'"""
    highest, first = max(log["norm"]), log["norm"][0]
    few = sum(norm > 3 * first for norm in log["norm"]) == 1
    return _cause(log, **{"gradients kept": highest > 3 * first and not few})


def kept_forgotten(log):
    """a log that shows 'gradients kept' is taken for 'undivided'"""
    return _cause(log, **{"gradients kept": False})


def jump_is_data(log):
    """a log that shows 'undivided' is taken for 'data'"""
    return _cause(log, undivided=False)


def loss_at_the_end(log):
    """a log that shows 'data' is taken for 'healthy'"""
    return _cause(log, data=log["loss"][-1] > 1.2 * log["loss"][0])


def start_not_seen(log):
    """a log that shows 'first weights' is taken for 'healthy'"""
    return _cause(log, **{"first weights": False})


def own_words(log):
    """a word that is not in the table"""
    return _cause(log).upper()


EQUAL = {
    "last < log['floor']  ->  last <= log['floor']": "no number is at its limit",
    "log['law'] > last + 2  ->  log['law'] >= last + 2": "no number is at its limit",
    "loss[0] > 2 * log['ln_v']  ->  loss[0] >= 2 * log['ln_v']": "no number is at its limit",
    "norm[-1] > 3 * norm[0]  ->  norm[-1] >= 3 * norm[0]": "no number is at its limit",
    "max(log['update']) > 0.05  ->  max(log['update']) >= 0.05": "no number is at its limit",
    "max(norm) > 3 * norm[0]  ->  max(norm) >= 3 * norm[0]": "no number is at its limit",
    "max(loss[10:]) > 1.2 * loss[0]  ->  max(loss[10:]) >= 1.2 * loss[0]": (
        "no number is at its limit"
    ),
}
