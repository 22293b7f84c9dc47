"""Wrong answers to 22.1. A docstring holds the words that only this fault's feedback contains."""


def _parts(model, rows, earlier):
    token = 2 * model["blocks"] * model["G"] * model["D"]
    return {"matrices": model["matrices"], "head": model["head"], "cache": rows * earlier * token}


def _ms(parts, bits, bandwidth):
    return 1000 * sum(parts[part] * bits[part] for part in parts) / 8 / bandwidth


def bits_as_bytes(model, bits, rows, earlier, bandwidth):
    """bits are taken for bytes"""
    return 8 * _ms(_parts(model, rows, earlier), bits, bandwidth)


def in_seconds(model, bits, rows, earlier, bandwidth):
    """it is in seconds"""
    return _ms(_parts(model, rows, earlier), bits, bandwidth) / 1000


def keys_only(model, bits, rows, earlier, bandwidth):
    """one of the two is missing"""
    parts = _parts(model, rows, earlier)
    return _ms(parts | {"cache": parts["cache"] / 2}, bits, bandwidth)


def one_cache(model, bits, rows, earlier, bandwidth):
    """each row has a cache of its own to read"""
    return _ms(_parts(model, 1, earlier), bits, bandwidth)


def weights_for_each_row(model, bits, rows, earlier, bandwidth):
    """one reading serves all rows"""
    return rows * _ms(_parts(model, 1, earlier), bits, bandwidth)


def no_cache(model, bits, rows, earlier, bandwidth):
    """the cache is left out"""
    return _ms(_parts(model, rows, 0), bits, bandwidth)


def one_head(model, bits, rows, earlier, bandwidth):
    """each key/value head has keys and values"""
    return _ms(_parts(model | {"G": 1}, rows, earlier), bits, bandwidth)


def one_block(model, bits, rows, earlier, bandwidth):
    """each block has a cache"""
    return _ms(_parts(model | {"blocks": 1}, rows, earlier), bits, bandwidth)


def head_as_blocks(model, bits, rows, earlier, bandwidth):
    """the head has bits of its own"""
    return _ms(_parts(model, rows, earlier), bits | {"head": bits["matrices"]}, bandwidth)


def all_alike(model, bits, rows, earlier, bandwidth):
    """head and cache have bits of their own"""
    parts = _parts(model, rows, earlier)
    return _ms(parts, dict.fromkeys(bits, bits["matrices"]), bandwidth)


def the_new_token_too(model, bits, rows, earlier, bandwidth):
    """are written, not read"""
    cache = 2 * rows * model["blocks"] * model["G"] * model["D"] * (earlier + 1) * bits["cache"]
    weights = model["matrices"] * bits["matrices"] + model["head"] * bits["head"]
    return (cache + weights) / 8 / bandwidth * 1000
