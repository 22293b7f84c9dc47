def show_until(pieces, stops):
    """Return the text to show for each piece, and at last what is left, as a list of texts.

    pieces: the texts as they come. stops: stop strings, none of them empty. The one that is whole
    first ends the text, of two that end at one place the longer.
    """
    shown, held, ended = [], "", False
    for piece in pieces:
        out = ""
        for character in piece:
            if ended:
                break
            held += character
            found = [stop for stop in stops if held.endswith(stop)]
            if found:
                out += held.removesuffix(max(found, key=len))
                held, ended = "", True
            while not any(stop.startswith(held) for stop in stops) and held:
                out, held = out + held[0], held[1:]  # this can be no beginning any more
        shown.append(out)
    return [*shown, held]
