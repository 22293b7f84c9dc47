import torch


def four_bits(weights):
    """Return {"bytes", "scale", "low"} of weights in blocks of 32, with 16 levels in each.

    weights: [K], K = 32 J. bytes: whole numbers from 0 to 255, [J, 16]; byte i holds the code of
    column i in its low half and that of column i + 16 in its high half. scale, low: [J].
    """
    blocks = weights.view(-1, 32)  # [J, 32]
    low, high = blocks.aminmax(dim=1)  # [J] each
    scale = (high - low) / 15
    steps = (blocks - low[:, None]) / scale[:, None]  # NaN in blocks of equal weights
    codes = torch.where(scale[:, None] == 0, 0.0, steps).round().long()  # [J, 32]
    return {"bytes": codes[:, :16] + 16 * codes[:, 16:], "scale": scale, "low": low}
