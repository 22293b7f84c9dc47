def lost_steps(position, bits):
    """Return how far a position is moved when it is rounded to `bits` binary digits, an int.

    position: from 0 to 100 million. bits: 8 for bfloat16, 11 for float16, 24 for float32, or
    another count from 1 up.
    """
    # (the prediction: 2056; from 2048 on, bfloat16 holds every 16th number)
    step = 2 ** max(0, position.bit_length() - bits)  # between two numbers that can be held
    return abs(round(position / step) * step - position)
