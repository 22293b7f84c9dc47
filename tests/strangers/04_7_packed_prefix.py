import torch


def _parts(document_ids):
    T = len(document_ids)
    place = torch.arange(T)
    same = document_ids[:, None] == document_ids[None, :]
    causal = place[:, None] >= place[None, :]
    position = (same & causal).sum(dim=1) - 1
    return place, same, causal, position


def wrong_counted_from_the_row(document_ids, prefix_lengths):
    """The question's length is compared with the place in the row, not in the text.

    Feedback: places are counted from the row's beginning
    """
    # wrong for: f(torch.tensor([0, 1, 1]), [0, 2]) gives [[1, 0, 0], [0, 1, 0], [0, 1, 1]],
    # right [[1, 0, 0], [0,
    # 1, 1], [0, 1, 1]]
    place, same, causal, _ = _parts(document_ids)
    question = place < torch.tensor(prefix_lengths)[document_ids]
    return same & (causal | question[None, :])


def wrong_question_one_longer(document_ids, prefix_lengths):
    """The token behind the question counts as part of it, as long as there is a question.

    Feedback: the question is one token longer than it should be
    """
    # wrong for: f(torch.tensor([0, 0, 0]), [2]) gives [[1, 1, 1], [1, 1, 1], [1, 1, 1]],
    # right [[1, 1, 0], [1, 1,
    # 0], [1, 1, 1]]
    _, same, causal, position = _parts(document_ids)
    question = position <= torch.tensor(prefix_lengths)[document_ids]
    return same & (causal | question[None, :])


def wrong_questions_are_for_all_texts(document_ids, prefix_lengths):
    """A question may be seen by every token of the row, also from another text.

    Feedback: a question is seen by every text in the row
    """
    # wrong for: f(torch.tensor([0, 1]), [1, 0]) gives [[1, 0], [1, 1]], right [[1, 0], [0, 1]]
    _, same, causal, position = _parts(document_ids)
    question = position < torch.tensor(prefix_lengths)[document_ids]
    return same & causal | question[None, :]


def wrong_first_length_for_all(document_ids, prefix_lengths):
    """The length of the first question is used for every text.

    Feedback: every question gets the length of the first
    """
    # wrong for: f(torch.tensor([0, 1, 1]), [1, 2]) gives [[1, 0, 0], [0, 1, 0], [0, 1, 1]],
    # right [[1, 0, 0], [0,
    # 1, 1], [0, 1, 1]]
    _, same, causal, position = _parts(document_ids)
    return same & (causal | (position < prefix_lengths[0])[None, :])


def wrong_texts_of_equal_length(document_ids, prefix_lengths):
    """The texts are taken to be equally long, so each begins at a multiple of T / number of texts.

    Feedback: the texts are taken to be equally long
    """
    # wrong for: f(torch.tensor([0, 1, 1, 1]), [0, 2]) gives [[1, 0, 0, 0], [0, 1, 1, 1], [0,
    # 1, 1, 1], [0, 1, 1,
    # 1]], right [[1, 0, 0, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 1, 1, 1]]
    place, same, causal, _ = _parts(document_ids)
    long = len(document_ids) // (int(document_ids.max()) + 1)
    question = place - document_ids * long < torch.tensor(prefix_lengths)[document_ids]
    return same & (causal | question[None, :])


def wrong_question_sees_the_whole_text(document_ids, prefix_lengths):
    """The tokens of a question may look at all of their text, not only at the question.

    Feedback: a question sees its whole text
    """
    # wrong for: f(torch.tensor([0, 0, 0]), [1]) gives [[1, 1, 1], [1, 1, 0], [1, 1, 1]],
    # right [[1, 0, 0], [1, 1,
    # 0], [1, 1, 1]]
    _, same, causal, position = _parts(document_ids)
    question = position < torch.tensor(prefix_lengths)[document_ids]
    return same & (causal | question[:, None])


def right_block_by_block(document_ids, prefix_lengths):
    """Build the block of each text alone and lay the blocks along the diagonal."""
    blocks = []
    for number, length in enumerate(torch.bincount(document_ids).tolist()):
        block = torch.ones(length, length).tril()
        question = min(prefix_lengths[number], length)
        block[:question, :question] = 1
        blocks.append(block)
    return torch.block_diag(*blocks).bool()


def right_last_visible_key(document_ids, prefix_lengths):
    """Each query has a first and a last visible key: the start of its text, and itself or the
    question's end.
    """
    ids = document_ids.tolist()
    table = torch.zeros(len(ids), len(ids), dtype=torch.bool)
    for t, text in enumerate(ids):
        start, end = ids.index(text), len(ids) - ids[::-1].index(text)
        table[t, start : min(end, max(t + 1, start + prefix_lengths[text]))] = True
    return table


# STATEMENT: a question longer than its text is open ("of text d's first tokens" suggests it
# cannot be;
# "equals masks.prefix" allows it). More lengths than texts are open. Negative lengths too.
