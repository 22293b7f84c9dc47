def floor_ms(model, bits, rows, earlier, bandwidth):
    """Return the milliseconds that a step takes at least.

    model: {"blocks", "G", "D", "matrices", "head"}, whole numbers; the last two count the weights
    of all blocks' matrices and of the head. bits: for each number of {"matrices", "head", "cache"}.
    rows: B. earlier: tokens in the cache of each row. bandwidth: bytes a second.
    """
    # SmolLM2 in int4: 123.0 MB of weights and 46,080 bytes a token, so 2,669 tokens read as much
    token = 2 * model["blocks"] * model["G"] * model["D"]  # keys and values
    read = model["matrices"] * bits["matrices"] + model["head"] * bits["head"]
    read += rows * earlier * token * bits["cache"]
    return 1000 * read / 8 / bandwidth
