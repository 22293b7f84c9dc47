import torch


def attend_in_pieces(query, keys, values, size):
    """Keep an average and the logarithm of its total, in double precision; mix piece by piece."""
    scale = query.shape[0] ** 0.5
    mean, log_total = None, None
    for key, value in zip(keys.split(size), values.split(size), strict=True):
        scores = (key.double() @ query.double()).div(scale)
        piece, log_piece = scores.softmax(0) @ value.double(), scores.logsumexp(0)
        if mean is None:
            mean, log_total = piece, log_piece
            continue
        share = torch.sigmoid(log_piece - log_total)
        mean = mean + share * (piece - mean)
        log_total = torch.logaddexp(log_total, log_piece)
    return mean
