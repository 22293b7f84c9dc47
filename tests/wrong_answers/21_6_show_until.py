"""Wrong answers to 21.6. A docstring holds the words that only this fault's feedback contains."""


def _stream(pieces, stops, keep=None, cut=None, goes_on=False, tail=True):
    shown, held, ended = [], "", False
    for piece in pieces:
        out = ""
        for character in piece:
            if ended:
                break
            held += character
            hits = [stop for stop in stops if held.endswith(stop)]
            if hits:
                out += cut(held, hits) if cut else held.removesuffix(max(hits, key=len))
                held, ended = "", not goes_on
                continue
            if keep:
                size = keep(held)
            else:
                ends = range(len(held), 0, -1)
                size = next((n for n in ends if any(s.startswith(held[-n:]) for s in stops)), 0)
            out += held[: len(held) - size]
            held = held[len(held) - size :]
        shown.append(out)
    return [*shown, held if tail else ""]


def shows_the_stop(pieces, stops):
    """the stop string itself is shown"""
    return _stream(pieces, stops, cut=lambda held, hits: held)


def goes_on(pieces, stops):
    """text behind the stop string is shown"""
    return _stream(pieces, stops, goes_on=True)


def always_waits(pieces, stops):
    """text waits that can no longer become a stop string"""
    longest = max(map(len, stops), default=1)
    return _stream(pieces, stops, keep=lambda held: min(len(held), longest - 1))


def loses_the_end(pieces, stops):
    """what was held back at the end is lost"""
    return _stream(pieces, stops, tail=False)


def first_of_the_list(pieces, stops):
    """only the first stop string of the list is looked for"""
    return _stream(pieces, stops[:1])


def shortest_of_two(pieces, stops):
    """the beginning of the longer is shown"""
    return _stream(pieces, stops, cut=lambda held, hits: held.removesuffix(min(hits, key=len)))


def forgets_false_starts(pieces, stops):
    """a stop string is missed that begins inside a false start"""
    fits = lambda held: any(stop.startswith(held) for stop in stops)  # noqa: E731
    return _stream(pieces, stops, keep=lambda held: len(held) if fits(held) else 0)


def piece_by_piece(pieces, stops):
    """each piece is searched by itself"""
    shown, ended = [], False
    for piece in pieces:
        found = [piece.index(stop) for stop in stops if stop in piece]
        shown.append("" if ended else piece[: min(found, default=len(piece))])
        ended = ended or bool(found)
    return [*shown, ""]


def whole_stops_only(pieces, stops):
    """a part of a stop string is shown before it is whole"""
    shown, text, given, ended = [], "", 0, False
    for piece in pieces:
        text += piece
        found = [text.index(stop) for stop in stops if stop in text]
        end = max(min(found), given) if found else len(text)
        shown.append("" if ended else text[given:end])
        given, ended = end, bool(found)
    return [*shown, ""]


def all_at_the_end(pieces, stops):
    """nothing is shown before the end"""
    return [*("" for _ in pieces), "".join(_stream(pieces, stops))]


def no_last_text(pieces, stops):
    """there is one more than pieces"""
    return _stream(pieces, stops)[:-1]


def begins_first(pieces, stops):
    """it ends at the stop string that begins first"""
    shown, text, given, ended = [], "", 0, False
    for piece in pieces:
        text += "" if ended else piece
        places = [text.find(stop) for stop in stops if stop in text]
        ends = range(1, len(text) + 1)
        keep = max((n for n in ends if any(s.startswith(text[-n:]) for s in stops)), default=0)
        end = max(given, min(places) if places else len(text) - keep)
        shown.append("" if ended else text[given:end])
        given, ended = end, bool(places)
    return [*shown, "" if ended else text[given:]]
