def packed_positions(document_ids):
    """How many tokens before this one have the same id."""
    same = document_ids[:, :, None] == document_ids[:, None, :]
    return same.long().tril(-1).sum(-1)
