import torch
import torch.nn.functional as F


def wrong_rows_run_on(document_ids):
    """The rows are laid behind each other, so a text with the same id in the next row goes on
    counting.

    Feedback: a row goes on counting where the row before it ended
    """
    # wrong for: f(torch.tensor([[7, 7], [7, 7]])) gives [[0, 1], [2, 3]] int64, right [[0,
    # 1], [0, 1]] int64
    flat = document_ids.flatten()
    place = torch.arange(len(flat))
    new = torch.ones(len(flat), dtype=torch.bool)
    new[1:] = flat[1:] != flat[:-1]
    start = torch.where(new, place, 0).cummax(dim=0).values
    return (place - start).view(document_ids.shape)


def wrong_only_a_higher_id_is_new(document_ids):
    """A new text is seen only where the id rises.

    Feedback: other names for the same texts give other positions
    """
    # wrong for: f(torch.tensor([[5, 5, 2]])) gives [[0, 1, 2]] int64, right [[0, 1, 0]] int64
    place = torch.arange(document_ids.shape[1]).expand(document_ids.shape)
    rises = F.pad(document_ids.diff(dim=1) > 0, (1, 0), value=True)
    return place - torch.where(rises, place, 0).cummax(dim=1).values


def wrong_ids_as_floats(document_ids):
    """The ids are compared as float32, where large neighbours are equal.

    Feedback: two large ids are taken for the same
    """
    # wrong for: f(torch.tensor([[16777216, 16777217]])) gives [[0, 1]] int64, right [[0, 0]] int64
    ids = document_ids.float()
    same = ids[:, :, None] == ids[:, None, :]
    return same.tril().sum(dim=-1) - 1


def wrong_ids_are_places_in_a_list(document_ids):
    """The counters stand in a list of T places, and the id is the place in it; a larger id has
    none.

    Feedback: it raised IndexError
    """
    # wrong for: f(torch.tensor([[9, 9, 3]])) gives IndexError, right [[0, 1, 0]] int64
    positions = []
    for row in document_ids.tolist():
        counters, answer = [0] * len(row), []
        for name in row:
            answer.append(counters[name])
            counters[name] += 1
        positions.append(answer)
    return torch.tensor(positions, dtype=torch.int64)


def wrong_nought_is_padding(document_ids):
    """Tokens of the text with id 0 are taken for padding and stay at position 0.

    Feedback: the text with id 0 is taken for padding
    """
    # wrong for: f(torch.tensor([[0, 0, 1, 1]])) gives [[0, 0, 0, 1]] int64, right [[0, 1, 0,
    # 1]] int64
    same = document_ids[:, :, None] == document_ids[:, None, :]
    return (same.tril().sum(dim=-1) - 1) * (document_ids != 0)


def wrong_in_short_numbers(document_ids):
    """The result is int32, not int64.

    Feedback: where int64 is asked for
    """
    # wrong for: f(torch.tensor([[4, 4]])) gives [[0, 1]] int32, right [[0, 1]] int64
    same = document_ids[:, :, None] == document_ids[:, None, :]
    return same.tril().sum(dim=-1).to(torch.int32) - 1


def right_start_of_the_text(document_ids):
    """The position is the place in the row less the largest start so far."""
    place = torch.arange(document_ids.size(1)).repeat(document_ids.size(0), 1)
    new = torch.ones_like(document_ids, dtype=torch.bool)
    new[:, 1:] = document_ids[:, 1:] != document_ids[:, :-1]
    return place - (place * new).cummax(dim=1)[0]


def right_index_in_the_list(document_ids):
    """Plain Python: the place in the row less the place where its id comes first."""
    rows = document_ids.tolist()
    return torch.tensor(
        [[place - row.index(name) for place, name in enumerate(row)] for row in rows],
        dtype=torch.int64,
    ).reshape(document_ids.shape)


# STATEMENT: "no other text in the row has it": the same id in another row is another text (meant,
# and
# easy to miss). Negative and huge ids are names like any other. Padding is not spoken of.
