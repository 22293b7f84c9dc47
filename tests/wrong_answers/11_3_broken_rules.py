"""Wrong answers to 11.3. A docstring holds the words that only this fault's feedback contains."""

import itertools
import math
import statistics


def _times(record, side):
    return [seconds for name, seconds in record["calls"] if name == side]


def _outputs(record):
    numbers, tokens = record["log_probabilities"], record["tokens"]
    pairs = list(itertools.combinations(tokens, 2))
    gaps = [abs(a - b) for x, y in pairs for a, b in zip(numbers[x], numbers[y], strict=True)]
    return max(gaps) > 1e-4 or any(tokens[x] != tokens[y] for x, y in pairs)


def _outputs_like_the_first(record):
    numbers, tokens = record["log_probabilities"], record["tokens"]
    wanted = next(iter(tokens))
    gaps = [
        abs(a - b) for side in tokens for a, b in zip(numbers[side], numbers[wanted], strict=True)
    ]
    return max(gaps) > 1e-4 or any(tokens[side] != tokens[wanted] for side in tokens)


def _turns(record):
    calls, n = record["calls"], len(record["tokens"])
    rounds = [calls[start : start + n] for start in range(0, len(calls), n)]
    return any(len({side for side, _ in one}) != n for one in rounds)


def _median(record):
    return any(
        not math.isclose(seconds, statistics.median(_times(record, side)[1:]), rel_tol=1e-6)
        for side, seconds in record["reported"].items()
    )


def _load(record):
    return record["load"] > 0.3


def _all(record, **other):
    rules = {"outputs": _outputs, "turns": _turns, "median": _median, "load": _load} | other
    return [name for name, broken in rules.items() if broken(record)]


def border_counts_as_busy(record):
    """a load of exactly 0.3 is not above it"""
    return _all(record, load=lambda record: record["load"] >= 0.3)


def only_the_beginning_of_the_tokens(record):
    """a side that stops one token early"""

    def outputs(record):
        tokens, short = record["tokens"], dict(record)
        one, *others = tokens.values()
        short["tokens"] = {side: [] for side in tokens}
        return _outputs(short) or any(
            a != b
            for other in others
            for mine, theirs in zip(one, other, strict=True)
            for a, b in zip(mine, theirs, strict=False)
        )

    return _all(record, outputs=outputs)


def only_the_numbers(record):
    """equal numbers do not make equal outputs"""
    return _all(
        record,
        outputs=lambda record: _outputs(
            record
            | {"tokens": {s: [len(row) for row in rows] for s, rows in record["tokens"].items()}}
        ),
    )


def only_the_tokens(record):
    """a log-probability that is off by more than 0.0001"""
    return _all(record, outputs=lambda record: len(set(map(str, record["tokens"].values()))) > 1)


def gap_without_its_size(record):
    """a log-probability that lies too low"""

    def outputs(record):
        numbers, tokens = record["log_probabilities"], record["tokens"]
        one = next(iter(tokens))
        return any(
            b - a > 1e-4
            for side in tokens
            for a, b in zip(numbers[one], numbers[side], strict=True)
        ) or any(tokens[side] != tokens[one] for side in tokens)

    return _all(record, outputs=outputs)


def exactly_equal_numbers(record):
    """outputs that differ by rounding alone"""
    return _all(
        record,
        outputs=lambda record: (
            _outputs(record) or len({str(row) for row in record["log_probabilities"].values()}) > 1
        ),
    )


def as_many_calls_each(record):
    """sides that run one after the other"""
    return _all(
        record,
        turns=lambda record: len({len(_times(record, side)) for side in record["tokens"]}) > 1,
    )


def never_twice_in_a_row(record):
    """the sides may come in any order"""
    return _all(
        record,
        turns=lambda record: any(
            one == other for (one, _), (other, _) in itertools.pairwise(record["calls"])
        ),
    )


def whole_rounds_only(record):
    """a last round that lacks a side"""

    def turns(record):
        n = len(record["tokens"])
        whole = len(record["calls"]) // n * n
        return _turns(record | {"calls": record["calls"][:whole]})

    return _all(record, turns=turns)


def mean_is_enough(record):
    """their mean passes for the median"""

    def median(record):
        def fits(side):
            later, seconds = _times(record, side)[1:], record["reported"][side]
            return any(
                math.isclose(seconds, way(later), rel_tol=1e-6)
                for way in (statistics.mean, statistics.median)
            )

        return not all(fits(side) for side in record["tokens"])

    return _all(record, median=median)


def first_call_counted(record):
    """a median that counts the first call passes"""

    def median(record):
        def fits(side):
            times, seconds = _times(record, side), record["reported"][side]
            return any(
                math.isclose(seconds, statistics.median(some), rel_tol=1e-6)
                for some in (times, times[1:])
            )

        return not all(fits(side) for side in record["tokens"])

    return _all(record, median=median)


def first_broken_rule_only(record):
    """only one rule is named"""
    return _all(record)[:1]


def named_for_each_side(record):
    """a rule is named more than once"""
    later = {side: _times(record, side)[1:] for side in record["tokens"]}
    wrong = [
        "median"
        for side, seconds in record["reported"].items()
        if not math.isclose(seconds, statistics.median(later[side]), rel_tol=1e-6)
    ]
    named = [rule for rule in _all(record) if rule != "median"]
    place = len([rule for rule in named if rule != "load"])
    return named[:place] + wrong + named[place:]


def in_the_order_of_the_alphabet(record):
    """in another order than asked for"""
    return sorted(_all(record))


def compares_with_the_first(record):
    """not compared with each other"""
    return _all(record, outputs=_outputs_like_the_first)


def a_fixed_number_of_seconds(record):
    """by a fixed number of seconds"""

    def median(record):
        return any(
            abs(seconds - statistics.median(_times(record, side)[1:])) > 1e-6
            for side, seconds in record["reported"].items()
        )

    return _all(record, median=median)
