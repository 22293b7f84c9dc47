import math

import torch


def right_single_precision(table):
    """The logits become float32, so two that differ late in their digits look equal."""
    # right: the statement says that logits are float32 numbers.
    return [int(torch.tensor(row, dtype=torch.float32).argmax()) for row in table]


def wrong_softmax_without_shift(table):
    """Powers of e are compared; very negative logits all become 0, and very large ones overflow.

    Feedback: powers of e become 0 or overflow there
    """
    # wrong for: f([[-1000.0, -999.0]]) gives [0], right [1]
    answers = []
    for row in table:
        powers = [math.exp(score) for score in row]
        answers.append(powers.index(max(powers)))
    return answers


def wrong_search_starts_at_zero(table):
    """The best score so far starts at 0, so a row of negative logits answers 0.

    Feedback: the best so far begins too high
    """
    # wrong for: f([[-2.0, -1.0]]) gives [0], right [1]
    answers = []
    for row in table:
        best, at = 0.0, 0
        for index, score in enumerate(row):
            if score > best:
                best, at = score, index
        answers.append(at)
    return answers


def wrong_search_starts_at_minus_million(table):
    """The best score so far starts at minus a million; logits below it are not seen.

    Feedback: a row of logits far below 0 goes wrong: where does the search begin?
    """
    # wrong for: f([[-3e6, -2e6]]) gives [0], right [1]
    answers = []
    for row in table:
        best, at = -1e6, 0
        for index, score in enumerate(row):
            if score > best:
                best, at = score, index
        answers.append(at)
    return answers


def wrong_one_row_is_squeezed(table):
    """A table of one row gives the id alone instead of a list of one id.

    Feedback: it returned an int where a list is asked for
    """
    # wrong for: f([[0.0, 1.0]]) gives 1, right [1]
    return torch.tensor(table, dtype=torch.float64).argmax(dim=-1).squeeze().tolist()


def right_equal_within_a_billionth(table):
    """The lowest id within a billionth of the largest logit wins."""
    # right: float32 numbers that differ are further apart than that.
    return [
        next(index for index, score in enumerate(row) if math.isclose(score, max(row)))
        for row in table
    ]


def right_sorted_by_two_keys(table):
    """Sort the ids of a row by falling logit and rising id, and take the first."""
    return [sorted(range(len(row)), key=lambda i: (-row[i], i))[0] for row in table]


def right_tournament(table):
    """Neighbours play against each other; the later one must be strictly better to go on."""

    def winner(row, low, high):
        if high - low == 1:
            return low
        middle = (low + high) // 2
        left, right = winner(row, low, middle), winner(row, middle, high)
        return right if row[right] > row[left] else left

    return [winner(row, 0, len(row)) for row in table]


# STATEMENT: an empty table (T = 0), infinite logits and a bare tensor in the list as id are open.
# Logits that differ by less than softmax can show (0 and -1e-17) are "equally likely" in floats
# only.
