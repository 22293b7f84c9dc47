import itertools
import math
import statistics


def broken_rules(record):
    """Return the names of the rules that a record breaks, a list in the order of the four rules.

    record: "log_probabilities" {side: [a number for each row]}, "tokens" {side: [ids of a row for
    each row]}, "calls" [[side, seconds], ...] in the order they ran, "load" a number from 0 to 1,
    "reported" {side: seconds}.
    """
    numbers, tokens, calls = record["log_probabilities"], record["tokens"], record["calls"]
    sides = sorted(tokens)
    broken = []

    for one, other in itertools.combinations(sides, 2):
        close = all(
            math.isclose(numbers[other][row], number, rel_tol=0, abs_tol=1e-4)
            for row, number in enumerate(numbers[one])
        )
        if not close or tokens[one] != tokens[other]:
            broken.append("outputs")
            break

    n = len(sides)
    rounds = [calls[start : start + n] for start in range(0, len(calls), n)]
    if any(sorted(side for side, _ in one) != sides for one in rounds):
        broken.append("turns")

    for side in sides:
        later = [seconds for name, seconds in calls if name == side][1:]
        if not math.isclose(record["reported"][side], statistics.median(later), rel_tol=1e-6):
            broken.append("median")
            break

    if record["load"] > 0.3:
        broken.append("load")
    return broken
