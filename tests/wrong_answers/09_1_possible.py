"""Wrong answers to 09.1. A docstring holds the words that only this fault's feedback contains."""


def gives_the_sentences(sentences, prompt):
    """it returned the sentences"""
    return [sentence for sentence in sentences if sentence[: len(prompt)] == prompt]


def counts_from_one(sentences, prompt):
    """index 0, not 1"""
    return [i + 1 for i, sentence in enumerate(sentences) if sentence[: len(prompt)] == prompt]


def last_token_only(sentences, prompt):
    """only the last token of the prompt is compared"""
    n = len(prompt)
    return [i for i, sentence in enumerate(sentences) if sentence[n - 1 : n] == prompt[-1:]]


def anywhere(sentences, prompt):
    """not anywhere in a sentence"""
    glued = " ".join(map(str, prompt))
    return [i for i, sentence in enumerate(sentences) if glued in " ".join(map(str, sentence))]


def as_a_set(sentences, prompt):
    """must stand in its order"""
    return [i for i, sentence in enumerate(sentences) if set(prompt) <= set(sentence)]


def zip_stops_early(sentences, prompt):
    """a sentence that is shorter than the prompt"""
    return [
        i
        for i, sentence in enumerate(sentences)
        if all(a == b for a, b in zip(sentence, prompt, strict=False))
    ]


def must_go_on(sentences, prompt):
    """a sentence begins with itself"""
    return [
        i
        for i, sentence in enumerate(sentences)
        if len(sentence) > len(prompt) and sentence[: len(prompt)] == prompt
    ]
