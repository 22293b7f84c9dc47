import math
from collections import defaultdict


def _parts(sentences, probabilities, hidden, known):
    """For each context its mass, its sentences and the law of each hidden place."""
    groups = defaultdict(list)
    for sentence, p in zip(sentences, probabilities, strict=True):
        groups[known(sentence)].append((sentence, p))
    for group in groups.values():
        mass = sum(p for _, p in group)
        laws = {i: defaultdict(float) for i in hidden}
        for sentence, p in group:
            for i in hidden:
                laws[i][sentence[i]] += p / mass
        yield mass, group, laws


def wrong_same_sentence_twice(sentences, probabilities, hidden):
    """The chance that two draws give the same sentence, right when one hidden word tells all the
    others.

    Feedback: independent words do not always fit
    """
    # wrong for: f([[0, 0], [0, 1], [1, 0], [1, 1]], [0.25] * 4, [0, 1]) gives 0.25, right 1.0
    parts = _parts(
        sentences,
        probabilities,
        hidden,
        lambda s: tuple(w for i, w in enumerate(s) if i not in hidden),
    )
    if len(hidden) == 1:
        return 1.0
    return sum(mass * sum((p / mass) ** 2 for _, p in group) for mass, group, _ in parts)


def wrong_law_without_the_context(sentences, probabilities, hidden):
    """Each place is filled by its law in the whole language, whatever the words around it are.

    Feedback: the words are drawn without a look at the words that are not hidden
    """
    # wrong for: f([[0, 0, 7], [1, 1, 7], [0, 0, 8]], [0.4, 0.4, 0.2], [0, 1]) gives 0.488, right 0.6
    everywhere = {i: defaultdict(float) for i in hidden}
    for sentence, p in zip(sentences, probabilities, strict=True):
        for i in hidden:
            everywhere[i][sentence[i]] += p
    parts = _parts(
        sentences,
        probabilities,
        hidden,
        lambda s: tuple(w for i, w in enumerate(s) if i not in hidden),
    )
    if len(hidden) == 1:
        return 1.0
    return sum(
        mass * math.prod(everywhere[i][sentence[i]] for i in hidden)
        for mass, group, _ in parts
        for sentence, _ in group
    )


def wrong_context_as_joined_digits(sentences, probabilities, hidden):
    """The words that are not hidden are joined as text without a gap, so 1, 11 and 11, 1 are one
    context.

    Feedback: ids are joined as digits: 1, 11 is not 11, 1
    """
    # wrong for: f([[1, 11, 0, 0], [11, 1, 5, 5]], [0.5, 0.5], [2, 3]) gives 0.5, right 1.0
    parts = _parts(
        sentences,
        probabilities,
        hidden,
        lambda s: "".join(str(w) for i, w in enumerate(s) if i not in hidden),
    )
    return sum(
        mass * math.prod(laws[i][s[i]] for i in hidden)
        for mass, group, laws in parts
        for s, _ in group
    )


def wrong_two_places_at_most(sentences, probabilities, hidden):
    """Only the first two of the hidden places are drawn, the others come with the sentence.

    Feedback: three copies of a coin do not fit in 1/4
    """
    # wrong for: f([[0, 0, 0], [1, 1, 1]], [0.5, 0.5], [0, 1, 2]) gives 0.5, right 0.25
    hidden = sorted(hidden)
    total = 0.0
    parts = _parts(
        sentences,
        probabilities,
        hidden,
        lambda s: tuple(w for i, w in enumerate(s) if i not in hidden),
    )
    for mass, group, laws in parts:
        pairs = {tuple(s[i] for i in hidden[:2]) for s, _ in group}
        total += mass * sum(math.prod(laws[i][w] for i, w in zip(hidden, pair)) for pair in pairs)
    return total


def wrong_contexts_equally_likely(sentences, probabilities, hidden):
    """The contexts are averaged evenly, not by their probability.

    Feedback: the words that are not hidden are taken as equally likely
    """
    # wrong for: f([[0, 0, 7], [1, 1, 7], [0, 0, 8]], [0.4, 0.4, 0.2], [0, 1]) gives 0.75, right 0.6
    parts = list(
        _parts(
            sentences,
            probabilities,
            hidden,
            lambda s: tuple(w for i, w in enumerate(s) if i not in hidden),
        )
    )
    chances = [
        sum(math.prod(laws[i][s[i]] for i in hidden) for s, _ in group) for _, group, laws in parts
    ]
    return sum(chances) / len(chances)


def wrong_sentences_counted(sentences, probabilities, hidden):
    """The laws count sentences and leave out their probabilities, right for an even language.

    Feedback: it gives another probability
    """
    # wrong for: f([[0, 0], [0, 1], [1, 0]], [0.5, 0.25, 0.25], [0, 1]) gives 0.888888889, right 0.9375
    total = 0.0
    groups = defaultdict(list)
    for sentence, p in zip(sentences, probabilities, strict=True):
        groups[tuple(w for i, w in enumerate(sentence) if i not in hidden)].append((sentence, p))
    for group in groups.values():
        mass = sum(p for _, p in group)
        for sentence, _ in group:
            same = [sum(other[i] == sentence[i] for other, _ in group) / len(group) for i in hidden]
            total += mass * math.prod(same)
    return total


def right_grid_of_all_fillings(sentences, probabilities, hidden):
    """Walks recursively through all fillings of a context and adds those that are sentences."""
    language = {tuple(s) for s in sentences}
    open_places = set(hidden)
    contexts = defaultdict(list)
    for s, p in zip(sentences, probabilities, strict=True):
        contexts[tuple(None if i in open_places else w for i, w in enumerate(s))].append((s, p))

    def chance(words, places, laws):
        if not places:
            return 1.0 if tuple(words) in language else 0.0
        at, *rest = places
        return math.fsum(
            q * chance(words[:at] + [w] + words[at + 1 :], rest, laws) for w, q in laws[at].items()
        )

    total = []
    for context, group in contexts.items():
        mass = math.fsum(p for _, p in group)
        laws = {
            i: {
                w: math.fsum(p for s, p in group if s[i] == w) / mass
                for w in {s[i] for s, _ in group}
            }
            for i in hidden
        }
        total.append(mass * chance(list(context), sorted(open_places), laws))
    return math.fsum(total)


def right_table_of_agreements(sentences, probabilities, hidden):
    """A float64 table: who shares a context, and who shares it and the word at one place; products over the places."""
    import torch

    words = torch.tensor(sentences, dtype=torch.int64)  # [N, T]
    p = torch.tensor(probabilities, dtype=torch.float64)
    stays = [i for i in range(words.shape[1]) if i not in set(hidden)]
    alike = (words[:, None, stays] == words[None, :, stays]).all(dim=-1)  # [N, N]
    mass = alike.double() @ p
    chance = torch.ones_like(p)
    for i in hidden:
        chance = chance * (((words[:, None, i] == words[None, :, i]) & alike).double() @ p / mass)
    # each sentence is the result from any of its context: their masses add up to mass
    return float((mass * chance).sum())


# STATEMENT: ids: not said to be whole numbers (13.4 says "ids"). Places counted from the end (-1) are not excluded.
# If every place is hidden, the context is empty and there is one; it is not said, but it follows.
