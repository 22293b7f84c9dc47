def _waiting(text, stops):
    """Return the length of the longest end of a text that may become a stop string."""
    longest = max(map(len, stops), default=0)
    for size in range(min(len(text), longest), 0, -1):
        if any(stop.startswith(text[-size:]) for stop in stops):
            return size
    return 0


def _run(pieces, stops, ending, waiting):
    """Return what is shown; `ending` says (start, end) of a stop, or None."""
    shown, wait, done = [], "", False
    for piece in pieces:
        if done:
            shown.append("")
            continue
        wait += piece
        found = ending(wait, stops)
        if found is None:
            keep = waiting(wait, stops)
            shown.append(wait[: len(wait) - keep])
            wait = wait[len(wait) - keep :]
        else:
            shown.append(wait[: found[0]])
            wait, done = "", True
    return [*shown, wait]


def _first_whole(text, stops):
    """Return (start, end) of the stop that is whole first, the longer of two."""
    found = [(text.find(s) + len(s), -len(s)) for s in stops if s in text]
    if not found:
        return None
    end, minus = min(found)
    return end + minus, end


def wrong_leftmost_start(pieces, stops):
    """the stop string that begins first ends the text, not the one that is whole first

    Feedback: it ends at the stop string that begins first: the one that is whole first counts
    """
    # wrong for: f(["abcd"], ["abcd", "bc"]) gives ["", ""], right ["a", ""]

    def ending(text, stops):
        found = [(text.find(s), -len(s)) for s in stops if s in text]
        return (min(found)[0], 0) if found else None

    return _run(pieces, stops, ending, _waiting)


def wrong_shorter_of_two(pieces, stops):
    """of two stop strings that end at one place, the shorter is taken

    Feedback: of two stop strings with one end, the beginning of the longer is shown
    """
    # wrong for: f(["xab"], ["b", "ab"]) gives ["xa", ""], right ["x", ""]

    def ending(text, stops):
        found = [(text.find(s) + len(s), len(s)) for s in stops if s in text]
        return (min(found)[0] - min(found)[1], 0) if found else None

    return _run(pieces, stops, ending, _waiting)


def wrong_shortest_end_waits(pieces, stops):
    """only the shortest end that may become a stop string waits, not the longest

    Feedback: the texts are not those of a stream that stops
    """
    # wrong for: f(["aa", "b"], ["aab"]) gives ["a", "ab", ""], right ["", "", ""]

    def waiting(text, stops):
        longest = max(map(len, stops), default=0)
        for size in range(1, min(len(text), longest) + 1):
            if any(stop.startswith(text[-size:]) for stop in stops):
                return size
        return 0

    return _run(pieces, stops, _first_whole, waiting)


def wrong_always_waits(pieces, stops):
    """as many characters wait as the longest stop string has, less one, whatever they are

    Feedback: text waits that can no longer become a stop string
    """
    # wrong for: f(["Hello"], ["User:"]) gives ["H", "ello"], right ["Hello", ""]

    def waiting(text, stops):
        return min(len(text), max(map(len, stops), default=1) - 1)

    return _run(pieces, stops, _first_whole, waiting)


def wrong_no_second_start(pieces, stops):
    """where a started stop string fails, all of it is shown, though a later start is in it

    Feedback: a stop string is missed that begins inside a false start
    """
    # wrong for: f(["aaab"], ["aab"]) gives ["aaab", ""], right ["a", ""]
    shown, wait, done = [], "", False
    for piece in pieces:
        text = ""
        for letter in piece:
            if done:
                break
            wait += letter
            if not any(stop.startswith(wait) for stop in stops):
                text, wait = text + wait[:-1], letter
                if not any(stop.startswith(wait) for stop in stops):
                    text, wait = text + wait, ""
            if wait in stops:
                wait, done = "", True
        shown.append(text)
    return [*shown, wait]


def wrong_ends_early(pieces, stops):
    """stops its list at the stop string, the pieces behind it get no entry

    Feedback: the last text is missing: there is one more than pieces
    """
    # wrong for: f(["a.", "b", "c"], ["."]) gives ["a", ""], right ["a", "", "", ""]
    shown, wait = [], ""
    for piece in pieces:
        wait += piece
        found = _first_whole(wait, stops)
        if found is not None:
            return [*shown, wait[: found[0]], ""]
        keep = _waiting(wait, stops)
        shown.append(wait[: len(wait) - keep])
        wait = wait[len(wait) - keep :]
    return [*shown, wait]


def right_from_the_whole_text(pieces, stops):
    """says for every beginning of the whole text how much of it may be seen, then takes differences"""
    text = "".join(pieces)
    ends = [n for n in range(len(text) + 1) if text[:n].endswith(tuple(stops))] if stops else []
    stop_at = ends[0] if ends else None
    cut = None
    if stop_at is not None:
        cut = stop_at - max(len(s) for s in stops if text[:stop_at].endswith(s))

    def seen(n, last=False):
        if stop_at is not None and n >= stop_at:
            return cut
        if last:
            return n
        return next(
            m for m in range(n + 1) if m == n or any(s.startswith(text[m:n]) for s in stops)
        )

    shown, before, n = [], 0, 0
    for piece in pieces:
        n += len(piece)
        now = seen(n)
        shown.append(text[before:now])
        before = now
    return [*shown, text[before : seen(n, last=True)]]


def right_open_starts(pieces, stops):
    """letter by letter, a class keeps all (stop, letters matched) pairs that are open"""

    class Watcher:
        def __init__(self):
            self.open, self.wait, self.done = [], "", False

        def push(self, letter):
            self.wait += letter
            starts = [*self.open, *((stop, 0) for stop in stops)]
            self.open = [(s, n + 1) for s, n in starts if s[n] == letter]
            whole = [n for s, n in self.open if n == len(s)]
            if whole:
                self.done = True
                out, self.wait = self.wait[: len(self.wait) - max(whole)], ""
                return out
            keep = max((n for _, n in self.open), default=0)
            out = self.wait[: len(self.wait) - keep]
            self.wait = self.wait[len(self.wait) - keep :]
            return out

    watcher = Watcher()
    shown = []
    for piece in pieces:
        shown.append("")
        for letter in piece:
            if not watcher.done:
                shown[-1] += watcher.push(letter)
    return [*shown, watcher.wait]


# STATEMENT: "The stop string that is whole first": first in the text, letter by letter (not by piece), is left to the reader.
# Does text in front of a stop string that is found within one piece count as shown "with" that piece? (example: yes.)
