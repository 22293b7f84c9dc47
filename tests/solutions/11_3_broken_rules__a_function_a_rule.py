from collections import Counter


def broken_rules(record):
    """One function for each rule, each true if its rule is broken."""
    names = list(record["reported"])
    times = {name: [] for name in names}
    for name, seconds in record["calls"]:
        times[name].append(seconds)

    def outputs():
        for one in names:
            for other in names:
                if record["tokens"][one] != record["tokens"][other]:
                    return True
                pairs = zip(
                    *(record["log_probabilities"][name] for name in (one, other)), strict=True
                )
                if not all(-1e-4 <= a - b <= 1e-4 for a, b in pairs):
                    return True
        return False

    def turns():
        done = Counter()
        for place, (name, _) in enumerate(record["calls"]):
            if done[name] != place // len(names):  # not once in each round so far
                return True
            done[name] += 1
        return len(set(done.values())) > 1

    def median():
        for name in names:
            later = sorted(times[name][1:])
            while len(later) > 2:
                later = later[1:-1]
            middle = sum(later) / len(later)
            if abs(record["reported"][name] - middle) > 1e-6 * middle:
                return True
        return False

    def load():
        return not record["load"] <= 0.3

    return [rule.__name__ for rule in (outputs, turns, median, load) if rule()]
