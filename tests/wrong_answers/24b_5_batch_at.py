"""Wrong answers to 24b.5. A docstring holds the words that only this fault's feedback contains."""

import torch


def _order(n, seed):
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed)).tolist()


def same_order(n, size, seed, step):
    """each round has an order of its own"""
    place = step % (n // size) * size
    return _order(n, seed)[place : place + size]


def short_batch_kept(n, size, seed, step):
    """the short batch at a round's end is left out"""
    per = -(-n // size)
    place = step % per * size
    rows = _order(n, seed + step // per)[place : place + size]
    return rows if len(rows) == size else _order(n, seed + step // per)[:size]


def short_batch(n, size, seed, step):
    """also at the end of a round"""
    per = -(-n // size)
    place = step % per * size
    return _order(n, seed + step // per)[place : place + size]


def over_the_end(n, size, seed, step):
    """a batch does not go over the end of a round"""
    first = step * size
    return [_order(n, seed + k // n)[k % n] for k in range(first, first + size)]


def order_of_the_step(n, size, seed, step):
    """the order is that of the round, not of the step"""
    place = step % (n // size) * size
    return _order(n, seed + step)[place : place + size]


def drawn_anew(n, size, seed, step):
    """it is drawn anew at each step"""
    return _order(n, seed + step)[:size]


def from_one(n, size, seed, step):
    """the first round is drawn with the seed itself"""
    per = n // size
    place = step % per * size
    return _order(n, seed + step // per + 1)[place : place + size]


def steps_from_one(n, size, seed, step):
    """steps are counted from 0"""
    step = max(0, step - 1)
    per = n // size
    place = step % per * size
    return _order(n, seed + step // per)[place : place + size]


def sorted_rows(n, size, seed, step):
    """the rows of a batch keep the order that was drawn"""
    per = n // size
    place = step % per * size
    return sorted(_order(n, seed + step // per)[place : place + size])


def not_shuffled(n, size, seed, step):
    """the rows are not shuffled"""
    place = step % (n // size) * size
    return list(range(place, place + size))


def seed_times(n, size, seed, step):
    """the seed of a round is seed + round"""
    per = n // size
    place = step % per * size
    return _order(n, seed * 1000 + step // per)[place : place + size]


_seen = {}


def remembers(n, size, seed, step):
    """other rows when it is asked again"""
    generator, at = _seen.get((n, size, seed), (None, 0))
    if generator is None:
        generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(n, generator=generator).tolist()
    _seen[n, size, seed] = (generator, at + 1)
    place = step % (n // size) * size
    return order[place : place + size]
