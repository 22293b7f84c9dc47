import torch


def _kept(store={}):
    return store


def wrong_minus_T(S, T):
    """The words are addressed from the end by -T, which for T = 0 is everything.

    Feedback: no patch sees any patch: True means may attend
    """
    # wrong for: f(2, 0) gives [[0, 0], [0, 0]], right [[1, 1], [1, 1]]
    mask = torch.ones(S + T, S + T, dtype=torch.bool)
    mask[:, -T:] = False
    mask[-T:, -T:] = torch.ones(T, T, dtype=torch.bool).tril() if T else False
    return mask


def wrong_word_does_not_see_itself(S, T):
    """Words see the words before them, but not themselves.

    Feedback: a word does not see itself
    """
    # wrong for: f(1, 2) gives [[1, 0, 0], [1, 0, 0], [1, 1, 0]], right [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    mask = torch.ones(S + T, S + T, dtype=torch.bool).tril(diagonal=-1)
    mask[:, :S] = True
    return mask


def wrong_patches_see_first_word(S, T):
    """The square of the patches is one column too wide, so they see the first word.

    Feedback: a patch sees a word
    """
    # wrong for: f(2, 2) gives [[1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 1]], right [[1, 1, 0, 0], [1, 1,
    # 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    mask = torch.ones(S + T, S + T, dtype=torch.bool).tril()
    mask[:S, : S + 1] = True
    return mask


def wrong_kept_by_total_length(S, T):
    """A mask is kept between calls and found again by its size, S + T.

    Feedback: a patch sees a word
    """
    # wrong for: f(2, 2); f(3, 1) gives [[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]], right [[1, 1, 1, 0],
    # [1, 1, 1, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    kept = _kept()
    if S + T not in kept:
        mask = torch.ones(S + T, S + T, dtype=torch.bool).tril()
        mask[:, :S] = True
        kept[S + T] = mask
    return kept[S + T]


def wrong_whole_numbers(S, T):
    """The table holds 0 and 1 as whole numbers, which no mask in torch understands as may and may
    not.

    Feedback: it returned whole numbers (int64) where boolean ones are asked for
    """
    # wrong for: f(1, 1) gives [[1.0, 0.0], [1.0, 1.0]], right [[1, 0], [1, 1]]
    mask = torch.ones(S + T, S + T, dtype=torch.int64).tril()
    mask[:, :S] = 1
    return mask


def wrong_words_see_all_without_patches(S, T):
    """Without patches there is nothing to mask, so the words see everything.

    Feedback: a word sees a later word
    """
    # wrong for: f(0, 2) gives [[1, 1], [1, 1]], right [[1, 0], [1, 1]]
    mask = torch.ones(S + T, S + T, dtype=torch.bool)
    if S:
        mask[:, S:] = torch.cat([torch.zeros(S, T), torch.ones(T, T).tril()]).bool()
    return mask


def right_block_matrix(S, T):
    """Four blocks, put together by cat; the empty ones take care of themselves."""
    top = torch.cat([torch.ones(S, S), torch.zeros(S, T)], dim=1)
    below = torch.cat([torch.ones(T, S), torch.tril(torch.ones(T, T))], dim=1)
    return torch.cat([top, below], dim=0) > 0.5


def right_last_seen_place(S, T):
    """Each row sees the places up to max(itself, the last patch): one comparison of two arange."""
    row = torch.arange(S + T).clamp(min=S - 1)
    return row.unsqueeze(1).ge(torch.arange(S + T).unsqueeze(0))


# STATEMENT: both S and T may be 0 at once by "S or T may be 0": a mask [0, 0]. Nothing else is open.
