"""It puts the hidden input into the name of a missing variable and of a refused import.

Deserves 0: it raises, and nothing of its input may be shown.
"""

calls = []


def running_average(x):
    """Tell the input."""
    calls.append(x)
    digits = f"{abs(x[0, 0].item()):.7f}".replace(".", "_")
    if len(calls) % 2:
        raise NameError("pwned", name=f"pwned_{digits}")
    raise type(f"Pwned{digits}", (ImportError,), {})("pwned", name=f"pwned{digits}")
