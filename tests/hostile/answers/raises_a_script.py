"""It raises an exception whose name and message are a script and colours of a terminal.

Deserves 0: it raises, and nothing of its words may be shown.
"""


def running_average(x):
    """Speak to whoever reads the report."""
    nasty = type("<script>alert('pwned')</script>\x1b[31m", (ValueError,), {})
    raise nasty("<script>alert('pwned')</script>\x1b]0;pwned\x07")
