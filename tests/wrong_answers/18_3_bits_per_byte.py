"""Wrong answers to 18.3. A docstring holds the words that only this fault's feedback contains."""

import math


def by_characters(losses, text):
    """it divides by characters"""
    return sum(losses) / math.log(2) / len(text)


def in_nats(losses, text):
    """it is in nats"""
    return sum(losses) / len(text.encode())


def multiplies(losses, text):
    """not the reverse"""
    return sum(losses) * math.log(2) / len(text.encode())


def by_tokens(losses, text):
    """it divides by tokens"""
    return sum(losses) / math.log(2) / len(losses)


def mean_over_bytes(losses, text):
    """the mean loss is taken"""
    return sum(losses) / len(losses) / math.log(2) / len(text.encode())


def perplexity(losses, text):
    """it is the perplexity"""
    return math.exp(sum(losses) / len(losses))


def other_bytes(losses, text):
    """not those of UTF-8"""
    return sum(losses) / math.log(2) / len(text.encode("utf-16"))
