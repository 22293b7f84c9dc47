import torch


def block_weights(data):
    """Byte by byte, also the bits of the two 16-bit numbers."""

    def number(low, high):
        bits = high * 256 + low
        sign = -1 if bits >= 1 << 15 else 1
        exponent, fraction = bits >> 10 & 31, bits & 1023
        if exponent == 0:
            return sign * fraction * 2.0**-24
        return sign * (1024 + fraction) * 2.0 ** (exponent - 25)

    scale, low = number(*data[:2]), number(*data[2:4])
    weights = [0.0] * 32
    for i, byte in enumerate(data[4:]):
        weights[i] = byte % 16 * scale + low
        weights[i + 16] = byte // 16 * scale + low
    return torch.tensor(weights)
