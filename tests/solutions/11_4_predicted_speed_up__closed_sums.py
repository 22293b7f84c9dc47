from fractions import Fraction


def predicted_speed_up(rows, tokens, model, overhead, price):
    """The sums in closed form, in exact fractions."""
    T, C = tokens, model["width"]
    projections = 4 * C * C
    feed_forward = C * model["hidden"] + model["hidden"] * C
    passed = {"without": T * (T + 1) // 2, "with": T}
    looked = {"without": T * (T + 1) * (2 * T + 1) // 6, "with": T * (T + 1) // 2}
    head_width = Fraction(C, model["heads"])
    seconds = {}
    for way in ("without", "with"):
        block = passed[way] * (projections + feed_forward)
        block += looked[way] * model["heads"] * 2 * head_width
        work = rows * (model["blocks"] * block + T * C * model["vocab"])
        seconds[way] = T * Fraction(overhead) + work * Fraction(price)
    return float(seconds["without"] / seconds["with"])
