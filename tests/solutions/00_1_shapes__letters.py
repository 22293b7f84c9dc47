def shapes(batch, length):
    """Write the shapes in letters, then put numbers in their place."""
    numbers = {"B": batch, "T": length, "C": 32, "V": 12}
    letters = "BT BTC BTC BTC BC BV B".split()
    return tuple(tuple(numbers[letter] for letter in shape) for shape in letters)
