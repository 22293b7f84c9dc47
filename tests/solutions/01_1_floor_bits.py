import math


def floor_bits(sentences, predicted):
    """Return the floor, in bits a predicted token, of equally likely sentences.

    sentences: how many there are. predicted: the number of predicted tokens in each.
    """
    return math.log2(sentences) / predicted
