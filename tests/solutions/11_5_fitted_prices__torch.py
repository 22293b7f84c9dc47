import torch


def fitted_prices(points):
    """The same by an orthogonal basis, in float32 up to the last steps."""
    steps, millions, ms = torch.tensor(points).T
    table = torch.stack([steps / ms, millions / ms], dim=1)  # [points, 2]
    q, r = torch.linalg.qr(table)
    prices = torch.linalg.solve_triangular(r, q.sum(dim=0)[:, None], upper=True)
    return prices[:, 0].tolist()
