import torch


def family(mask):
    """Return "encoder", "decoder", "prefix" or "other" for a boolean mask [T, T], T >= 3.

    A prefix of 1 would be the decoder's triangle: a token always sees itself. A prefix of T would
    be the encoder's full square.
    """
    length = int(mask[0].sum())  # how many tokens the first one sees
    past = torch.ones_like(mask).tril()  # [T, T]
    in_prefix = torch.arange(len(mask)) < length  # [T]
    if not torch.equal(mask, past | in_prefix):
        return "other"
    if length == 1:
        return "decoder"
    return "encoder" if length == len(mask) else "prefix"
