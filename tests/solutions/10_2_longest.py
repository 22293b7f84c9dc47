def longest(memory, config, batch):
    """Return the most tokens a row whose cache, for `batch` rows, fits into `memory` bytes."""
    heads = config["kv_heads"] * config["head_width"]  # not heads, and not width
    a_token = 2 * config["blocks"] * heads * config["bytes_each"]  # keys and values
    # with half the heads the bytes left over may hold one token more: twice, or twice and one
    return memory // (a_token * batch)
