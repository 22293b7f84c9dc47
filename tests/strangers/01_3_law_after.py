from collections import Counter, defaultdict
from fractions import Fraction


def wrong_shared_by_all_weights(sentences, weights, prefix):
    """Every mass is divided by the sum of all weights, not of those that go on from the prefix.

    Feedback: the numbers do not sum to 1: divide by what you added up
    """
    # wrong for: f([[1, 3, 4, 2], [1, 3, 5, 2], [1, 6, 2]], [1, 1, 2], [1, 3]) gives {4: 0.25, 5:
    # 0.25}, right {4: 0.5, 5: 0.5}
    mass, n = defaultdict(float), len(prefix)
    for sentence, weight in zip(sentences, weights, strict=True):
        if sentence[:n] == prefix and len(sentence) > n:
            mass[sentence[n]] += weight
    return {token: m / sum(weights) for token, m in mass.items()}


def wrong_prefix_as_joined_text(sentences, weights, prefix):
    """The prefix is compared as joined text, so 1 3 is also the beginning of 1 31.

    Feedback: two beginnings are taken for one
    """
    # wrong for: f([[1, 3, 4, 2], [1, 31, 5, 2]], [1, 1], [1, 3]) gives {4: 0.5, 5: 0.5}, right {4:
    # 1.0}
    mass, n = defaultdict(float), len(prefix)
    start = " ".join(map(str, prefix))
    for sentence, weight in zip(sentences, weights, strict=True):
        if " ".join(map(str, sentence)).startswith(start) and len(sentence) > n:
            mass[sentence[n]] += weight
    return {token: m / sum(mass.values()) for token, m in mass.items()}


def wrong_whole_sentence_goes_on(sentences, weights, prefix):
    """A prefix that is a whole sentence is asked for a token behind its end.

    Feedback: it has no answer where no sentence goes on
    """
    # wrong for: f([[1, 3, 2], [1, 4, 2]], [3, 1], [1, 3, 2]) gives IndexError, right {}
    mass, n = defaultdict(float), len(prefix)
    for sentence, weight in zip(sentences, weights, strict=True):
        if sentence[:n] == prefix:
            mass[sentence[n]] += weight
    return {token: m / sum(mass.values()) for token, m in mass.items()}


def wrong_last_sentence_wins(sentences, weights, prefix):
    """Where several sentences go on with the same token, the last weight replaces the others.

    Feedback: it keeps the weight of one sentence where several must be added
    """
    # wrong for: f([[1, 3, 4, 2], [1, 3, 5, 2], [1, 6, 2]], [1, 1, 2], [1]) gives {3:
    # 0.3333333333333333, 6: 0.6666666666666666}, right {3: 0.5, 6: 0.5}
    n = len(prefix)
    mass = {
        sentence[n]: weight
        for sentence, weight in zip(sentences, weights, strict=True)
        if sentence[:n] == prefix and len(sentence) > n
    }
    return {token: m / sum(mass.values()) for token, m in mass.items()}


def wrong_small_weights_are_nothing(sentences, weights, prefix):
    """A sum of weights below a billionth counts as no sentence at all.

    Feedback: small weights are taken for none at all
    """
    # wrong for: f([[1, 3, 2], [1, 4, 2]], [3e-12, 1e-12], [1]) gives {}, right {3: 0.75, 4: 0.25}
    mass, n = defaultdict(float), len(prefix)
    for sentence, weight in zip(sentences, weights, strict=True):
        if sentence[:n] == prefix and len(sentence) > n:
            mass[sentence[n]] += weight
    total = sum(mass.values())
    return {token: m / total for token, m in mass.items()} if total > 1e-9 else {}


def wrong_zeros_are_kept(sentences, weights, prefix):
    """Every token of the language is in the dict, those that cannot follow with 0.

    Feedback: it names a token that never follows this beginning
    """
    # wrong for: f([[1, 3, 2], [1, 4, 2]], [3, 1], [1]) gives {1: 0.0, 2: 0.0, 3: 0.75, 4: 0.25},
    # right {3: 0.75, 4: 0.25}
    mass, n = dict.fromkeys(sorted({token for s in sentences for token in s}), 0.0), len(prefix)
    for sentence, weight in zip(sentences, weights, strict=True):
        if sentence[:n] == prefix and len(sentence) > n:
            mass[sentence[n]] += weight
    total = sum(mass.values())
    return {token: m / total for token, m in mass.items()} if total else {}


def right_tree_of_weights(sentences, weights, prefix):
    """Build the tree of all sentences with exact weights and walk down the prefix."""

    class Node:
        def __init__(self):
            self.weight, self.children = Fraction(0), {}

        def add(self, rest, weight):
            node = self
            for token in rest:
                node.weight += weight
                node = node.children.setdefault(token, Node())
            node.weight += weight

    root = Node()
    for sentence, weight in zip(sentences, weights, strict=True):
        root.add(sentence, Fraction(weight))
    for token in prefix:
        if token not in root.children:
            return {}
        root = root.children[token]
    total = sum(child.weight for child in root.children.values())
    return {token: float(child.weight / total) for token, child in root.children.items()}


def right_counter_scaled_first(sentences, weights, prefix):
    """Scale by the largest weight first, so neither tiny nor huge weights lose anything."""
    n, going_on = len(prefix), Counter()
    kept = [
        (s, w) for s, w in zip(sentences, weights) if len(s) > n and list(s[:n]) == list(prefix)
    ]
    largest = max((w for _, w in kept), default=1)
    for s, w in kept:
        going_on.update({s[n]: w / largest})
    return {token: share / going_on.total() for token, share in going_on.items()}


# STATEMENT: "positive numbers of any sum" also allows weights whose float sum overflows (1e308
# twice); the plain sum then gives 0 or NaN. The text allows any id list as prefix, the docstring
# only one that begins with <bos>: the empty prefix is open. Tuples for sentences (as in
# language.sentences) are open.
