"""What several checks of lesson 01 need."""

import torch

from helpers.languages import language as languages

PAD, BOS, EOS = languages.PAD, languages.BOS, languages.EOS


def plain(language: languages.Language) -> tuple[list[list[int]], list[float]]:
    """Return the sentences of a language as id lists, and their probabilities."""
    return [list(sentence) for sentence in language.sentences], list(language.probabilities)


def uneven(draw: torch.Generator) -> languages.Language:
    """Return a language of 7 sentences of 2 to 6 tokens that are not equally likely."""
    sentences = [(BOS, EOS), (BOS, 3, EOS), (BOS, 3, 4, EOS), (BOS, 4, 3, EOS)]
    # the last three repeat words, so that one word has several pasts
    sentences += [(BOS, 3, 4, 3, EOS), (BOS, 4, 4, 3, 5, EOS), (BOS, 3, 4, 5, 3, EOS)]
    names = ("<pad>", "<bos>", "<eos>", "red", "green", "blue")
    weights = torch.randint(1, 10, (len(sentences),), generator=draw).tolist()
    return languages.Language.of("seven uneven sentences", names, sentences, weights)


def steps(sentence: list, k: int, position: bool, cut: str = ""):
    """Yield (what is seen, next token) for each step. cut: "", or a known slip in the slice."""
    for t in range(1, len(sentence)):
        if cut == "no max":
            seen = sentence[t - k : t]
        elif cut == "last k":
            seen = sentence[:t][-k:]
        else:
            seen = sentence[max(0, t - k) : t]
        if cut == "joined":
            seen = "".join(map(str, seen))
        where = len(sentence) - t if cut == "from the end" else t
        yield (tuple(seen), where if position else None), sentence[t]
