from statistics import mean


def cause_of(log):
    """A table of signs, asked in order."""
    first, highest = log["norm"][0], max(log["norm"])
    last = mean(log["loss"][-10:])
    signs = [
        ("gradients kept", log["norm"][-1] / first > 3),
        ("rate", max(log["update"]) > 0.05),
        ("padding", set(log["targets"]) != {log["planned"]}),
        ("one batch", any(log["batch"].count(one) > 1 for one in log["batch"])),
        ("first weights", log["loss"][0] / log["ln_v"] > 2),
        ("undivided", highest / first > 3),
        ("data", any(x > 1.2 * log["loss"][0] for x in log["loss"][10:])),
        ("not shifted", last < log["floor"]),
        ("shifted twice", log["law"] - last > 2),
    ]
    return next((word for word, yes in signs if yes), "healthy")
