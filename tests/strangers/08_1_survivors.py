import heapq


def wrong_equals_of_the_kth(law, control, setting):
    """Top-k compares with the k-th largest probability, so words equal to it stay as well.

    Feedback: top-k keeps all words that equal the k-th, not exactly k
    """
    # wrong for: f([0.25, 0.25, 0.25, 0.25], "top_k", 2) gives [0, 1, 2, 3], right [0, 1]
    if control == "top_k":
        bound = sorted(law, reverse=True)[min(setting, len(law)) - 1]
    else:
        bound = setting * max(law)
    return [i for i, p in enumerate(law) if p >= bound and p > 0]


def wrong_higher_ids_first(law, control, setting):
    """Pairs of probability and id are sorted downwards, so of equal words the higher ids stay.

    Feedback: of equally likely words top-k takes those with higher ids
    """
    # wrong for: f([0.5, 0.25, 0.25], "top_k", 2) gives [0, 2], right [0, 1]
    if control == "top_k":
        ranked = sorted(((p, i) for i, p in enumerate(law)), reverse=True)
        return sorted(i for p, i in ranked[:setting] if p > 0)
    return [i for i, p in enumerate(law) if p >= setting * max(law) and p > 0]


def wrong_zeros_fill_up(law, control, setting):
    """Top-k keeps exactly k, if need be with words of probability 0.

    Feedback: a word of probability 0 stays
    """
    # wrong for: f([0.5, 0.0, 0.5], "top_k", 3) gives [0, 1, 2], right [0, 2]
    if control == "top_k":
        return sorted(sorted(range(len(law)), key=lambda i: -law[i])[:setting])
    return [i for i, p in enumerate(law) if p >= setting * max(law) and p > 0]


def wrong_zeros_at_setting_zero(law, control, setting):
    """Min-p with setting 0 keeps everything, also words of probability 0.

    Feedback: a word of probability 0 stays
    """
    # wrong for: f([0.5, 0.0, 0.5], "min_p", 0) gives [0, 1, 2], right [0, 2]
    if control == "top_k":
        return sorted(
            sorted((i for i in range(len(law)) if law[i]), key=lambda i: -law[i])[:setting]
        )
    return [i for i, p in enumerate(law) if p >= setting * max(law)]


def wrong_more_than_the_share(law, control, setting):
    """Min-p asks for more than its share and not for at least its share, except of the likeliest
    word itself.

    Feedback: min-p removes words that are exactly p times as likely
    """
    # wrong for: f([0.5, 0.25, 0.25], "min_p", 0.5) gives [0], right [0, 1, 2]
    if control == "top_k":
        return sorted(
            sorted((i for i in range(len(law)) if law[i]), key=lambda i: -law[i])[:setting]
        )
    top = max(law)
    return [i for i, p in enumerate(law) if p > setting * top or p == top]


def wrong_one_millionth_is_zero(law, control, setting):
    """A probability under one in a million is taken for 0.

    Feedback: a word with a tiny probability is taken for impossible
    """
    # wrong for: f([1.0, 1e-9], "top_k", 2) gives [0], right [0, 1]; f([1.0, 1e-9], "min_p", 0) gives [0], right [0, 1]
    if control == "top_k":
        return sorted(
            sorted((i for i, p in enumerate(law) if p > 1e-6), key=lambda i: -law[i])[:setting]
        )
    return [i for i, p in enumerate(law) if p >= setting * max(law) and p > 1e-6]


def right_heap_of_the_likeliest(law, control, setting):
    """The k smallest pairs (less probability, id) from a heap; for min-p a filter over the possible words."""
    possible = [(-p, i) for i, p in enumerate(law) if p > 0]
    if control == "top_k":
        return sorted(i for _, i in heapq.nsmallest(int(setting), possible))
    best = min(possible)[0]
    return [i for minus, i in possible if minus <= setting * best]


def right_count_who_is_ahead(law, control, setting):
    """A word stays under top-k if fewer than k stand ahead of it, under min-p if it reaches its share."""

    class Word:
        def __init__(self, i):
            self.i, self.p = i, law[i]

        def ahead(self):
            return sum(p > self.p or (p == self.p and i < self.i) for i, p in enumerate(law))

        def stays(self):
            if not self.p:
                return False
            if control == "top_k":
                return self.ahead() < setting
            return self.p >= setting * max(law)

    return [i for i in range(len(law)) if Word(i).stays()]


# STATEMENT: at the exact bound of min-p floats decide: p >= s * max and p / max >= s may differ in the last digit (0.15 of 0.5
# at 0.3). Must the law sum to 1? Is k perhaps a float (2.0)? Whether all may be 0 is not said.
