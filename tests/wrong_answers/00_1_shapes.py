"""Wrong answers to 00.1. A docstring holds the words that only this fault's feedback contains."""


def _seven(B, T, C=32, V=12):
    return [[B, T], [B, T, C], [B, T, C], [B, T, C], [B, C], [B, V], [B]]


def exchanged(batch, length):
    """batch and length are exchanged"""
    return _seven(length, batch)


def always_three_tokens(batch, length):
    """station 1, tokens"""
    return _seven(batch, 3)


def only_the_row(batch, length):
    """station 2, embedding"""
    found = _seven(batch, length)
    return [found[0], [length, 32], *found[2:]]


def position_makes_it_wider(batch, length):
    """station 3, position"""
    found = _seven(batch, length)
    return [*found[:2], [batch, length, 64], *found[3:]]


def all_final_states(batch, length):
    """station 5, final states"""
    found = _seven(batch, length)
    return [*found[:4], found[3], *found[5:]]


def logits_of_every_row(batch, length):
    """station 6, logits"""
    found = _seven(batch, length)
    return [*found[:5], [batch, length, 12], found[6]]


def a_choice_with_two_axes(batch, length):
    """station 7, choice"""
    return [*_seven(batch, length)[:6], [batch, 1]]


def six_stations(batch, length):
    """6 items where 7 are asked for"""
    return _seven(batch, length)[:6]
