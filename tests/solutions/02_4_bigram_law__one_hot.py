import torch
import torch.nn.functional as F


def bigram_law(sentences, V):
    """Sums of products of one-hot rows; each row of sums is divided where it has any."""
    counts = torch.zeros(V, V, dtype=torch.float64)
    for sentence in sentences:
        rows = F.one_hot(torch.tensor(sentence), V).double()  # [T, V]
        counts += rows[:-1].T @ rows[1:]
    law = counts.clone()
    for word in range(V):
        if counts[word].any():
            law[word] = counts[word] / counts[word].sum()
    return law
