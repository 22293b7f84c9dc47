def show_until(pieces, stops):
    """After each piece: how much of the whole text so far may have been shown?"""

    def allowed(text, last):
        ends = [(text.find(stop) + len(stop), -len(stop)) for stop in stops if stop in text]
        if ends:
            end, size = min(ends)
            return end + size
        if last:
            return len(text)
        held = 0
        for size in range(1, len(text) + 1):
            if any(stop.startswith(text[-size:]) for stop in stops):
                held = size
        return len(text) - held

    shown, text, given = [], "", 0
    for piece in pieces:
        text += piece
        upto = max(given, allowed(text, last=False))
        shown.append(text[given:upto])
        given = upto
    return [*shown, text[given : max(given, allowed(text, last=True))]]
