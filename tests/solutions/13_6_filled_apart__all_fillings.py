from itertools import product

import torch


def filled_apart(sentences, probabilities, hidden):
    """Go through all fillings of each frame, and keep those that the language has."""
    words = torch.tensor(sentences)  # [N, T]
    mass = torch.tensor(probabilities, dtype=torch.float64)  # [N]
    language = {tuple(sentence) for sentence in sentences}
    same = torch.ones(len(words), len(words), dtype=torch.bool)
    for t in range(words.shape[1]):
        if t not in hidden:
            same &= words[:, None, t] == words[None, :, t]
    answer = torch.zeros((), dtype=torch.float64)
    for n, frame in enumerate(words):  # each sentence is met with its own probability
        weight = mass * same[n]
        laws = []
        for place in hidden:
            law = torch.zeros(int(words.max()) + 1, dtype=torch.float64)
            laws.append(law.index_add(0, words[:, place], weight / weight.sum()))
        for filling in product(*(law.nonzero().flatten().tolist() for law in laws)):
            text = frame.tolist()
            for place, word in zip(hidden, filling, strict=True):
                text[place] = word
            if tuple(text) in language:
                chance = mass[n].clone()
                for law, word in zip(laws, filling, strict=True):
                    chance *= law[word]
                answer += chance
    return answer.float()
