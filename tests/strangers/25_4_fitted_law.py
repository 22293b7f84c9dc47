import numpy as np
import torch


def _columns(N, D, a, b):
    N, D = np.array(N, dtype=float), np.array(D, dtype=float)
    return np.stack([np.ones(len(N)), N ** -float(a), D ** -float(b)], axis=1)


def wrong_columns_as_they_are(N, D, losses, a, b):
    """lstsq on the bare columns: it drops a column of tiny numbers as if it were nothing

    Feedback: whole exponents overflow: make floats of N and D first
    """
    # wrong for: N about 1e10 to 1e12, a = 1.5: the column is about 1e-16, A comes out near 0
    found = np.linalg.lstsq(_columns(N, D, a, b), np.array(losses), rcond=None)[0]
    return [float(one) for one in found]


def wrong_single_precision(N, D, losses, a, b):
    """scales the columns but solves in float32: the digits do not reach a thousandth

    Feedback: a small share of the loss is lost: 32 bits have too few digits
    """
    # wrong for: N in billions with a = 1 and A = 4e4: A / N is 1e-6 of the loss, lost in float32
    X = torch.tensor(_columns(N, D, a, b))
    size = X.abs().amax(0)
    y = torch.tensor(losses, dtype=torch.float32)[:, None]
    found = torch.linalg.lstsq((X / size).float(), y).solution[:, 0].double()
    return (found / size).tolist()


def wrong_each_run_once(N, D, losses, a, b):
    """keeps one loss for each pair of N and D: of runs with several seeds only the last counts

    Feedback: another law has a smaller sum of squared errors
    """
    # wrong for: two runs of the same N and D with different losses (several seeds)
    once = {(n, d): loss for n, d, loss in zip(N, D, losses, strict=True)}
    X = _columns([n for n, _ in once], [d for _, d in once], a, b)
    size = np.abs(X).max(axis=0)
    found = np.linalg.lstsq(X / size, np.array(list(once.values())), rcond=None)[0]
    return [float(one) for one in found / size]


def wrong_never_below_zero(N, D, losses, a, b):
    """a number below 0 is set to 0, as a law should not have one

    Feedback: a number below 0 is changed: no other three are better
    """
    # wrong for: losses that rise with N: the least-squares A is below 0, here 0
    X = _columns(N, D, a, b)
    size = np.abs(X).max(axis=0)
    found = np.linalg.lstsq(X / size, np.array(losses), rcond=None)[0] / size
    return [max(0.0, float(one)) for one in found]


def wrong_relative_errors(N, D, losses, a, b):
    """makes the errors as shares of the losses small, not the errors themselves

    Feedback: another law has a smaller sum of squared errors
    """
    # wrong for: noisy losses of different sizes; right where the law holds exactly
    X, y = _columns(N, D, a, b), np.array(losses, dtype=float)
    size = np.abs(X).max(axis=0)
    found = np.linalg.lstsq(X / size / y[:, None], np.ones(len(y)), rcond=None)[0]
    return [float(one) for one in found / size]


def wrong_powers_of_whole_numbers(N, D, losses, a, b):
    """raises arrays of whole numbers to the power: with a = 2 they run over without a word

    Feedback: whole exponents overflow: make floats of N and D first
    """
    # wrong for: N = [10**10, ...] and a = 2 (a whole number): N**a is above 2**63
    X = np.stack([np.ones(len(N)), 1 / np.array(N) ** a, 1 / np.array(D) ** b], axis=1)
    size = np.abs(X).max(axis=0)
    found = np.linalg.lstsq(X / size, np.array(losses), rcond=None)[0]
    return [float(one) for one in found / size]


def right_by_projection(N, D, losses, a, b):
    """Gram and Schmidt by hand, twice over, on columns divided by their largest number"""
    X = _columns(N, D, a, b)
    size = np.abs(X).max(axis=0)
    X, y = X / size, np.array(losses, dtype=float)
    Q, R = np.zeros_like(X), np.eye(3)
    for k in range(3):
        v, along = X[:, k].copy(), np.zeros(3)
        for _ in range(2):
            for j in range(k):
                part = Q[:, j] @ v
                v -= part * Q[:, j]
                along[j] += part
        R[:k, k] = along[:k]
        R[k, k] = np.sqrt(v @ v)
        Q[:, k] = v / R[k, k]
    found, left = np.zeros(3), y.copy()
    wanted = np.zeros(3)
    for k in range(3):
        wanted[k] = Q[:, k] @ left
        left -= wanted[k] * Q[:, k]
    for k in (2, 1, 0):
        found[k] = (wanted[k] - R[k, k + 1 :] @ found[k + 1 :]) / R[k, k]
    return (found / size).tolist()


def right_centred_torch(N, D, losses, a, b):
    """takes the means away, so E falls out; two unknowns by QR in torch, float64"""
    X = torch.tensor(_columns(N, D, a, b)[:, 1:])
    y = torch.tensor([float(loss) for loss in losses], dtype=torch.float64)
    middle, level = X.mean(0), y.mean()
    X = X - middle
    size = X.norm(dim=0)
    Q, R = torch.linalg.qr(X / size)
    AB = torch.linalg.solve_triangular(R, (Q.T @ (y - level))[:, None], upper=True)
    AB = AB[:, 0] / size
    return [float(level - middle @ AB), float(AB[0]), float(AB[1])]


# STATEMENT: not said that the runs must have different N and different D (else the three numbers
# are not determined); not said whether A, B or E below 0 is allowed (the lesson's own helper returns
# None then, so a reader may clip); "right to a thousandth of its size" has no meaning where one is 0;
# ranges of a and b are not given, nor whether they may be whole numbers.
