import torch


def wrong_one_more_when_p_is_met(logits, p):
    """Keeps a word as long as the likelier ones have p or less together (<= in place of <, so that
    p = 0 keeps one): where p is met exactly it keeps one word too many.

    Feedback: one word too many stays: those before it reach p already
    """
    # wrong for: f([0, 0, 0, 0], 0.5) keeps ids 0, 1 and 2, right 0 and 1
    if p >= 1:
        return logits.clone()
    ordered, order = logits.softmax(dim=-1).sort(dim=-1, descending=True, stable=True)
    before = ordered.cumsum(dim=-1) - ordered
    keep = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, order, before <= p)
    return logits.masked_fill(~keep, -torch.inf)


def wrong_cut_from_the_unlikely_end(logits, p):
    """Removes words from the unlikely end until 1 - p is used up, as libraries do; of equal logits
    the lower ids go first, and should stay.

    Feedback: the right number of words, but the last ids
    """
    # wrong for: f([0, 0, 0, 0], 0.5) keeps ids 2 and 3, right 0 and 1
    if p == 1:
        return logits.clone()
    ordered, order = logits.sort(dim=-1, stable=True)
    remove = ordered.softmax(dim=-1).cumsum(dim=-1) <= 1 - p
    remove[..., -1] = False
    return logits.masked_fill(torch.zeros_like(remove).scatter(-1, order, remove), -torch.inf)
