import torch


def block_weights(data):
    """Return the 32 weights of a Q4_1 block, a tensor [32].

    data: its 20 bytes as whole numbers: scale and low end in 16 bits each, then 16 bytes of codes.
    """
    data = torch.tensor(data, dtype=torch.uint8)
    scale, low = data[:4].view(torch.float16).float()
    codes = torch.cat([data[4:] & 15, data[4:] >> 4])  # [32]
    return scale * codes + low
