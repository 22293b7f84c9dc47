import math
from collections import defaultdict
from fractions import Fraction


def _mass(sentences, weights, key):
    table = defaultdict(lambda: defaultdict(float))
    for sentence, weight in zip(sentences, weights, strict=True):
        for t in range(1, len(sentence)):
            table[key(sentence, t)][sentence[t]] += weight
    return table


def _surprise(table, sentence, t, key):
    law = table[key(sentence, t)]
    return math.log(sum(law.values()) / law[sentence[t]])


def _loss(sentences, weights, key):
    table = _mass(sentences, weights, key)
    paid = predicted = 0.0
    for sentence, weight in zip(sentences, weights, strict=True):
        paid += weight * sum(_surprise(table, sentence, t, key) for t in range(1, len(sentence)))
        predicted += weight * (len(sentence) - 1)
    return paid / predicted


def wrong_mean_of_the_means(sentences, weights, k, position):
    """Each sentence is divided by its own length before averaging.

    Feedback: it averages over sentences first
    """

    # wrong for: f([[1, 3, 2], [1, 4, 5, 5, 5, 2]], [1, 1], 9, True) gives 0.24260151319598083,
    # right 0.19804205158855578
    def key(sentence, t):
        return tuple(sentence[max(0, t - k) : t]), t if position else None

    table, loss = _mass(sentences, weights, key), 0.0
    for sentence, weight in zip(sentences, weights, strict=True):
        n = len(sentence) - 1
        loss += weight * sum(_surprise(table, sentence, t, key) for t in range(1, n + 1)) / n
    return loss / sum(weights)


def wrong_minus_nought_is_everything(sentences, weights, k, position):
    """The last k tokens are taken as [-k:], which for k = 0 is the whole past.

    Feedback: k = 0 shows it the whole past
    """

    # wrong for: f([[1, 3, 4, 2], [1, 4, 3, 2]], [1, 1], 0, False) gives 0.23104906018664842, right
    # 1.0986122886681098
    def key(sentence, t):
        return tuple(sentence[:t][-k:]), t if position else None

    return _loss(sentences, weights, key)


def wrong_weights_sum_to_one(sentences, weights, k, position):
    """The weights are used as probabilities without dividing by their sum.

    Feedback: the weights are divided by their sum in one place and not in the other
    """

    # wrong for: f([[1, 3, 2], [1, 4, 2]], [3, 1], 2, False) gives 1.1246702892376166, right
    # 0.2811675723094041
    def key(sentence, t):
        return tuple(sentence[max(0, t - k) : t]), t if position else None

    table = _mass(sentences, weights, key)
    paid = sum(
        w * sum(_surprise(table, s, t, key) for t in range(1, len(s)))
        for s, w in zip(sentences, weights, strict=True)
    )
    shares = [w / sum(weights) for w in weights]
    return paid / sum(w * (len(s) - 1) for s, w in zip(sentences, shares, strict=True))


def wrong_place_from_the_end(sentences, weights, k, position):
    """The position is counted from the end of the sentence, which gives the length away.

    Feedback: the position is counted from the end of a sentence
    """

    # wrong for: f([[1, 3, 2], [1, 3, 3, 2]], [1, 1], 1, True) gives 0.0, right 0.2772588722239781
    def key(sentence, t):
        return tuple(sentence[max(0, t - k) : t]), len(sentence) - t if position else None

    return _loss(sentences, weights, key)


def wrong_context_as_joined_text(sentences, weights, k, position):
    """The last tokens are joined without a gap, so 1 12 and 11 2 are the same context.

    Feedback: two contexts are taken for one
    """

    # wrong for: f([[1, 3, 34, 5, 2], [1, 33, 4, 6, 2]], [1, 1], 2, False) gives
    # 0.34657359027997264, right 0.17328679513998632
    def key(sentence, t):
        return "".join(map(str, sentence[max(0, t - k) : t])), t if position else None

    return _loss(sentences, weights, key)


def wrong_nine_tokens_at_most(sentences, weights, k, position):
    """No more than the last nine tokens are ever seen.

    Feedback: in long sentences it sees another number of tokens than k
    """

    # wrong for: f([[1, 3] + [5] * 12 + [6, 2], [1, 4] + [5] * 12 + [7, 2]], [1, 1], 20, False)
    # gives 0.2423756626396749, right 0.046209812037329684
    def key(sentence, t):
        return tuple(sentence[max(0, t - min(k, 9)) : t]), t if position else None

    return _loss(sentences, weights, key)


def right_entropy_of_each_context(sentences, weights, k, position):
    """Add up (mass of a context) times (entropy of its law), without a second pass."""
    largest = max(weights)
    joint, alone, predicted = defaultdict(float), defaultdict(float), 0.0
    for sentence, weight in zip(sentences, weights):
        past = []
        for token in sentence:
            if past:
                seen = (len(past) * bool(position), *past[len(past) - min(k, len(past)) :])
                joint[seen, token] += weight / largest
                alone[seen] += weight / largest
                predicted += weight / largest
            past.append(token)
    nats = [m * math.log(alone[seen] / m) for (seen, _), m in joint.items() if m]
    return math.fsum(nats) / predicted


def right_exact_masses(sentences, weights, k, position):
    """Exact fractions for every mass; the logarithm alone is a float."""
    weights = [Fraction(weight) for weight in weights]
    steps = [
        (s[t], (s[:t][::-1][:k], t if position else -1), w)
        for s, w in zip(sentences, weights)
        for t in range(1, len(s))
    ]
    context, both = {}, {}
    for token, (seen, place), w in steps:
        name = (tuple(seen), place)
        context[name] = context.get(name, 0) + w
        both[name, token] = both.get((name, token), 0) + w
    total = sum(context.values())
    return (
        sum(float(m / total) * -math.log(m / context[name]) for (name, _), m in both.items()) or 0.0
    )


# STATEMENT: sums of weights that overflow or underflow (1e308 twice, 1e-320) are "positive numbers
# of any sum". A duplicate sentence is not forbidden here as it is in 01.3 ("as in 01.3" forbids
# it). "helpers.language.echo()" may have moved: in the working tree it is helpers.languages.echo.
