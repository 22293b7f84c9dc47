"""Exercise 21.6: a stream that stops."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.slips import slip_of
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

show_until = Exercise(
    "21.6",
    "show_until",
    title="A stream that stops",
    minutes=20,
    level="challenge",
    points=5,
    imports=(),
    hints=(
        "What stands at the end of the text so far is of two kinds: it can still become a stop "
        "string, or it cannot. Which of the two may you show?",
        "Cut the same text into single characters, and into one piece: all that is shown must be "
        "the same text. With the stop 'ab', the piece 'aab' shows 'a'.",
        "Go character by character, with a text `held`. If held ends with a stop string, show what "
        "is before it and stop. Else keep the longest end of held with which a stop string begins, "
        "and show the rest.",
    ),
)


def streamed(pieces: list[str], stops: list[str], fault: str = "") -> list[str]:
    """Return what is shown for each piece and at the end, with a known fault if one is named."""
    shown, held, ended = [], "", False
    if fault == "first in the list":
        stops = stops[:1]
    for piece in pieces:
        out = ""
        for character in piece:
            if ended:
                break
            held += character
            hits = [stop for stop in stops if held.endswith(stop)]
            if hits:
                stop = min(hits, key=len) if fault == "shortest" else max(hits, key=len)
                out += held if fault == "stop shown" else held[: -len(stop)]
                held, ended = "", fault != "goes on"
                continue
            ends = range(1, len(held) + 1)
            keep = max((n for n in ends if any(s.startswith(held[-n:]) for s in stops)), default=0)
            if fault == "late":
                keep = min(len(held), max(map(len, stops), default=1) - 1)
            elif fault == "forgets":  # only whole beginnings from where it began to hold
                keep = len(held) if any(s.startswith(held) for s in stops) else 0
            out += held[: len(held) - keep]
            held = held[len(held) - keep :]
        shown.append(out)
    return [*shown, "" if fault == "lost" else held]


def parts_shown(pieces: list[str], stops: list[str]) -> list[str]:
    """Return what a stream shows that looks for whole stop strings only."""
    shown, text, given = [], "", 0
    for piece in pieces:
        before = text
        text += piece
        places = [text.find(stop) for stop in stops if stop in text]
        end = max(min(places), given) if places else len(text)
        shown.append(text[given:end] if given <= len(before) else "")
        given = len(text) + 1 if places else end
    return [*shown, ""]


def piece_by_piece(pieces: list[str], stops: list[str]) -> list[str]:
    """Return what a stream shows that looks into each piece by itself."""
    shown, ended = [], False
    for piece in pieces:
        places = [piece.find(stop) for stop in stops if stop in piece]
        shown.append("" if ended else piece[: min(places, default=len(piece))])
        ended = ended or bool(places)
    return [*shown, ""]


def begins_first(pieces: list[str], stops: list[str]) -> list[str]:
    """Return what a stream shows that ends at the stop string which begins first."""
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


BEGINS_FIRST = {
    "it ends at the stop string that begins first: the one that is whole first counts": begins_first
}
PROBES = [
    (["xab", "cd", "e"], ["abcd", "bc"]),
    (["abcd"], ["abcd", "bc"]),
    (["xab", "ycd", "e"], ["cd", "ab"]),
    (["x", "ab", "cy"], ["bc", "abc"]),
    (["xaab", "c"], ["ab"]),
    (["ababac", "d"], ["abac"]),
]
FAULTS = {
    "stop shown": "the stop string itself is shown",
    "goes on": "text behind the stop string is shown",
    "late": "text waits that can no longer become a stop string",
    "lost": "what was held back at the end is lost, though no stop string came",
    "first in the list": "only the first stop string of the list is looked for",
    "shortest": "of two stop strings with one end, the beginning of the longer is shown",
    "forgets": "a stop string is missed that begins inside a false start",
}


def compare(call, pieces: list[str], stops: list[str]) -> None:
    """Compare the texts, and name the known slips."""
    seen = f"for {show(pieces)} and the stop strings {show(stops)}"
    found = expect.items(call(pieces, stops), seen=seen)
    found = [expect.text(text, seen) for text in found]
    right = streamed(pieces, stops)
    if found != right and (fault := slip_of(call, PROBES, BEGINS_FIRST)):
        raise Broken(fault, f"{seen}, it gives {show(found)}, right is {show(right)}")
    known = [(streamed(pieces, stops, fault), words) for fault, words in FAULTS.items()]
    known += [
        (right[:-1], "the last text is missing: there is one more than pieces"),
        ([*("" for _ in pieces), "".join(right)], "nothing is shown before the end"),
    ]
    alone, parts = piece_by_piece(pieces, stops), parts_shown(pieces, stops)
    if alone == parts:  # this input does not tell the two apart
        known.append((alone, "text is shown too early that may still become a stop string"))
    else:
        known.append((alone, "each piece is searched by itself"))
        known.append((parts, "a part of a stop string is shown before it is whole"))
    expect.equal(found, right, f"{seen},", "the texts are not those of a stream that stops", known)


@show_until.property("one text for each piece, and one for the end")
def form(call, draw):
    """No stop string, no piece, an empty piece."""
    compare(call, ["a", "bc", ""], [])
    compare(call, [], ["x"])
    compare(call, ["a", "", "bc"], ["x"])


@show_until.property("no part of a stop string is ever shown, and nothing behind it")
def stops_hold(call, draw):
    """A stop string in one piece, over several, at the very beginning, twice."""
    compare(call, ["One. ", "Use", "r: Two. ", "User: x"], ["User:"])
    compare(call, ["ab", "STOP", "cd"], ["STOP"])
    compare(call, ["ab STOP cd", "ef"], ["STOP"])
    compare(call, ["S", "T", "O", "P", "x"], ["STOP"])
    compare(call, ["a", "b", "\n", "\n", "c"], ["\n\n"])


@show_until.property("what can no longer become a stop string is shown at once")
def at_once(call, draw):
    """False starts, an unfinished stop string at the end."""
    compare(call, ["One", " US", "A. ", "User", " one"], ["User:"])
    compare(call, ["abc", "def", "ST", "OP", "s"], ["STOPS"])
    compare(call, ["abc", " Use"], ["User:"])
    compare(call, ["a", "a", "b", "c"], ["ab"])
    compare(call, ["xaab", "c"], ["ab"])
    compare(call, ["ababac", "d"], ["abac"])


@show_until.property("of several stop strings the one that is whole first counts")
def several(call, draw):
    """Other order in the list, one inside another, two with one end."""
    compare(call, ["xab", "ycd", "e"], ["cd", "ab"])
    compare(call, ["xab", "cd", "e"], ["abcd", "bc"])
    compare(call, ["abcd"], ["abcd", "bc"])
    compare(call, ["x", "ab", "cy"], ["bc", "abc"])
    compare(call, ["x", "ab", "cy"], ["abc", "bc"])


@show_until.property("how the text is cut into pieces does not change what is shown in all")
def any_cut(call, draw):
    """Drawn texts of two letters, cut by chance."""
    for _ in range(4):
        letters = torch.randint(0, 2, (14,), generator=draw).tolist()
        text = "".join("ab"[n] for n in letters)
        cuts = torch.randint(0, 14, (4,), generator=draw).sort().values.tolist()
        pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, 14], strict=True)]
        compare(call, pieces, ["abba", "bbab", "aaaa"])
