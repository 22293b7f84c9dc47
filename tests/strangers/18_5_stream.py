def wrong_each_token_alone(tokens):
    """every token is decoded by itself, and halves are left out

    Feedback: parts of characters are thrown away
    """
    # wrong for: f([[0xC3], [0xA9]]) gives ["", "", ""], right ["", "é", ""]
    return [bytes(token).decode(errors="ignore") for token in tokens] + [""]


def wrong_all_or_nothing(tokens):
    """shows what has gathered only when it ends at the end of a character

    Feedback: the texts are not those of a stream
    """
    # wrong for: f([[97, 0xC3], [0xA9]]) gives ["", "aé", ""], right ["a", "é", ""]
    out, pending = [], b""
    for token in tokens:
        pending += bytes(token)
        try:
            out.append(pending.decode())
            pending = b""
        except UnicodeDecodeError:
            out.append("")
    try:
        return [*out, pending.decode()]
    except UnicodeDecodeError as error:
        return [*out, pending[: error.start].decode() + "\ufffd"]


def wrong_mark_for_each_byte(tokens):
    """at the end each byte that is left becomes a mark of its own

    Feedback: an unfinished character gives one U+FFFD, not several
    """
    # wrong for: f([[0xE3, 0x81]]) gives ["", "\ufffd\ufffd"], right ["", "\ufffd"]
    out, pending = [], b""
    for token in tokens:
        pending += bytes(token)
        try:
            text, pending = pending.decode(), b""
        except UnicodeDecodeError as error:
            text, pending = pending[: error.start].decode(), pending[error.start :]
        out.append(text)
    return [*out, "\ufffd" * len(pending)]


def wrong_real_mark_held_back(tokens):
    """a mark at the end of what has been decoded is taken for half a character, also a real one

    Feedback: a U+FFFD that stands in the text is taken for half a character
    """
    # wrong for: f([[0xEF, 0xBF, 0xBD], [97]]) gives ["", "\ufffda", ""], right ["\ufffd", "a", ""]
    out, data, shown = [], b"", 0
    for token in tokens:
        data += bytes(token)
        text = data.decode(errors="replace").rstrip("\ufffd")
        out.append(text[shown:])
        shown = max(shown, len(text))
    return [*out, data.decode(errors="replace")[shown:]]


def wrong_three_bytes_at_most(tokens):
    """a character is thought to have at most three bytes

    Feedback: the texts are not those of a stream
    """
    # wrong for: f([[0xF0], [0x9F], [0x91], [0x8D]]) shows a mark instead of the thumb, right ["", "", "", "👍", ""]
    out, pending = [], []
    for token in tokens:
        text = ""
        for byte in token:
            pending.append(byte)
            need = 1 if pending[0] < 0x80 else 2 if pending[0] < 0xE0 else 3
            if len(pending) == need:
                text += bytes(pending).decode(errors="replace")
                pending = []
        out.append(text)
    return [*out, "\ufffd" if pending else ""]


def wrong_byte_order_mark_dropped(tokens):
    """a text that begins with U+FEFF loses it

    Feedback: a U+FEFF at the beginning of the text is left out
    """
    # wrong for: f([[0xEF, 0xBB, 0xBF], [97]]) gives ["", "a", ""], right ["\ufeff", "a", ""]
    out, data, shown = [], b"", 0
    for token in tokens:
        data += bytes(token)
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            text = error.object[: error.start].decode("utf-8-sig")
        out.append(text[shown:])
        shown = max(shown, len(text))
    whole = data.decode("utf-8-sig", errors="replace")
    return [*out, whole[shown:]]


def wrong_end_ignored(tokens):
    """what is left at the end is dropped without a mark

    Feedback: an unfinished character at the end is left out
    """
    # wrong for: f([[97, 0xC3]]) gives ["a", ""], right ["a", "\ufffd"]
    out, data, shown = [], b"", 0
    for token in tokens:
        data += bytes(token)
        text = data.decode(errors="ignore")
        out.append(text[shown:])
        shown = len(text)
    return [*out, ""]


def wrong_rest_kept_for_the_next_call(tokens, pending=bytearray()):
    """the half of a text that was cut off is still there at the next call

    Feedback: the texts are not those of a stream
    """
    # wrong for: f([[0xC3]]) and then f([[97]]): the second gives something before or for the "a" that is not "a"
    out = []
    for token in tokens:
        pending.extend(token)
        text = ""
        while pending:
            first = pending[0]
            size = 1 + (first >= 0xC0) + (first >= 0xE0) + (first >= 0xF0)
            if len(pending) < size:
                break
            text += bytes(pending[:size]).decode(errors="replace")
            del pending[:size]
        out.append(text)
    return [*out, "\ufffd" if pending else ""]


def wrong_empty_token_skipped(tokens):
    """a token without bytes gets no text of its own

    Feedback: a token without bytes gets no text of its own
    """
    # wrong for: f([[], [97]]) gives ["a", ""], right ["", "a", ""]
    out, pending = [], b""
    for token in filter(None, tokens):
        pending += bytes(token)
        cut = len(pending)
        for back in range(1, min(3, len(pending)) + 1):
            byte = pending[-back]
            if byte >= 0xC0:
                if back < 2 + (byte >= 0xE0) + (byte >= 0xF0):
                    cut -= back
                break
            if byte < 0x80:
                break
        out.append(pending[:cut].decode())
        pending = pending[cut:]
    return [*out, "\ufffd" if pending else ""]


def wrong_lead_byte_alone_at_the_end(tokens):
    """only the last byte is looked at: a token that ends two bytes into a character shows marks

    Feedback: the texts are not those of a stream
    """
    # wrong for: f([[0xE3, 0x81], [0x82]]) shows marks, right ["", "あ", ""]
    out, pending = [], b""
    for token in tokens:
        pending += bytes(token)
        if pending and pending[-1] >= 0xC0:
            out.append(pending[:-1].decode(errors="replace"))
            pending = pending[-1:]
        else:
            out.append(pending.decode(errors="replace"))
            pending = b""
    return [*out, "\ufffd" if pending else ""]


def right_code_points_by_hand(tokens):
    """a small machine makes the code points from the bits"""

    class Machine:
        value = need = 0

        def feed(self, byte):
            if byte < 0x80:
                return chr(byte)
            if byte < 0xC0:
                self.value, self.need = self.value << 6 | byte & 0x3F, self.need - 1
                return "" if self.need else chr(self.value)
            self.need = 1 if byte < 0xE0 else 2 if byte < 0xF0 else 3
            self.value = byte & (0x3F >> self.need)
            return ""

    machine = Machine()
    out = ["".join([machine.feed(byte) for byte in token]) for token in tokens]
    return out + ["\ufffd" if machine.need else ""]


def right_ends_of_characters(tokens):
    """decodes once, notes behind which byte each character ends, and deals the characters out"""
    data = bytes(byte for token in tokens for byte in token)
    try:
        text, rest = data.decode("utf-8"), ""
    except UnicodeDecodeError as error:
        text, rest = data[: error.start].decode("utf-8"), "\ufffd"
    out, at, size, end = [], 0, 0, 0
    for token in tokens:
        end += len(token)
        begin = at
        while at < len(text) and size + len(text[at].encode()) <= end:
            size += len(text[at].encode())
            at += 1
        out.append(text[begin:at])
    out.append(rest)
    return out


# STATEMENT: may a token have no bytes? May the list of tokens be empty (then [""])? Both read as allowed. May the text hold U+FFFD or U+FEFF itself? Allowed.
# `io` has the same decoder by a side door (io.TextIOWrapper); only `codecs` is forbidden.
