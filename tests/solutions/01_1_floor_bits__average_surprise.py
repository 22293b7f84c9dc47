import math


def floor_bits(sentences, predicted):
    """The average surprise of all sentences, in nats, brought to bits at the end."""
    law = [1 / sentences] * sentences
    nats = sum(-p * math.log(p) for p in law)
    return nats / math.log(2) / predicted
