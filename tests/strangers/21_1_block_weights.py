import torch


def wrong_codes_side_by_side(data):
    """byte i is taken to hold the columns 2 i and 2 i + 1

    Feedback: a byte's codes stand side by side: they belong to columns i and i + 16
    """
    # wrong for: [0, 60, 0, 0, 0x21, 0, ...]: columns 0, 1 get 1, 2; right columns 0, 16
    raw = torch.tensor(data, dtype=torch.uint8)
    scale, low = raw[:4].view(torch.float16).float()
    codes = torch.stack([raw[4:] & 15, raw[4:] >> 4], dim=1).flatten()
    return scale * codes + low


def wrong_half_precision(data):
    """calculates in 16-bit floats, which round and overflow

    Feedback: it computes in 16 bits, which rounds: turn scale and low end to 32 bits first
    """
    # wrong for: scale 6000 ([220, 109]), low 0, code 15: gives inf, right 90000; scale 0.1, low 100: rounded
    raw = torch.tensor(data, dtype=torch.uint8)
    scale, low = raw[:4].view(torch.float16)
    codes = torch.cat([raw[4:] & 15, raw[4:] >> 4]).half()
    return (scale * codes + low).float()


def wrong_signed_bytes(data):
    """the high half is taken with its sign, so codes from 8 on become negative

    Feedback: the high half is taken with its sign: codes from 8 on become negative
    """
    # wrong for: [0, 60, 0, 0, 0xF0, 0, ...]: column 16 gives -1, right 15
    raw = torch.tensor(data, dtype=torch.uint8)
    scale, low = raw[:4].view(torch.float16).float()
    signed = raw[4:].view(torch.int8)
    codes = torch.cat([signed & 15, signed >> 4])
    return scale * codes + low


def wrong_smallest_code_is_low(data):
    """the smallest code that is there is taken for 0, as if every block used code 0

    Feedback: code 15 is the high end, not code 0
    """
    # wrong for: [0, 60, 0, 0] + [0x22] * 16: gives all 0, right all 2
    raw = torch.tensor(data, dtype=torch.uint8)
    scale, low = raw[:4].view(torch.float16).float()
    codes = torch.cat([raw[4:] & 15, raw[4:] >> 4])
    return scale * (codes - codes.min()) + low


def _half_without_subnormals(small, big):
    number = small + 256 * big
    if number & 0x7FFF == 0:
        return 0.0
    exponent, fraction = number >> 10 & 31, number & 1023
    size = (1 + fraction / 1024) * 2.0 ** (exponent - 15)
    return -size if number >> 15 else size


def wrong_no_subnormals(data):
    """the 16-bit floats are decoded by hand, without the small numbers nearest to 0

    Feedback: the numbers of 16 bits nearest to 0 have another rule: they are spaced evenly
    """
    # wrong for: [1, 0, 0, 0] + [0xFF] * 16 (scale 2**-24): gives 4.6e-4, right 8.9e-7
    scale = _half_without_subnormals(data[0], data[1])
    low = _half_without_subnormals(data[2], data[3])
    codes = [byte % 16 for byte in data[4:]] + [byte // 16 for byte in data[4:]]
    return torch.tensor([scale * code + low for code in codes])


def wrong_scale_is_positive(data):
    """the scale is taken to be positive, its sign is lost

    Feedback: the scale has a sign, and it is lost
    """
    # wrong for: [0, 188, 0, 0] + [0x11] * 16 (scale -1): gives all 1, right all -1
    raw = torch.tensor(data, dtype=torch.uint8)
    scale, low = raw[:4].view(torch.float16).float()
    codes = torch.cat([raw[4:] & 15, raw[4:] >> 4])
    return scale.abs() * codes + low


def right_by_hand(data):
    """decodes the 16-bit floats by hand with whole numbers and divmod"""

    def half(small, big):
        sign, rest = divmod(small + 256 * big, 2**15)
        exponent, fraction = divmod(rest, 1024)
        if exponent:
            fraction += 1024
        return (-1) ** sign * fraction * 2.0 ** (max(exponent, 1) - 25)

    scale, low = half(*data[:2]), half(*data[2:4])
    halves = [divmod(byte, 16) for byte in data[4:]]
    codes = [bottom for _, bottom in halves] + [top for top, _ in halves]
    return torch.tensor([scale * code + low for code in codes], dtype=torch.float32)


def right_buffer(data):
    """reads a buffer as 16-bit floats, and calculates in float64"""
    ends = torch.frombuffer(bytearray(data[:4]), dtype=torch.float16).double()
    codes = torch.tensor([[b & 0xF for b in data[4:]], [b >> 4 for b in data[4:]]])
    return torch.addcmul(ends[1], ends[0], codes.double()).flatten().float()


# STATEMENT: dtype of the result (float32? 16-bit would overflow or round). inf and nan as scale in "drawn bytes" (exponent 31): not said.
