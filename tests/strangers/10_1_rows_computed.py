import math


def _remember(key, make, kept={}):
    if key not in kept:
        kept[key] = make()
    return kept[key]


def wrong_half_by_floats(prompt, new, cached):
    """The sum is taken as count times mean, in floats, which lose the last digits of large
    numbers.

    Feedback: a large count is off by a little: a float does not hold it
    """
    # wrong for: f(1, 200000001, False) gives 20000000300000000, right 20000000300000001
    if cached:
        return prompt + new - 1
    return int(new * ((prompt + prompt + new - 1) / 2))


def wrong_prompt_for_new(prompt, new, cached):
    """The rows of the prompt are counted prompt - 1 more in each of `prompt` passes, not of `new`
    passes.

    Feedback: one new token takes one pass, over the prompt alone, cache or not
    """
    # wrong for: f(2, 5, False) gives 17, right 20 (both examples come out: 28 and 22)
    if cached:
        return prompt + new - 1
    return new * (new + 1) // 2 + prompt * (prompt - 1)


def wrong_one_new_is_one_row(prompt, new, cached):
    """With a cache a single new token is said to cost a single row, as if the prompt had been read
    before.

    Feedback: one new token takes one pass, over the prompt alone, cache or not
    """
    # wrong for: f(4, 1, True) gives 1, right 4
    if cached:
        return prompt + new - 1 if new > 1 else 1
    return sum(range(prompt, prompt + new))


def wrong_answer_kept(prompt, new, cached):
    """Answers are kept by prompt and new only, so the second call with another `cached` gets the
    first answer.

    Feedback: the cache makes no difference
    """
    # wrong for: f(1, 7, False) then f(1, 7, True) gives 28 and 28, right 28 and 7
    rows = [prompt + i for i in range(new)]
    return _remember((prompt, new), lambda: prompt + new - 1 if cached else sum(rows))


def wrong_too_deep(prompt, new, cached):
    """A recursion one step a token, which breaks off in long texts.

    Feedback: a text of 5,000 tokens is too long for it
    """

    # wrong for: f(1, 5000, False) gives RecursionError, right 12502500
    def rows(n):
        if n == 1:
            return prompt
        return (1 if cached else prompt + n - 1) + rows(n - 1)

    return rows(new)


def wrong_longest_seven(prompt, new, cached):
    """With a cache the larger of seven and the new tokens, which fits both examples.

    Feedback: prefill is forgotten: the prompt goes through too, once
    """
    # wrong for: f(1, 3, True) gives 7, right 3; f(4, 8, True) gives 8, right 11
    if cached:
        return max(7, new) if new > 1 else prompt
    return prompt * new + new * (new - 1) // 2


def right_two_triangles(prompt, new, cached):
    """The triangle of the whole text less the triangle of what was never read alone."""
    whole = prompt + new - 1
    return whole if cached else math.comb(whole + 1, 2) - math.comb(prompt, 2)


def right_range_has_a_length(prompt, new, cached):
    """The rows of the last pass are all rows there are; without a cache pair up the first and last pass."""
    passes = range(prompt, prompt + new)
    if cached:
        return passes[-1]
    return (passes[0] + passes[-1]) * len(passes) // 2


# STATEMENT: that the prompt has at least one token is not said (a prompt of 0 gives 0 rows in the first pass by the
# formula, and no model can do that). How large the numbers may be is not said.
