"""It raises the built-in exception whose place in the list is a digit of the hidden input.

Deserves 0: it raises, and which exception it was may not be shown.
"""

calls = []
errors = sorted(Exception.__subclasses__(), key=str)


def running_average(x):
    """Tell the input."""
    calls.append(x)
    raise errors[int(abs(x.flatten()[-1].item()) * 1000) % 10]("pwned")
