def rows_computed(prompt, new, cached):
    """Return how many token rows pass through the projections to write `new` tokens."""
    # for new = 1 both are the prompt: there is one pass, and nothing was computed before it
    if cached:
        return prompt + new - 1  # prefill, then single rows; the last token is never read
    return sum(prompt + k for k in range(new))  # pass k reads the prompt and k new tokens
