"""It imports what it may not, by the plain statement.

Deserves 0: it is refused before it runs.
"""

import os
import socket  # noqa: F401


def running_average(x):
    """Never run."""
    os.system("echo pwned")
    return x
