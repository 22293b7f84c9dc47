import torch


def four_bits(weights):
    """For each weight the nearest of the levels is looked for."""
    packed, scales, lows = [], [], []
    for block in weights.double().split(32):
        levels = torch.linspace(block.min(), block.max(), 16, dtype=torch.float64)
        codes = [int((levels - weight).abs().argmin()) for weight in block]
        packed.append(
            [first | second << 4 for first, second in zip(codes, codes[16:], strict=False)]
        )
        scales.append(levels[1] - levels[0])
        lows.append(levels[0])
    return {
        "bytes": torch.tensor(packed, dtype=torch.int32),
        "scale": torch.stack(scales),
        "low": torch.stack(lows),
    }
