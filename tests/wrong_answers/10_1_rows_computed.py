"""Wrong answers to 10.1. A docstring holds the words that only this fault's feedback contains."""


def reads_the_last_token(prompt, new, cached):
    """the last new token is counted"""
    return prompt + new if cached else sum(prompt + k + 1 for k in range(new))


def prompt_read_once_always(prompt, new, cached):
    """only the new rows are counted"""
    return prompt + new - 1


def text_does_not_grow(prompt, new, cached):
    """the text that a pass reads grows"""
    return prompt + new - 1 if cached else prompt * new


def prompt_left_out(prompt, new, cached):
    """the prompt is read again in each pass"""
    if cached or new == 1:
        return prompt + new - 1
    return new * (new + 1) // 2


def no_prefill(prompt, new, cached):
    """prefill is forgotten"""
    if new == 1:
        return prompt
    return new if cached else sum(prompt + k for k in range(new))


def cache_ignored(prompt, new, cached):
    """the cache makes no difference"""
    return sum(prompt + k for k in range(new))
