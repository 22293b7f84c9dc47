"""Wrong answers to 01.1. A docstring holds the words that only this fault's feedback contains."""

import math


def nats(sentences, predicted):
    """in nats"""
    return math.log(sentences) / predicted


def whole_sentence(sentences, predicted):
    """the entropy of a whole sentence"""
    return math.log2(sentences)


def bos_is_predicted(sentences, predicted):
    """one token too many"""
    return math.log2(sentences) / (predicted + 1)


def divides_first(sentences, predicted):
    """before it takes the logarithm"""
    return math.log2(sentences / predicted)


def perplexity(sentences, predicted):
    """this is the perplexity"""
    return sentences ** (1 / predicted)


def no_logarithm(sentences, predicted):
    """entropy grows with the logarithm"""
    return (sentences > 1) * sentences / predicted


def rounded_down(sentences, predicted):
    """rounds down"""
    return math.log2(sentences) // predicted
