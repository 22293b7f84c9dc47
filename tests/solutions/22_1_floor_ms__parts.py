def floor_ms(model, bits, rows, earlier, bandwidth):
    """Part by part: the milliseconds of each are added."""
    numbers = {"matrices": model["matrices"], "head": model["head"], "cache": 0}
    for _block in range(model["blocks"]):
        for _row in range(rows):
            numbers["cache"] += earlier * model["G"] * model["D"] * 2
    a_bit = 1000 / bandwidth / 8
    return sum(a_bit * count * bits[part] for part, count in numbers.items())
