import torch


def packed_prefix(document_ids, prefix_lengths):
    """Each text gets its block: a triangle, with a full square at its top left."""
    mask = torch.zeros(len(document_ids), len(document_ids), dtype=torch.bool)
    ids = document_ids.tolist()
    start = 0
    for number, prefix in enumerate(prefix_lengths):
        length = ids.count(number)
        block = torch.tril(torch.ones(length, length)) > 0
        block[:prefix, :prefix] = True
        mask[start : start + length, start : start + length] = block
        start += length
    return mask
