import math
import statistics
from fractions import Fraction


def wrong_characters_not_bytes(losses, text):
    """divides by the characters of the text instead of its bytes

    Feedback: it divides by characters, not by bytes
    """
    # wrong for: f([math.log(2)], "é") gives 1.0, right 0.5
    return sum(losses) / math.log(2) / len(text)


def wrong_one_prediction_less(losses, text):
    """the first token is thought to be given, so its loss is left out

    Feedback: it is not the loss of the text in bits over its bytes
    """
    # wrong for: f([math.log(2), math.log(2)], "ab") gives 0.5, right 1.0
    return sum(losses[1:]) / (math.log(2) * len(text.encode()))


def wrong_white_space_dropped(losses, text):
    """white space at the ends of the text is not counted

    Feedback: the text is changed before its bytes are counted
    """
    # wrong for: f([math.log(2)], "a\n") gives 1.0, right 0.5
    return sum(losses) / (math.log(2) * len(text.strip().encode()))


def wrong_two_bytes_at_most(losses, text):
    """every character outside ASCII is thought to have two bytes

    Feedback: it divides by tokens, not by bytes
    """
    # wrong for: f([math.log(2)], "あ") gives 0.5, right 1/3
    size = sum(1 if ord(sign) < 128 else 2 for sign in text)
    return sum(losses) / (math.log(2) * size)


def wrong_bytes_per_token(losses, text):
    """mean bits a token over mean bytes a token, the latter cut to a whole number

    Feedback: it is not the loss of the text in bits over its bytes
    """
    # wrong for: f([1.0, 1.0], "abc") gives 1.4427 (1 byte a token), right 0.9618
    size = max(1, len(text.encode()) // len(losses))
    return statistics.mean(losses) / math.log(2) / size


def wrong_rounded(losses, text):
    """the result is rounded to four digits behind the point

    Feedback: it is not the loss of the text in bits over its bytes
    """
    # wrong for: f([1e-6], "a") gives 0.0, right 1.4427e-06
    return round(sum(losses) / (math.log(2) * len(text.encode())), 4)


def right_base_two(losses, text):
    """the bits are the exact sum in fractions times log2(e)"""
    nats = sum(map(Fraction, losses), Fraction(0))
    return float(nats / len(bytes(text, "utf-8"))) * math.log2(math.e)


def right_counted_by_ranges(losses, text):
    """the bytes are counted from the code points, and every loss becomes bits by itself"""
    size = sum(1 + (n > 0x7F) + (n > 0x7FF) + (n > 0xFFFF) for n in map(ord, text))
    return math.fsum(loss / math.log(2) for loss in losses) / size


# STATEMENT: "the text's bytes" are bytes in UTF-8 - said in the lesson, not in the statement. An empty text (0 bytes) and an empty list of losses
# are not defined. Losses of float("inf") are neither allowed nor excluded.
