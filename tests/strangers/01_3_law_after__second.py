from collections import defaultdict
from fractions import Fraction


def wrong_whole_sentence_raises(sentences, weights, prefix):
    """for a prefix that is a whole sentence there is no next token, and it raises IndexError

    Feedback: it has no answer where no sentence goes on: {} is asked for
    """
    # wrong for: law_after([[1, 3, 2]], [1], [1, 3, 2]) raises, right {}
    mass = defaultdict(float)
    n = len(prefix)
    for sentence, weight in zip(sentences, weights):
        if list(sentence[:n]) == list(prefix):
            mass[sentence[n]] += weight
    total = sum(mass.values())
    return {token: m / total for token, m in mass.items()}


def wrong_prefix_as_text(sentences, weights, prefix):
    """the prefix is compared as text, so "1 3" also begins "1 31 2"

    Feedback: two beginnings are taken for one, since their digits written down are alike
    """
    # wrong for: law_after([[1, 3, 4, 2], [1, 31, 5, 2]], [1, 1], [1, 3]) gives {4: .5, 5: .5},
    # right {4: 1.0}
    start = " ".join(map(str, prefix))
    mass = {}
    for sentence, weight in zip(sentences, weights):
        text = " ".join(map(str, sentence))
        if text.startswith(start) and len(sentence) > len(prefix):
            token = sentence[len(prefix)]
            mass[token] = mass.get(token, 0) + weight
    total = sum(mass.values())
    return {token: m / total for token, m in mass.items()}


def right_fractions(sentences, weights, prefix):
    """the sentences are narrowed down word by word, and the shares are exact fractions"""
    alive = list(zip(sentences, map(Fraction, weights)))
    for t, token in enumerate(prefix):
        alive = [(s, w) for s, w in alive if len(s) > t + 1 and s[t] == token]
    total = sum(w for _, w in alive)
    return {
        token: float(sum(w for s, w in alive if s[len(prefix)] == token) / total)
        for token in {s[len(prefix)] for s, _ in alive}
    }


# STATEMENT: clear. (May a <eos> stand inside a sentence? "end with <eos>" leaves it open.)
