"""Wrong answers to 04.7. A docstring holds the words that only this fault's feedback contains."""

import torch


def _parts(ids, lengths, extra=0):
    column = torch.arange(len(ids))
    place = column - torch.searchsorted(ids, ids)
    question = place < torch.tensor(lengths)[ids] + extra
    return ids[:, None] == ids, column[None] <= column[:, None], question


def answer_in_view(document_ids, prefix_lengths):
    """answer and all"""
    same, causal, question = _parts(document_ids, prefix_lengths)
    return same & (causal | question[:, None])


def one_token_longer(document_ids, prefix_lengths):
    """one token longer than it should be"""
    same, causal, question = _parts(document_ids, prefix_lengths, extra=1)
    return same & (causal | (question[:, None] & question))


def counted_from_the_row(document_ids, prefix_lengths):
    """from the row's beginning"""
    same, causal, _ = _parts(document_ids, prefix_lengths)
    question = torch.arange(len(document_ids)) < torch.tensor(prefix_lengths)[document_ids]
    return same & (causal | (question[:, None] & question))


def first_length_for_all(document_ids, prefix_lengths):
    """the length of the first"""
    lengths = [prefix_lengths[0]] * len(prefix_lengths)
    same, causal, question = _parts(document_ids, lengths)
    return same & (causal | (question[:, None] & question))


def questions_meet(document_ids, prefix_lengths):
    """questions of different texts"""
    same, causal, question = _parts(document_ids, prefix_lengths)
    return (same & causal) | (question[:, None] & question)


def past_texts_in_view(document_ids, prefix_lengths):
    """the past of other texts"""
    same, causal, question = _parts(document_ids, prefix_lengths)
    return causal | (same & question[:, None] & question)


def no_order_at_all(document_ids, prefix_lengths):
    """sees itself in both directions"""
    return _parts(document_ids, prefix_lengths)[0]


def causal_question(document_ids, prefix_lengths):
    """what comes later in it"""
    same, causal, _ = _parts(document_ids, prefix_lengths)
    return same & causal


def question_sees_only_itself(document_ids, prefix_lengths):
    """what came before it in its text"""
    same, causal, question = _parts(document_ids, prefix_lengths)
    return same & ((causal & ~question) | (question[:, None] & question))


def texts_of_equal_length(document_ids, prefix_lengths):
    """taken to be equally long"""
    same, causal, _ = _parts(document_ids, prefix_lengths)
    length = len(document_ids) // len(prefix_lengths)
    place = torch.arange(len(document_ids)) - document_ids * length
    return same & (causal | (place < torch.tensor(prefix_lengths)[document_ids]))


def questions_for_all_texts(document_ids, prefix_lengths):
    """seen by every text in the row"""
    same, causal, question = _parts(document_ids, prefix_lengths)
    return same & causal | question
