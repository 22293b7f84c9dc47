def wrong_compared_as_far_as_both_go(sentences, prompt):
    """Compares only as far as both go, so a prompt that is longer than a sentence still leaves it.

    Feedback: a sentence that is shorter than the prompt does not begin with it
    """
    # wrong for: f([[1, 3, 2]], [1, 3, 2, 5]) gives [0], right []
    return [
        i
        for i, sentence in enumerate(sentences)
        if all(word == wanted for word, wanted in zip(sentence, prompt))
    ]


def wrong_index_of_the_first_equal(sentences, prompt):
    """Asks the list for the index of the sentence, and gets that of the first equal one: a
    sentence that stands there twice has one index twice.

    Feedback: a sentence that stands twice has two indices, each its own
    """
    # wrong for: f([[1, 3, 2], [1, 3, 2]], [1]) gives [0, 0], right [0, 1]
    return [sentences.index(s) for s in sentences if s[: len(prompt)] == prompt]
