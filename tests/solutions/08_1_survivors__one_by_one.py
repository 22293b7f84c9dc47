def survivors(law, control, setting):
    """Ask each word by itself: how many stand before it, how far is it below the likeliest."""

    def stand_before(token):
        more = sum(p > law[token] for p in law)
        return more + law[:token].count(law[token])

    kept = []
    for token, p in enumerate(law):
        if p == 0:
            continue
        if control == "top_k" and stand_before(token) < setting:
            kept.append(token)
        if control == "min_p" and p / max(law) >= setting:
            kept.append(token)
    return kept
