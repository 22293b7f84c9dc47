"""It returns a text of 60 MB.

Deserves 0.
"""


def running_average(x):
    """Return more than anyone wants to read."""
    return "<script>pwned</script>" * 3_000_000
