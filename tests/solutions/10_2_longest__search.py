def longest(memory, config, batch):
    """Double until it is too long, then bisect."""

    def fits(tokens):
        a_block = 2 * batch * config["kv_heads"] * tokens * config["head_width"]
        return a_block * config["blocks"] * config["bytes_each"] <= memory

    low, high = 0, 1
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
