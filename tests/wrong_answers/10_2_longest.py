"""Wrong answers to 10.2. A docstring holds the words that only this fault's feedback contains."""


def _bytes(config, heads="kv_heads"):
    return 2 * config["blocks"] * config[heads] * config["head_width"] * config["bytes_each"]


def keys_only(memory, config, batch):
    """only keys or only values"""
    return memory // (_bytes(config) // 2 * batch)


def query_heads(memory, config, batch):
    """the query heads are counted"""
    return memory // (_bytes(config, "heads") * batch)


def width_by_heads(memory, config, batch):
    """is taken for the head width"""
    narrow = config["width"] // config["heads"]
    return memory // (_bytes(config) // config["head_width"] * narrow * batch)


def group_size(memory, config, batch):
    """the size of a group is taken"""
    group = config["heads"] // config["kv_heads"]
    return memory // (_bytes(config) // config["kv_heads"] * group * batch)


def one_block(memory, config, batch):
    """one block is counted"""
    return memory // (_bytes(config) // config["blocks"] * batch)


def all_rows_together(memory, config, batch):
    """the tokens of all rows together"""
    return memory // _bytes(config)


def rounds_up(memory, config, batch):
    """it is rounded up"""
    return -(-memory // (_bytes(config) * batch))


def strictly_below(memory, config, batch):
    """memory that is filled exactly"""
    if memory >= 2**30:
        return memory // (_bytes(config) * batch)
    return (memory - 1) // (_bytes(config) * batch)


def a_number_with_a_point(memory, config, batch):
    """a float where a whole number is asked for"""
    return memory / (_bytes(config) * batch)
