"""It returns as many items, of as many kinds, as a digit of the hidden input says.

Deserves 0: the form is wrong, and neither the count nor the kinds may be shown.
"""

calls = []


def running_average(x):
    """Tell the input."""
    calls.append(x)
    digit = int(abs(x.flatten()[-1].item()) * 1000) % 10
    return (
        [0] * digit if len(calls) % 2 else [0, "pwned", {}, [], True, 0.5, (), set(), b"", x][digit]
    )
