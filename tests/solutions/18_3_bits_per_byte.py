import math


def bits_per_byte(losses, text):
    """Return the bits per byte of a text, from the loss of each of its tokens in nats."""
    return sum(losses) / math.log(2) / len(text.encode())
