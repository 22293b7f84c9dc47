"""Wrong answers to 13.6. A docstring holds the words that only this fault's feedback contains."""

import math
from collections import defaultdict


def _groups(sentences, probabilities, hidden):
    found = defaultdict(list)
    for sentence, p in zip(sentences, probabilities, strict=True):
        shown = tuple(word for t, word in enumerate(sentence) if t not in hidden)
        found[shown].append((sentence, p))
    return [(sum(p for _, p in group), group) for group in found.values()]


def _law(group, place):
    law = defaultdict(float)
    total = sum(p for _, p in group)
    for sentence, p in group:
        law[sentence[place]] += p / total
    return law


def _fits(group, laws):
    return sum(math.prod(law[s[place]] for place, law in laws.items()) for s, _ in group)


def drawn_together(sentences, probabilities, hidden):
    """the hidden words are drawn together"""
    return sum(total for total, _ in _groups(sentences, probabilities, hidden))


def blind_to_the_rest(sentences, probabilities, hidden):
    """without a look at the words that are not hidden"""
    everything = list(zip(sentences, probabilities, strict=True))
    laws = {place: _law(everything, place) for place in hidden}
    return sum(t * _fits(group, laws) for t, group in _groups(sentences, probabilities, hidden))


def even_words(sentences, probabilities, hidden):
    """as if all were equally likely"""
    answer = 0.0
    for total, group in _groups(sentences, probabilities, hidden):
        laws = {place: {s[place] for s, _ in group} for place in hidden}
        laws = {place: dict.fromkeys(words, 1 / len(words)) for place, words in laws.items()}
        answer += total * _fits(group, laws)
    return answer


def even_rest(sentences, probabilities, hidden):
    """the words that are not hidden are taken as equally likely"""
    found = [
        _fits(group, {place: _law(group, place) for place in hidden})
        for _, group in _groups(sentences, probabilities, hidden)
    ]
    return sum(found) / len(found)


def the_likeliest(sentences, probabilities, hidden):
    """each place takes its likeliest word"""
    answer = 0.0
    for total, group in _groups(sentences, probabilities, hidden):
        best = {}
        for place in hidden:
            law = _law(group, place)
            best[place] = max(sorted(law), key=law.get)
        answer += total * any(all(s[h] == best[h] for h in hidden) for s, _ in group)
    return answer


def the_very_sentence(sentences, probabilities, hidden):
    """the chance to hit the very sentence"""
    answer = 0.0
    for _, group in _groups(sentences, probabilities, hidden):
        laws = {place: _law(group, place) for place in hidden}
        for sentence, p in group:
            answer += p * math.prod(laws[h][sentence[h]] for h in hidden)
    return answer if len(hidden) > 1 else 1.0


def two_places_only(sentences, probabilities, hidden):
    """only the first two of the hidden places"""
    answer = 0.0
    for total, group in _groups(sentences, probabilities, sorted(hidden)[:2]):
        answer += total * _fits(group, {place: _law(group, place) for place in sorted(hidden)[:2]})
    return answer


def knows_the_others(sentences, probabilities, hidden):
    """someone who knows the other hidden words"""
    answer = 0.0
    for _, group in _groups(sentences, probabilities, hidden):
        for truth, p in group:
            laws = {}
            for place in hidden:
                others = [h for h in hidden if h != place]
                like = [(s, q) for s, q in group if all(s[h] == truth[h] for h in others)]
                laws[place] = _law(like, place)
            answer += p * _fits(group, laws)
    return answer


EQUAL = {
    "0  ->  -1": "all sentences have the same length",
    "True  ->  False": "there is one probability a sentence, so the two lists are equally long",
}
