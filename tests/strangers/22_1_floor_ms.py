from fractions import Fraction


def wrong_weights_for_each_row(model, bits, rows, earlier, bandwidth):
    """every row is thought to read all weights again

    Feedback: the weights are read for each row: one reading serves all rows
    """
    # wrong for: f({"blocks": 1, "G": 1, "D": 1, "matrices": 1000, "head": 0}, {"matrices": 8, "head": 8, "cache": 8}, 2, 0, 1000)
    # gives 2000, right 1000 (right for one row)
    weights = model["matrices"] * bits["matrices"] + model["head"] * bits["head"]
    cache = 2 * model["blocks"] * model["G"] * model["D"] * earlier * bits["cache"]
    return 1000 * rows * (weights + cache) / 8 / bandwidth


def wrong_keys_only(model, bits, rows, earlier, bandwidth):
    """the cache is thought to hold one vector for each token and group, but it holds keys and
    values

    Feedback: the cache holds keys and values: one of the two is missing
    """
    # wrong for: f({"blocks": 1, "G": 1, "D": 4, "matrices": 8, "head": 0}, {"matrices": 8, "head": 8, "cache": 8}, 1, 10, 1000)
    # gives 48, right 88 (right for earlier = 0)
    total = model["matrices"] * bits["matrices"] + model["head"] * bits["head"]
    total += rows * earlier * model["blocks"] * model["G"] * model["D"] * bits["cache"]
    return total / 8 / bandwidth * 1000


def wrong_whole_bytes_for_a_number(model, bits, rows, earlier, bandwidth):
    """bits become whole bytes for each number, so 5 bits are no byte at all

    Feedback: it is not the bytes to read over the bandwidth, in milliseconds
    """
    # wrong for: f({"blocks": 1, "G": 1, "D": 4, "matrices": 800, "head": 0}, {"matrices": 5, "head": 16, "cache": 32}, 1, 0, 1000)
    # gives 0, right 500
    size = {part: int(number // 8) for part, number in bits.items()}
    weights = model["matrices"] * size["matrices"] + model["head"] * size["head"]
    token = 2 * model["blocks"] * model["G"] * model["D"] * size["cache"]
    return 1e3 * (weights + rows * earlier * token) / bandwidth


def wrong_new_token_read_too(model, bits, rows, earlier, bandwidth):
    """the new token is counted as one more token to read from the cache

    Feedback: the new token's keys and values are written, not read: earlier tokens count
    """
    # wrong for: f({"blocks": 1, "G": 1, "D": 4, "matrices": 8, "head": 0}, {"matrices": 8, "head": 8, "cache": 8}, 1, 0, 1000)
    # gives 16, right 8
    weights = model["matrices"] * bits["matrices"] + model["head"] * bits["head"]
    token = 2 * model["blocks"] * model["G"] * model["D"] * bits["cache"]
    return 1e3 * (weights + rows * (earlier + 1) * token) / 8 / bandwidth


def wrong_bytes_rounded_down(model, bits, rows, earlier, bandwidth):
    """the bytes of each part are divided by 8 in whole numbers, so that a small part loses its
    last bits

    Feedback: a part's last bits are dropped: bytes are added up first, or not rounded at all
    """
    # wrong for: f({"blocks": 1, "G": 1, "D": 1, "matrices": 3, "head": 1}, {"matrices": 4, "head": 4, "cache": 4}, 1, 0, 1)
    # gives 1000, right 2000 (right for all parts of whole bytes)
    weights = model["matrices"] * bits["matrices"] // 8 + model["head"] * bits["head"] // 8
    token = 2 * model["blocks"] * model["G"] * model["D"] * bits["cache"] // 8
    return 1e3 * (weights + rows * earlier * token) / bandwidth


def wrong_rounded_to_microseconds(model, bits, rows, earlier, bandwidth):
    """the milliseconds are rounded to three digits, so a fast memory has no floor

    Feedback: it is not the bytes to read over the bandwidth, in milliseconds
    """
    # wrong for: f({"blocks": 1, "G": 1, "D": 1, "matrices": 100, "head": 0}, {"matrices": 8, "head": 8, "cache": 8}, 1, 0, 10**12)
    # gives 0.0, right 1e-07
    weights = model["matrices"] * bits["matrices"] + model["head"] * bits["head"]
    token = 2 * model["blocks"] * model["G"] * model["D"] * bits["cache"]
    return round(1e3 * (weights + rows * earlier * token) / 8 / bandwidth, 3)


def right_exact_fractions(model, bits, rows, earlier, bandwidth):
    """all in exact fractions, a float only at the end"""
    numbers = {
        "matrices": model["matrices"],
        "head": model["head"],
        "cache": 2 * model["blocks"] * model["G"] * model["D"] * earlier * rows,
    }
    total = sum((Fraction(bits[part]) * n for part, n in numbers.items()), Fraction(0))
    return float(total * 125 / Fraction(bandwidth))


def right_row_by_row(model, bits, rows, earlier, bandwidth):
    """the times of the parts are added up, row after row"""
    rate = 8 * bandwidth / 1000  # bits a millisecond

    def read(part, count):
        return count * bits[part] / rate

    time = read("matrices", model["matrices"]) + read("head", model["head"])
    for _ in range(rows):
        for _ in ("keys", "values"):
            time += read("cache", model["blocks"] * model["G"] * model["D"] * earlier)
    return time


# STATEMENT: whether bits may be broken numbers (4.5 a weight with a scale of 16 bits in blocks of 32) is not said; nor whether rows may be 0.
# Whether the step also reads (or writes) the new token's own keys and values is not said in so many words; "earlier tokens" suggests not.
# "milliseconds" may be int or float; a type is not named. model holds "blocks" etc., also of a model without head ("head": 0)?
