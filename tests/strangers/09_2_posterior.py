import math
from fractions import Fraction

import torch


def _begins(sentence, prompt):
    return list(sentence[: len(prompt)]) == list(prompt)


def wrong_equal_shares(sentences, probabilities, prompt):
    """All sentences that are left get the same share, as in the captions.

    Feedback: the sentences that are left share equally
    """
    # wrong for: f([[1, 3, 2], [1, 4, 2]], [0.75, 0.25], [1]) gives [0.5, 0.5], right [0.75, 0.25]
    fits = [_begins(s, prompt) and p > 0 for s, p in zip(sentences, probabilities)]
    if not any(fits):
        raise ValueError("no sentence begins so")
    return [1 / sum(fits) if fit else 0.0 for fit in fits]


def wrong_zero_probability_not_seen(sentences, probabilities, prompt):
    """Only a prompt that no sentence begins with is refused, not one whose sentences all have
    probability 0.

    Feedback: the sentences that begin with the prompt have probability 0: this must be a
    """
    # wrong for: f([[1, 3, 2], [1, 4, 2]], [1.0, 0.0], [1, 4]) gives ZeroDivisionError, right ValueError
    if not any(_begins(s, prompt) for s in sentences):
        raise ValueError("no sentence begins so")
    total = sum(p for s, p in zip(sentences, probabilities) if _begins(s, prompt))
    return [p / total if _begins(s, prompt) else 0.0 for s, p in zip(sentences, probabilities)]


def right_single_precision(sentences, probabilities, prompt):
    """Computed in float32, where small probabilities vanish and others keep seven digits."""
    # wrong for: f([[1, 3, 2], [1, 4, 2]], [1.0, 1e-50], [1, 4]) raises ValueError, right [0.0, 1.0]
    law = torch.tensor(probabilities)
    law = law * torch.tensor([float(_begins(s, prompt)) for s in sentences])
    if law.sum() == 0:
        raise ValueError("P(prompt) is 0")
    return (law / law.sum()).tolist()


def wrong_one_minus_the_rest(sentences, probabilities, prompt):
    """P(prompt) is taken as one minus all others, which cancels for an improbable prompt.

    Feedback: tiny probabilities lose their proportions
    """
    # wrong for: f([[1, 3, 2], [1, 4, 2]], [1.0, 1e-20], [1, 4]) raises ValueError, right [0.0, 1.0]
    total = 1 - math.fsum(p for s, p in zip(sentences, probabilities) if not _begins(s, prompt))
    if total <= 0:
        raise ValueError("P(prompt) is 0")
    return [p / total if _begins(s, prompt) else 0.0 for s, p in zip(sentences, probabilities)]


def wrong_nearly_zero_refused(sentences, probabilities, prompt):
    """A prompt whose probability is under 1e-9 is refused as if it were 0.

    Feedback: a prompt of tiny probability is taken for an impossible one
    """
    # wrong for: f([[1, 3, 2], [1, 4, 2]], [1 - 1e-12, 1e-12], [1, 4]) raises ValueError, right [0.0, 1.0]
    law = [p if _begins(s, prompt) else 0.0 for s, p in zip(sentences, probabilities)]
    if sum(law) < 1e-9:
        raise ValueError("P(prompt) is 0")
    return [p / sum(law) for p in law]


def wrong_doubles_counted_once(sentences, probabilities, prompt):
    """Sentences are kept in a dictionary, so one that is listed twice has only its last
    probability.

    Feedback: a sentence that stands twice has two probabilities, each its own
    """
    # wrong for: f([[1, 3, 2], [1, 3, 2], [1, 4, 2]], [0.5, 0.25, 0.25], [1, 3]) gives [1.0, 1.0, 0.0],
    # right [0.667, 0.333, 0.0]
    law = {tuple(s): p for s, p in zip(sentences, probabilities)}
    total = sum(p for s, p in law.items() if _begins(s, prompt))
    if total == 0:
        raise ValueError("P(prompt) is 0")
    return [law[tuple(s)] / total if _begins(s, prompt) else 0.0 for s in sentences]


def right_exact_fractions(sentences, probabilities, prompt):
    """Exact fractions, rounded once at the end."""
    law = [Fraction(p) * _begins(s, prompt) for s, p in zip(sentences, probabilities)]
    try:
        return [float(p / sum(law)) for p in law]
    except ZeroDivisionError:
        raise ValueError("P(prompt) is 0") from None


def right_boolean_in_double(sentences, probabilities, prompt):
    """A boolean row in torch, float64, divided only where it is True."""
    fits = torch.tensor([_begins(s, prompt) for s in sentences], dtype=torch.bool)
    law = torch.as_tensor(probabilities, dtype=torch.float64).masked_fill(~fits, 0)
    if not law.any():
        raise ValueError("P(prompt) is 0")
    return law.div(law.sum()).tolist()


# STATEMENT: no tolerance is stated ("must sum to 1", "keep the proportions"), so it is open whether float32
# is good enough where nothing vanishes. "Sum to 1": how far off may the given probabilities be? Whether the
# same sentence may be listed twice is not said. An empty prompt is not spoken of.
