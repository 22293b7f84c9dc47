import torch


def int8_product(x, weight):
    """Return {"codes", "scales", "product"}: int8 codes and a scale for each row, and x W^T.

    x: [B, K]. weight: [N, K]. codes: whole numbers from -127 to 127, [N, K]. scales: [N].
    product: that of x with the rounded matrix, [B, N].
    """
    scales = weight.abs().amax(dim=1) / 127  # [N]
    steps = weight / scales[:, None]  # NaN in rows of zeros
    codes = torch.where(scales[:, None] == 0, 0.0, steps).round()  # [N, K]
    return {"codes": codes.long(), "scales": scales, "product": (x @ codes.T) * scales}
