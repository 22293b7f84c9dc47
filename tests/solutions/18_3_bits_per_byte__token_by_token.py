import math


def bits_per_byte(losses, text):
    """Each loss is a probability; its bits are added up."""
    bits = 0.0
    for loss in losses:
        bits -= math.log2(math.exp(-loss))
    return bits / len(bytearray(text, "utf-8"))
