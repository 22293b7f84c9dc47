def rows_computed(prompt, new, cached):
    """The sums written out."""
    again = 0 if cached else (new - 1) * prompt + (new - 1) * (new - 2) // 2
    return prompt + (new - 1) + again
