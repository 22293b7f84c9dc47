import functools


def conditional_step(sentences, probabilities, allowed, prefix):
    """The language's own law times the chance that what follows is allowed, by recursion."""
    weight = {tuple(s): p for s, p in zip(sentences, probabilities, strict=True)}
    wanted = {tuple(s) for s in allowed}

    def share(text):
        return sum(p for s, p in weight.items() if s[: len(text)] == text)

    def next_ids(text):
        return sorted(
            {s[len(text)] for s in weight if len(s) > len(text) and s[: len(text)] == text}
        )

    @functools.cache
    def chance(text):
        """The chance that a text which begins so ends as an allowed one."""
        if text in weight:
            return float(text in wanted)
        if share(text) == 0:
            return 0.0
        return sum(share((*text, t)) / share(text) * chance((*text, t)) for t in next_ids(text))

    start = tuple(prefix)
    if start in weight or chance(start) == 0:
        return {}
    law = {t: share((*start, t)) / share(start) * chance((*start, t)) for t in next_ids(start)}
    return {token: p / chance(start) for token, p in law.items() if p > 0}
