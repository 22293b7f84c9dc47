def last_real(logits, token_mask):
    """First real column plus the number of real tokens, then gather."""
    first = token_mask.int().argmax(1)
    place = first + token_mask.sum(1) - 1
    index = place[:, None, None].expand(-1, 1, logits.shape[2])
    return logits.gather(1, index)[:, 0]
