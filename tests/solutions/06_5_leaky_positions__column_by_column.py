import math


def leaky_positions(logits, tokens):
    """One position at a time, by the probability of what came next; float64."""
    law = logits.double().softmax(dim=-1)  # [N, T, V]
    found = []
    for t in range(tokens.shape[1] - 1):
        nats = [
            -row[t][token].log().item() for row, token in zip(law, tokens[:, t + 1], strict=True)
        ]
        if sum(nats) / len(nats) + 0.5 < math.log(law.shape[2]):
            found.append(t)
    return found
