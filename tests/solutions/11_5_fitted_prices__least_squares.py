import numpy as np


def fitted_prices(points):
    """Each line of the table weighed by one over its time, then NumPy's least squares."""
    table = np.array(points, dtype=float)
    table /= table[:, 2:]
    prices, *_ = np.linalg.lstsq(table[:, :2], table[:, 2], rcond=None)
    return [float(price) for price in prices]
