def cause_of(log):
    """Return the word for the one cause that a log shows."""
    loss, norm = log["loss"], log["norm"]
    last = sum(loss[-10:]) / 10
    if last < log["floor"]:
        return "not shifted"
    if log["law"] > last + 2:
        return "shifted twice"
    if any(count != log["planned"] for count in log["targets"]):
        return "padding"
    if len(set(log["batch"])) < len(log["batch"]):
        return "one batch"
    if loss[0] > 2 * log["ln_v"]:
        return "first weights"
    if norm[-1] > 3 * norm[0]:
        return "gradients kept"
    if max(log["update"]) > 0.05:
        return "rate"
    if max(norm) > 3 * norm[0]:
        return "undivided"
    if max(loss[10:]) > 1.2 * loss[0]:
        return "data"
    return "healthy"
