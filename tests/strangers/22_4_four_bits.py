import torch


def wrong_neighbours_share_a_byte(weights):
    """columns 2i and 2i + 1 share a byte, not i and i + 16

    Feedback: neighbours share a byte: columns i and i + 16 do
    """
    # wrong for: f([0.] * 16 + [15.] * 16) gives bytes 0 x 8, 255 x 8, right 240 x 16
    blocks = weights.view(-1, 32)
    low = blocks.amin(1)
    scale = (blocks.amax(1) - low) / 15
    safe = torch.where(scale > 0, scale, 1)
    codes = ((blocks - low[:, None]) / safe[:, None]).round().long()
    return {"bytes": codes[:, ::2] + 16 * codes[:, 1::2], "scale": scale, "low": low}


def wrong_level_below(weights):
    """each weight goes to the level below it, not to the nearest

    Feedback: the codes are rounded down, not to the nearest
    """
    # wrong for: f([0.] * 30 + [0.9, 15.]) gives code 0 for 0.9, right 1
    blocks = weights.reshape(-1, 32)
    low, high = blocks.min(1).values, blocks.max(1).values
    scale = (high - low) / 15
    codes = torch.nan_to_num(
        (blocks - low[:, None]) / scale[:, None] + 1e-4, nan=0.0, posinf=0.0
    ).floor()
    codes = codes.clamp(0, 15).long()
    return {"bytes": codes[:, :16] + 16 * codes[:, 16:], "scale": scale, "low": low}


def wrong_narrow_blocks(weights):
    """a smallest divisor against equal weights is too large for blocks of tiny spread

    Feedback: the levels are not those of the block: its spread is small or large, and counts
    """
    # wrong for: f([0.] * 31 + [1e-7]) gives code 1 (scale 6.7e-9 is taken as 1e-7) for the last, right 15
    blocks = weights.reshape(-1, 32)
    low = blocks.amin(1)
    scale = (blocks.amax(1) - low) / 15
    codes = ((blocks - low[:, None]) / scale.clamp(min=1e-7)[:, None]).round().long()
    return {"bytes": codes[:, :16] | codes[:, 16:] << 4, "scale": scale, "low": low}


def wrong_one_range_for_all(weights):
    """all blocks share the smallest and the largest weight of the whole row

    Feedback: one low end serves all blocks
    """
    # wrong for: f([0.] * 31 + [15.] + [0.] * 31 + [30.]) gives scale [2, 2], right [1, 2] (right for one block)
    blocks = weights.reshape(-1, 32)
    low = weights.min().expand(len(blocks))
    scale = ((weights.max() - weights.min()) / 15).expand(len(blocks))
    codes = torch.nan_to_num((blocks - low[:, None]) / scale[:, None]).round().long()
    return {"bytes": codes[:, :16] + 16 * codes[:, 16:], "scale": scale, "low": low}


def wrong_signed_bytes(weights):
    """bytes are made as int8, so that all from 128 on are negative

    Feedback: a byte holds 0 to 255, and a number outside came out
    """
    # wrong for: f([0.] * 16 + [15.] * 16) gives bytes -16, right 240 (right where the codes of columns 16 to 31 are below 8)
    blocks = weights.reshape(-1, 32)
    low = blocks.amin(1)
    scale = (blocks.amax(1) - low) / 15
    safe = torch.where(scale > 0, scale, 1)
    codes = ((blocks - low[:, None]) / safe[:, None]).round().to(torch.int8)
    return {"bytes": codes[:, :16] + codes[:, 16:] * 16, "scale": scale, "low": low}


def wrong_equal_block_loses_its_height(weights):
    """a block of equal weights gets low 0 besides scale 0, so it comes back as zeros

    Feedback: the low end is not the block's smallest weight
    """
    # wrong for: f([5.] * 32) gives low [0], right [5] (right for equal zeros)
    blocks = weights.reshape(-1, 32)
    low = blocks.amin(1)
    scale = (blocks.amax(1) - low) / 15
    flat = scale == 0
    codes = ((blocks - low[:, None]) / scale.masked_fill(flat, 1.0)[:, None]).round().long()
    return {
        "bytes": codes[:, :16] + 16 * codes[:, 16:],
        "scale": scale,
        "low": low.masked_fill(flat, 0.0),
    }


def right_sorted_between_levels(weights):
    """codes are found by a search among the fifteen middles between the levels"""
    blocks = weights.unflatten(0, (-1, 32)).float()
    low, high = torch.aminmax(blocks, dim=1)
    scale = (high - low) / 15
    middles = scale[:, None] * (torch.arange(15) + 0.5)
    codes = torch.searchsorted(middles.contiguous(), (blocks - low[:, None]).contiguous())
    halves = codes.view(-1, 2, 16)
    pairs = (halves * torch.tensor([1, 16])[:, None]).sum(1)
    return {"low": low, "scale": scale, "bytes": pairs.to(torch.uint8)}


def right_plain_python(weights):
    """lists and plain numbers, one block after the other"""
    numbers = weights.tolist()
    lows, scales, packed = [], [], []
    for start in range(0, len(numbers), 32):
        block = numbers[start : start + 32]
        least, most = min(block), max(block)
        step = (most - least) / 15
        codes = [round((w - least) / step) if step else 0 for w in block]
        lows.append(least)
        scales.append(step)
        packed.append([(b << 4) | a for a, b in zip(codes[:16], codes[16:], strict=True)])
    return {
        "bytes": torch.tensor(packed, dtype=torch.int64).reshape(-1, 16),
        "scale": torch.tensor(scales, dtype=torch.float32),
        "low": torch.tensor(lows, dtype=torch.float32),
    }


# STATEMENT: ties (exactly half a level) are not defined; both neighbours are "nearest". "come back unchanged": to the last bit, or up to rounding of
# low + code * scale in float32? K = 0 is a multiple of 32; nothing says K > 0. The type of "bytes" (uint8 or int64) is free ("whole numbers").
# Near half a level float32 and exact arithmetic may differ by one code. "No NaN" for one equal block beside others: said only of the block itself.
