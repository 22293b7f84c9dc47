import numpy as np


def lowest_point(sizes, losses):
    """Return the N at the lowest point of the parabola in ln N of least squared error.

    sizes: parameters of each run, three or more different ones. losses: one a run.
    """
    x = np.log(np.array(sizes, dtype=float))
    square, slope, _ = np.polyfit(x - x.mean(), losses, 2)
    return float(np.exp(x.mean() - slope / (2 * square)))
