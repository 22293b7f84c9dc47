from fractions import Fraction


def wrong_all_tokens_counted(probabilities, lengths):
    """probabilities are divided by all tokens, not by the targets, one less

    Feedback: the first token is counted as a target
    """
    # wrong for: f([0.5, 0.5], [2, 3]) gives [0.6, 0.4], right [2/3, 1/3]
    shares = [p / n if n > 1 else 0.0 for p, n in zip(probabilities, lengths, strict=True)]
    return [share / sum(shares) for share in shares]


def wrong_at_least_one_target(probabilities, lengths):
    """a sentence of one token is given one target against the division by 0

    Feedback: a sentence without targets is learned
    """
    # wrong for: f([0.5, 0.5], [1, 2]) gives [0.5, 0.5], right [0, 1]
    shares = [p / max(n - 1, 1) for p, n in zip(probabilities, lengths, strict=True)]
    return [share / sum(shares) for share in shares]


def wrong_without_targets_left_out(probabilities, lengths):
    """sentences without targets are missing in the list, so that the rest no longer stands at its
    place

    Feedback: it returned 2 items where 3 are asked for
    """
    # wrong for: f([0.5, 0.5], [1, 2]) gives [1.0], right [0, 1.0]
    shares = [p / (n - 1) for p, n in zip(probabilities, lengths, strict=True) if n > 1]
    return [share / sum(shares) for share in shares]


def wrong_removed_after_scaling(probabilities, lengths):
    """sentences of one token are set to 0 only after all have been scaled, so the rest no longer
    sums to 1

    Feedback: it is not the law that is learned
    """
    # wrong for: f([0.5, 0.5], [1, 2]) gives [0, 0.5], right [0, 1]
    shares = [p / max(n - 1, 1) for p, n in zip(probabilities, lengths, strict=True)]
    total = sum(shares)
    return [0.0 if n == 1 else share / total for share, n in zip(shares, lengths, strict=True)]


def wrong_one_sentence_a_length(probabilities, lengths):
    """shares are kept in a dict by length, so the last sentence of a length overwrites the others

    Feedback: it is not the law that is learned
    """
    # wrong for: f([0.5, 0.3, 0.2], [2, 2, 3]) gives [0.75, 0.75, 0.25], right [0.556, 0.333, 0.111]
    shares = {n: p / (n - 1) if n > 1 else 0.0 for p, n in zip(probabilities, lengths, strict=True)}
    total = sum(shares.values())
    return [shares[n] / total if total else 0.0 for n in lengths]


def wrong_tiny_ones_vanish(probabilities, lengths):
    """results are rounded to four digits, so rare sentences are gone and the sum is not 1

    Feedback: it is not the law that is learned
    """
    # wrong for: f([1e-6, 1 - 1e-6], [2, 2]) gives [0.0, 1.0], right [1e-06, 0.999999]
    shares = [p / (n - 1) if n > 1 else 0.0 for p, n in zip(probabilities, lengths, strict=True)]
    return [round(share / sum(shares), 4) for share in shares]


def right_exact_fractions(probabilities, lengths):
    """exact fractions, floats only at the end"""
    shares = [
        Fraction(p) / (n - 1) if n != 1 else Fraction(0)
        for p, n in zip(probabilities, lengths, strict=True)
    ]
    return [float(share / sum(shares)) for share in shares]


def right_relative_to_the_shortest(probabilities, lengths):
    """each sentence's weight is the shortest target count over its own; the rest is kept at its share"""
    shortest = min(n - 1 for n in lengths if n > 1)

    class Share(float):
        @classmethod
        def of(cls, p, n):
            return cls(p * shortest / (n - 1)) if n > 1 else cls(0)

    shares = list(map(Share.of, probabilities, lengths))
    whole = sum(shares)
    return [float(share / whole) for share in shares]


# STATEMENT: "If all sentences are of one length, nothing is changed": to the last bit, or up to rounding (probabilities that sum to 1 - 1e-16 are
# scaled)? How exactly the probabilities sum to 1 is not said. The lists are not empty because one sentence must have a target.
