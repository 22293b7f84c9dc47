from functools import reduce


def wrong_joined_digits(sentences, prompt):
    """The prefix is compared as joined text without gaps, so ids run together.

    Feedback: ids are joined to a text, where 1 11 begins as 1 1 1 does
    """
    # wrong for: f([[1, 12, 2], [1, 1, 2]], [1, 1]) gives [0, 1], right [1]
    start = "".join(map(str, prompt))
    return [i for i, s in enumerate(sentences) if "".join(map(str, s)).startswith(start)]


def wrong_last_id_cut(sentences, prompt):
    """The prefix is compared as text with spaces, but the last id may be the start of a longer
    one.

    Feedback: the last id of the prompt is taken for the beginning of a longer id
    """
    # wrong for: f([[1, 3, 12, 2], [1, 3, 1, 2]], [1, 3, 1]) gives [0, 1], right [1]
    start = " ".join(map(str, prompt))
    return [i for i, s in enumerate(sentences) if " ".join(map(str, s)).startswith(start)]


def wrong_zip_stops_early(sentences, prompt):
    """Pairs are compared with zip, which stops at the shorter one: a prompt that goes on after the
    sentence is let in.

    Feedback: a sentence that is shorter than the prompt does not begin with it
    """
    # wrong for: f([[1, 3, 2]], [1, 3, 2, 3]) gives [0], right []
    return [i for i, s in enumerate(sentences) if all(a == b for a, b in zip(s, prompt))]


def wrong_index_of_a_double(sentences, prompt):
    """The index is looked up by the sentence, so a sentence that stands twice gets its first index
    twice.

    Feedback: a sentence that stands twice has two indices, each its own
    """
    # wrong for: f([[1, 3, 2], [1, 3, 2]], [1]) gives [0, 0], right [0, 1]
    return [sentences.index(s) for s in sentences if s[: len(prompt)] == prompt]


def wrong_only_the_last_id(sentences, prompt):
    """Only the last id of the prompt is compared, at its place.

    Feedback: only the last token of the prompt is compared
    """
    # wrong for: f([[1, 3, 5, 2], [1, 4, 5, 2]], [1, 3, 5]) gives [0, 1], right [0]
    n = len(prompt)
    return [i for i, s in enumerate(sentences) if len(s) >= n and s[n - 1] == prompt[-1]]


def wrong_order_ignored(sentences, prompt):
    """The beginning must hold the same ids as the prompt, in whatever order.

    Feedback: not the sentences that begin with the prompt are left, in order
    """
    # wrong for: f([[1, 3, 4, 2], [1, 4, 3, 2]], [1, 3, 4]) gives [0, 1], right [0]
    return [i for i, s in enumerate(sentences) if sorted(s[: len(prompt)]) == sorted(prompt)]


def right_one_id_after_another(sentences, prompt):
    """Begin with all indices and let each id of the prompt throw some out."""
    return reduce(
        lambda left, place: [
            i for i in left if place[0] < len(sentences[i]) and sentences[i][place[0]] == place[1]
        ],
        enumerate(prompt),
        list(range(len(sentences))),
    )


def right_text_with_closed_ends(sentences, prompt):
    """Compare as text in which each id is closed by a comma."""

    def closed(ids):
        return "".join(f"{i}," for i in ids)

    start = closed(prompt)
    return [*filter(lambda i: closed(sentences[i]).startswith(start), range(len(sentences)))]


# STATEMENT: an empty prompt is not spoken of (every sentence begins with it; "[1] must leave all" suggests
# that <bos> is always there). Whether a sentence may stand twice is not said ("a whole sentence must leave
# itself alone" suggests not). Whether the prompt may go on after <eos>, or lack <bos>, is not said; the
# answer is defined all the same. The language's own sentences are tuples, the statement says lists.
