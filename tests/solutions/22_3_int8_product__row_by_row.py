import torch


def int8_product(x, weight):
    """Row by row, with the matrix written out before the product."""
    codes, scales = [], []
    for row in weight.double():
        scale = max(abs(number) for number in row.tolist()) / 127
        scales.append(scale)
        codes.append([round(number / scale) if scale else 0 for number in row.tolist()])
    codes, scales = torch.tensor(codes), torch.tensor(scales, dtype=torch.float64)
    meant = codes * scales[:, None]  # [N, K]
    product = torch.einsum("bk,nk->bn", x.double(), meant)
    return {"codes": codes.int(), "scales": scales, "product": product}
