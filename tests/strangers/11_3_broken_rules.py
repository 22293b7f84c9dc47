import math
import statistics


def _outputs(record):
    laws, tokens = list(record["log_probabilities"].values()), list(record["tokens"].values())
    if any(len(law) != len(laws[0]) for law in laws) or any(t != tokens[0] for t in tokens):
        return True
    return any(max(row) - min(row) > 1e-4 for row in zip(*laws))


def _turns(record):
    names, calls = sorted(record["reported"]), [side for side, _ in record["calls"]]
    n = len(names)
    return any(sorted(calls[i : i + n]) != names for i in range(0, len(calls), n))


def _medians(record):
    times = {}
    for side, seconds in record["calls"]:
        times.setdefault(side, []).append(seconds)
    return {side: statistics.median(found[1:]) for side, found in times.items()}


def _median(record):
    found = _medians(record)
    return any(not math.isclose(found[s], r, rel_tol=1e-6) for s, r in record["reported"].items())


def _names(*broken):
    return [name for name, is_so in zip(("outputs", "turns", "median", "load"), broken) if is_so]


def wrong_only_beside_the_first(record):
    """Log-probabilities are compared with those of the first side only; two others may be twice as
    far apart.

    Feedback: two sides that are too far apart are not compared with each other
    """
    # wrong for: an honest record with a: [-1.0], b: [-1.00008], c: [-0.99992] gives [], right ["outputs"]
    laws = list(record["log_probabilities"].values())
    tokens = list(record["tokens"].values())
    far = any(abs(x - y) > 1e-4 for law in laws for x, y in zip(law, laws[0]))
    outputs = far or any(t != tokens[0] for t in tokens)
    return _names(outputs, _turns(record), _median(record), record["load"] > 0.3)


def wrong_not_to_the_end(record):
    """Tokens are compared in pairs by zip, so a side that writes one token fewer is not found.

    Feedback: a side that stops one token early is not noticed
    """
    # wrong for: an honest record with tokens a: [[1, 2]], b: [[1]] gives [], right ["outputs"]
    laws, tokens = list(record["log_probabilities"].values()), list(record["tokens"].values())
    other = any(x != y for side in tokens for r, s in zip(side, tokens[0]) for x, y in zip(r, s))
    outputs = other or any(max(row) - min(row) > 1e-4 for row in zip(*laws))
    return _names(outputs, _turns(record), _median(record), record["load"] > 0.3)


def wrong_last_round_not_looked_at(record):
    """Only whole rounds are looked at, so calls that are left over at the end pass.

    Feedback: a last round that lacks a side passes
    """
    # wrong for: calls a b b a a (medians reported as they are) gives [], right ["turns"]
    names, calls = sorted(record["reported"]), [side for side, _ in record["calls"]]
    n = len(names)
    turns = any(sorted(calls[i * n : i * n + n]) != names for i in range(len(calls) // n))
    return _names(_outputs(record), turns, _median(record), record["load"] > 0.3)


def wrong_first_round_dropped(record):
    """The first calls are taken to be the first round, which is wrong where the turns are broken.

    Feedback: another rule is called broken too
    """
    # wrong for: calls a9 a1 b9 b3, reported a 1, b 3: gives ["turns", "median"], right ["turns"]
    n, times = len(record["reported"]), {side: [] for side in record["reported"]}
    for side, seconds in record["calls"][n:]:
        times[side].append(seconds)
    median = any(
        not found
        or not math.isclose(statistics.median(found), record["reported"][side], rel_tol=1e-6)
        for side, found in times.items()
    )
    return _names(_outputs(record), _turns(record), median, record["load"] > 0.3)


def wrong_a_millionth_of_a_second(record):
    """The median may be off by a millionth of a second, whatever its size.

    Feedback: a median is compared by a fixed number of seconds, not by a share of itself
    """
    # wrong for: times of a 9, 0.000002, 0.000002, reported 0.000001: gives [], right ["median"];
    # times of 5000.001 reported as 5000.0: gives ["median"], right []
    found = _medians(record)
    median = any(abs(found[side] - said) > 1e-6 for side, said in record["reported"].items())
    return _names(_outputs(record), _turns(record), median, record["load"] > 0.3)


def wrong_load_at_the_limit(record):
    """A load of exactly 0.3 counts as too much.

    Feedback: a load of exactly 0.3 is not above it
    """
    # wrong for: an honest record with load 0.3 gives ["load"], right []
    return _names(_outputs(record), _turns(record), _median(record), record["load"] >= 0.3)


def right_one_rule_a_function(record):
    """A class with a method for each rule; the order of the rules is the order in the class."""

    class Rules:
        def outputs(self):
            laws, texts = record["log_probabilities"], record["tokens"]
            for one in laws:
                for two in laws:
                    if texts[one] != texts[two] or len(laws[one]) != len(laws[two]):
                        return False
                    if any(abs(a - b) > 0.0001 for a, b in zip(laws[one], laws[two], strict=True)):
                        return False
            return True

        def turns(self):
            waiting = set()
            for side, _ in record["calls"]:
                waiting = waiting or set(record["reported"])
                if side not in waiting:
                    return False
                waiting.remove(side)
            return not waiting

        def median(self):
            for side, said in record["reported"].items():
                times = sorted([t for s, t in record["calls"] if s == side][1:])
                n = len(times)
                middle = (times[(n - 1) // 2] + times[n // 2]) / 2
                if abs(said - middle) > 1e-6 * abs(middle):
                    return False
            return True

        def load(self):
            return not record["load"] > 0.3

    rules = Rules()
    return [name for name in ("outputs", "turns", "median", "load") if not getattr(rules, name)()]


def right_generator(record):
    """A generator that yields the names as it finds them."""

    def found():
        sides = [*record["reported"]]
        lists = [[repr(record["tokens"][s]), len(record["log_probabilities"][s])] for s in sides]
        columns = [*zip(*(record["log_probabilities"][s] for s in sides))]
        if lists.count(lists[0]) < len(lists) or [c for c in columns if max(c) - min(c) > 1e-4]:
            yield "outputs"
        order, width = [call[0] for call in record["calls"]], len(sides)
        rounds = [order[i : i + width] for i in range(0, len(order), width)]
        if {frozenset(r) for r in rounds} != {frozenset(sides)} or len(order) % width:
            yield "turns"
        later = {s: [c[1] for c in record["calls"] if c[0] == s][1:] for s in sides}
        middles = [(record["reported"][s], statistics.median(later[s])) for s in sides]
        if not all(m * (1 - 1e-6) <= said <= m * (1 + 1e-6) for said, m in middles):
            yield "median"
        if record["load"] > 0.3:
            yield "load"

    return [*found()]


# STATEMENT: "further than 0.0001" at exactly that distance is not decidable in floats (-1.0 and -1.0001). "To a millionth of
# itself": of the median or of what was reported? (Differs only at the edge.) Whether sides may have different numbers of
# rows (plainly "outputs" then), whether NaN may stand among the log-probabilities, whether a time may be 0 and whether every
# side is named in all entries, is not said. Ids that are equal as numbers but not as text (1 and 1.0) are not spoken of.
