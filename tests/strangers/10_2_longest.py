import math
from fractions import Fraction


def _a_token(config, batch, **other):
    c = {**config, **other}
    return 2 * c["blocks"] * batch * c["kv_heads"] * c["head_width"] * c["bytes_each"]


def wrong_query_heads(memory, config, batch):
    """The query heads are taken for the key/value heads.

    Feedback: the example of the lesson is missed
    """
    # wrong for: f(2**30, Llama 3 8B, 1) gives 2048, right 8192
    return memory // _a_token(config, batch, kv_heads=config["heads"])


def wrong_width_by_heads(memory, config, batch):
    """The head width is worked out as width / heads, whatever the configuration states.

    Feedback: width / heads is taken for the head width
    """
    # wrong for: f(2**30, Qwen3 4B, 1) gives 11650, right 7281
    return memory // _a_token(config, batch, head_width=config["width"] // config["heads"])


def wrong_divided_in_floats(memory, config, batch):
    """Divided in floats and cut off, which is off where the numbers are large.

    Feedback: a large length is off by a little: divide whole numbers with //
    """
    # wrong for: f(2**60 - 1, {"blocks": 1, "kv_heads": 1, "head_width": 1, "bytes_each": 1, ...}, 1) gives 2**59,
    # right 2**59 - 1
    return int(memory / _a_token(config, batch))


def wrong_at_least_one(memory, config, batch):
    """The length is at least one, also where nothing fits.

    Feedback: where not even one token fits, the length is 0
    """
    # wrong for: f(100, Qwen3 4B, 1) gives 1, right 0
    return max(1, memory // _a_token(config, batch))


def wrong_room_to_spare(memory, config, batch):
    """The cache must be smaller than the memory, so one that fills it to the last byte is said not
    to fit.

    Feedback: the example of the lesson is missed
    """
    # wrong for: f(2**30, Llama 3 8B, 1) gives 8191, right 8192; f(0, any, 1) gives 0
    return max(0, memory - 1) // _a_token(config, batch)


def wrong_nearest_length(memory, config, batch):
    """The length is rounded to the nearest whole number, and is then too long by one half of the
    time.

    Feedback: this is not the length whose cache fills the memory
    """
    # wrong for: f(147456 * 7 - 1, Qwen3 4B, 1) gives 7, right 6
    a_token = _a_token(config, batch)
    return (2 * memory + a_token) // (2 * a_token)


def right_floor_of_a_fraction(memory, config, batch):
    """One exact fraction, rounded down."""
    names = ("blocks", "kv_heads", "head_width", "bytes_each")
    return math.floor(Fraction(memory, 2 * batch * math.prod(config[name] for name in names)))


def right_bit_by_bit(memory, config, batch):
    """Try the bits of the length from the top, and keep each with which it still fits."""

    def fits(tokens):
        a_row = tokens * config["head_width"] * config["bytes_each"] * config["kv_heads"]
        return (a_row + a_row) * config["blocks"] * batch <= memory

    length = 0
    for bit in reversed(range(int(memory).bit_length() + 1)):
        if fits(length + (1 << bit)):
            length += 1 << bit
    return length


# STATEMENT: whether memory is always a whole number is not said, nor that batch is at least 1. Whether entries that
# are not needed may be missing from the dict is not said.
