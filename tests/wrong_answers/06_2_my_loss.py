"""Wrong answers to 06.2. A docstring holds the words that only this fault's feedback contains."""


def _losses(logits, answers):
    return logits.logsumexp(-1) - logits.gather(-1, answers[..., None])[..., 0]


def _mean(losses, counted):
    return ((losses * counted).sum() / counted.sum().clamp(min=1)).item()


def never_shifted(logits, tokens, token_mask):
    """nobody shifts"""
    return _mean(_losses(logits, tokens), token_mask)


def shifted_twice(logits, tokens, token_mask):
    """it shifts twice"""
    losses = _losses(logits[:, :-2], tokens[:, 2:])
    return _mean(losses, token_mask[:, :-2] & token_mask[:, 2:])


def overflows(logits, tokens, token_mask):
    """a power of e overflows"""
    powers = logits[:, :-1].exp()
    law = powers.gather(-1, tokens[:, 1:, None])[..., 0] / powers.sum(-1)
    return _mean(-law.log(), token_mask[:, :-1] & token_mask[:, 1:])


def mean_over_padding(logits, tokens, token_mask):
    """every position counts, padding too"""
    losses = _losses(logits[:, :-1], tokens[:, 1:])
    return losses.sum().item() / max(losses.numel(), 1) if token_mask[:, 1:].any() else 0.0


def asks_for_padding(logits, tokens, token_mask):
    """the last real token is asked for the padding"""
    return _mean(_losses(logits[:, :-1], tokens[:, 1:]), token_mask[:, :-1])


def padding_asks(logits, tokens, token_mask):
    """padding is asked for the first real token"""
    return _mean(_losses(logits[:, :-1], tokens[:, 1:]), token_mask[:, 1:])


def by_id(logits, tokens, token_mask):
    """padding is taken from an id"""
    pad = tokens[~token_mask][0].item() if (~token_mask).any() else -1
    return _mean(_losses(logits[:, :-1], tokens[:, 1:]), tokens[:, 1:] != pad)


def mean_of_means(logits, tokens, token_mask):
    """it is a mean of the rows' means"""
    counted = token_mask[:, :-1] & token_mask[:, 1:]
    losses = _losses(logits[:, :-1], tokens[:, 1:]) * counted
    asking = counted.any(1)
    if not asking.any():
        return 0.0
    return (losses.sum(1) / counted.sum(1).clamp(min=1))[asking].mean().item()


def nothing_by_nothing(logits, tokens, token_mask):
    """a mean of nothing"""
    counted = token_mask[:, :-1] & token_mask[:, 1:]
    return _losses(logits[:, :-1], tokens[:, 1:])[counted].mean().item()
