import math

import torch


def layer_norm(x, scale, shift):
    """One vector after the other, the variance as E[x²] - E[x]² in float64."""
    vectors = []
    for vector in x.double().flatten(0, 1):
        mean = vector.sum() / len(vector)
        variance = max(float(vector @ vector) / len(vector) - float(mean) ** 2, 0)
        vectors.append((vector - mean) * (scale / math.sqrt(variance + 1e-5)) + shift)
    return torch.stack(vectors).view(x.shape)
