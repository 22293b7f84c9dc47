import torch


def wrong_ids_must_rise(document_ids):
    """each text's start is found by a sorted search, which needs ids that rise

    Feedback: other names for the same texts give other positions
    """
    # wrong for: [[5, 5, 2, 2]] gives something else than [[0, 1, 0, 1]]
    ids = document_ids.contiguous()
    start = torch.searchsorted(ids, ids)
    return torch.arange(ids.shape[1]) - start


def wrong_rows_run_together(document_ids):
    """the rows are put in one line, so a text that has the id of the last text of the row above
    counts on

    Feedback: a row goes on counting where the row before it ended
    """
    # wrong for: [[3, 3], [3, 3]] gives [[0, 1], [2, 3]], right [[0, 1], [0, 1]]
    flat = document_ids.flatten().tolist()
    positions, before = [], None
    for name in flat:
        positions.append(positions[-1] + 1 if name == before else 0)
        before = name
    return torch.tensor(positions).view(document_ids.shape)


def right_count_equals_before(document_ids):
    """a token's position is the number of earlier tokens with its id"""
    same = document_ids[:, :, None] == document_ids[:, None, :]
    return same.tril(diagonal=-1).sum(dim=-1)


# STATEMENT: clear; negative ids are allowed by "of any size".
