import math
from collections import defaultdict


def best_loss(sentences, weights, k, position):
    """Return the lowest loss, in nats a predicted token, of a model that sees the last k tokens.

    sentences: a list of id lists, each from <bos> to <eos>. weights: how likely each is, positive
    numbers of any sum. k: a whole number of 0 or more; near the beginning the model sees all
    tokens there are. position: whether it also knows how many tokens came before.
    """
    # In echo the word after the comma is the shape once more. The comma and its position tell only
    # the style, so a model with k = 1 tosses a coin there: ln 2 more a sentence, 0.077016 a token.
    # The shape stands two tokens back in style 0 and five in style 1, so k = 5 reaches the floor.
    pair = defaultdict(float)  # weight of (what is seen, next token)
    context = defaultdict(float)  # weight of what is seen
    predicted = 0.0  # weight of all predicted tokens
    for sentence, weight in zip(sentences, weights, strict=True):
        for t in range(1, len(sentence)):
            seen = (tuple(sentence[max(0, t - k) : t]), position and t)
            pair[seen, sentence[t]] += weight
            context[seen] += weight
            predicted += weight
    # the best model gives each token its share of its context's weight
    surprise = sum(-w * math.log(w / context[seen]) for (seen, _), w in pair.items())
    return surprise / predicted
