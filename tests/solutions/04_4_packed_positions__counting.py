import torch


def packed_positions(document_ids):
    """Token by token, in plain Python."""
    rows = []
    for ids in document_ids.tolist():
        row = []
        for t, number in enumerate(ids):
            row.append(row[-1] + 1 if t > 0 and number == ids[t - 1] else 0)
        rows.append(row)
    return torch.tensor(rows)
