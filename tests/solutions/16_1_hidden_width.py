def hidden_width(C, multiple):
    """Return the smallest multiple that is not under 8C/3, as an int."""
    return -(-8 * C // (3 * multiple)) * multiple
