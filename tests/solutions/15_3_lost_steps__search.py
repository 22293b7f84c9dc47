def lost_steps(position, bits):
    """Try the numbers around it, nearest first, until one needs no more digits than there are."""
    distance = 0
    while not any(_held(position + move, bits) for move in (-distance, distance)):
        distance += 1
    return distance


def _held(number, bits):
    while number and number % 2 == 0:
        number //= 2
    return number.bit_length() <= bits
