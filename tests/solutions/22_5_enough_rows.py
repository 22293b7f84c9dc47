def enough_rows(given):
    """Return the smallest number of rows whose arithmetic takes as long as reading, or longer.

    None where no number of rows is enough.

    given: whole numbers. "weights" and "attention": multiply-adds of a row. "read": bytes of the
    weights. "cache": bytes that each row reads besides. "speed": operations a second. "bandwidth":
    bytes a second.
    """
    # B * 2 * multiply_adds / speed >= (read + B * cache) / bandwidth, times speed and bandwidth
    multiply_adds = given["weights"] + given["attention"]
    gain = 2 * multiply_adds * given["bandwidth"] - given["cache"] * given["speed"]
    if gain <= 0:
        return None
    return -(-given["read"] * given["speed"] // gain)
