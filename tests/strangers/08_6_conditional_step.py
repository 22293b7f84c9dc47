from fractions import Fraction
from math import fsum


def wrong_masked_step_law(sentences, probabilities, allowed, prefix):
    """What a grammar does: the language's own next-token law, with the tokens removed that no
    allowed sentence takes.

    Feedback: it looks one step ahead only, as the lesson's grammar does
    """
    # wrong for: the lesson's fork after <bos>: "a" gets 0.40 / 0.73, right 0.214286
    t, said = len(prefix), {}
    may = {tuple(s)[: t + 1] for s in allowed if list(s[:t]) == list(prefix) and len(s) > t}
    for sentence, p in zip(sentences, probabilities, strict=True):
        if tuple(sentence[: t + 1]) in may and p > 0:
            said[sentence[t]] = said.get(sentence[t], 0.0) + p
    total = sum(said.values())
    return {token: p / total for token, p in said.items()}


def wrong_divided_by_all_allowed(sentences, probabilities, allowed, prefix):
    """Always divided by the probability of all that is allowed, which is right after <bos> only.

    Feedback: it divides by all allowed sentences, also those that begin in another way
    """
    # wrong for: the fork after "<bos> my": dog gets 0.13 / 0.42, right 0.13 / 0.33
    may, t, law = {tuple(s) for s in allowed}, len(prefix), {}
    total = sum(p for s, p in zip(sentences, probabilities, strict=True) if tuple(s) in may)
    for s, p in zip(sentences, probabilities, strict=True):
        if p > 0 and tuple(s) in may and list(s[:t]) == list(prefix) and len(s) > t:
            law[s[t]] = law.get(s[t], 0.0) + p / total
    return law


def wrong_allowed_twice_counts_twice(sentences, probabilities, allowed, prefix):
    """Goes through the allowed sentences, so one that stands twice in the list counts twice.

    Feedback: a sentence that stands twice among the allowed ones counts twice
    """
    # wrong for: sentences [1, 3, 2] and [1, 4, 2] with 0.5 each, the first allowed twice: 3 gets 0.667, right 0.5
    chance, t, law = (
        {tuple(s): p for s, p in zip(sentences, probabilities, strict=True)},
        len(prefix),
        {},
    )
    for s in allowed:
        p = chance.get(tuple(s), 0.0)
        if p > 0 and len(s) > t and list(s[:t]) == list(prefix):
            law[s[t]] = law.get(s[t], 0.0) + p
    total = sum(law.values())
    return {token: p / total for token, p in law.items()}


def wrong_never_said_stays_with_zero(sentences, probabilities, allowed, prefix):
    """An allowed sentence that the language never says puts its token into the result, with
    probability 0.

    Feedback: an id without probability stands in the result
    """
    # wrong for: sentences [[1, 3, 2]], probabilities [1.0], allowed [[1, 3, 2], [1, 4, 2]], prefix [1]: {3: 1.0, 4: 0.0}, right {3: 1.0}
    chance, t, law = (
        {tuple(s): p for s, p in zip(sentences, probabilities, strict=True)},
        len(prefix),
        {},
    )
    for s in {tuple(s) for s in allowed}:
        if len(s) > t and s[:t] == tuple(prefix):
            law[s[t]] = law.get(s[t], 0.0) + chance.get(s, 0.0)
    total = sum(law.values())
    return {token: p / total for token, p in law.items()} if total else {}


def wrong_prefix_as_joined_text(sentences, probabilities, allowed, prefix):
    """The prefix is compared as joined text, where 1 3 is also the beginning of 1 34.

    Feedback: the prefix is compared as joined text: 1 3 does not begin 1 34
    """
    # wrong for: sentences [1, 3, 2] and [1, 34, 5, 2], both allowed, 0.5 each, prefix [1, 3]: {2: 0.5, 5: 0.5}, right {2: 1.0}
    may, text, law = {tuple(s) for s in allowed}, "".join(map(str, prefix)), {}
    for s, p in zip(sentences, probabilities, strict=True):
        if (
            p > 0
            and tuple(s) in may
            and len(s) > len(prefix)
            and "".join(map(str, s)).startswith(text)
        ):
            law[s[len(prefix)]] = law.get(s[len(prefix)], 0.0) + p
    total = sum(law.values())
    return {token: p / total for token, p in law.items()}


def wrong_finished_sentence(sentences, probabilities, allowed, prefix):
    """A prefix that is a whole sentence is not expected: there is no token behind its end.

    Feedback: it fails where no allowed sentence goes on: {} is asked for
    """
    # wrong for: f([[1, 3, 2]], [1.0], [[1, 3, 2]], [1, 3, 2]) raises IndexError, right {}
    may, t, law = {tuple(s) for s in allowed}, len(prefix), {}
    for s, p in zip(sentences, probabilities, strict=True):
        if p > 0 and tuple(s) in may and list(s[:t]) == list(prefix):
            law[s[t]] = law.get(s[t], 0.0) + p
    total = sum(law.values())
    return {token: p / total for token, p in law.items()}


def right_exact_fractions_of_masses(sentences, probabilities, allowed, prefix):
    """The mass of what is allowed behind each longer prefix over the mass behind the prefix, in exact fractions."""

    def mass(beginning):
        n = len(beginning)
        return sum(
            (
                Fraction(p)
                for s, p in zip(sentences, probabilities, strict=True)
                if list(s) in may and list(s[:n]) == beginning and len(s) >= n
            ),
            Fraction(0),
        )

    may, prefix = [list(s) for s in allowed], list(prefix)
    tokens = {s[len(prefix)] for s in may if len(s) > len(prefix)}
    whole = {token: mass([*prefix, token]) for token in sorted(tokens)}
    total = sum(whole.values())
    return {token: float(part / total) for token, part in whole.items() if part}


def right_tree_of_what_may_be_said(sentences, probabilities, allowed, prefix):
    """A tree of nested dicts from the allowed sentences that are said; the prefix is a walk down, the weights come back up."""
    may, tree = frozenset(map(tuple, allowed)), {}
    for sentence, p in zip(sentences, probabilities, strict=True):
        if tuple(sentence) not in may or not p > 0:
            continue
        node = tree
        for token in sentence:
            node = node.setdefault(token, {})
        node.setdefault(None, []).append(p)

    def weight(node):
        return fsum(
            fsum(below) if token is None else weight(below) for token, below in node.items()
        )

    node = tree
    for token in prefix:
        node = node.get(token, {})
    weights = {token: weight(below) for token, below in node.items() if token is not None}
    return {token: part / fsum(weights.values()) for token, part in weights.items()}


# STATEMENT: may a sentence stand twice in `sentences` (do its probabilities add up), and may one have probability 0? May `allowed`
# hold a sentence twice? Both are answered by the right answers above as "add" and "count once". A prefix that ends with 2: {} is said
# ("where no allowed sentence goes on").
