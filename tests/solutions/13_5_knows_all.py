import torch


def knows_all(mask, blocks):
    """Return the places, ascending, whose state depends on every token after this many blocks.

    mask: boolean [T, T], True at (t, s) = t may see s. Every token sees itself.

    For a causal window of W tokens, each block reaches W - 1 tokens further back, and the last
    place needs (T - 1) / (W - 1) blocks, rounded up.
    """
    reach = torch.eye(len(mask))  # [T, T], without a block each state is its own token
    for _ in range(blocks):
        reach = ((mask.float() @ reach) > 0).float()  # 1 = there is a path
    return [t for t, row in enumerate(reach.tolist()) if all(row)]
