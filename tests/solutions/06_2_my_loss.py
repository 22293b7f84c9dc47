def my_loss(logits, tokens, token_mask):
    """Return the mean next-token loss in nats, as a number.

    logits: [B, T, V]. tokens: [B, T], the very tokens that went into the model.
    token_mask: bool [B, T], True = real token.
    """
    scores, answers = logits[:, :-1], tokens[:, 1:]  # [B, T - 1, V], [B, T - 1]
    counted = token_mask[:, :-1] & token_mask[:, 1:]  # both ends of the step are real
    scores = scores - scores.amax(dim=-1, keepdim=True)  # else a power of e may overflow
    losses = scores.exp().sum(dim=-1).log() - scores.gather(-1, answers[..., None]).squeeze(-1)
    return (losses[counted].sum() / counted.sum().clamp(min=1)).item()
