import torch


def left_to_guess(sentences, probabilities, place, seen):
    """Return the entropy of seen and place together, less that of seen alone: the chain rule."""
    words = torch.tensor(sentences)  # [N, T]
    mass = torch.tensor(probabilities, dtype=torch.float64)  # [N]

    def entropy(places):
        if not places:
            return torch.zeros((), dtype=torch.float64)
        _, group = words[:, places].unique(dim=0, return_inverse=True)
        law = torch.zeros(len(words), dtype=torch.float64).index_add(0, group, mass)
        return -torch.xlogy(law, law).sum()

    return entropy([*seen, place]) - entropy(list(seen))
