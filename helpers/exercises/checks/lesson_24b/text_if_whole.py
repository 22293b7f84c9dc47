"""Exercise 24b.6: believe a file only if it is whole."""

import hashlib

import torch

from helpers.exercises import expect
from helpers.exercises.checks.slips import slip_of
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

text_if_whole = Exercise(
    "24b.6",
    "text_if_whole",
    title="Believe it only if it is whole",
    minutes=8,
    level="medium",
    points=2,
    hints=(
        "Where does the first line end, and what exactly follows it? Nothing of that may be "
        "changed before it is hashed.",
        "A body may be empty, end with newlines, hold \\r or letters beyond ASCII. An empty body "
        "is a text, not None.",
        "line, newline, body = content.partition('\\n'); wanted = hashlib.sha256(body.encode())."
        "hexdigest(); return body if newline and line == wanted else None.",
    ),
    imports=("hashlib",),
)


def digest(body: str) -> str:
    """Return the SHA-256 of a text's UTF-8."""
    return hashlib.sha256(body.encode()).hexdigest()


def as_file(body: str) -> str:
    """Return the content of a whole file."""
    return f"{digest(body)}\n{body}"


# programs on a whole file; each also says what it makes of an empty text
SLIPS = {
    "spaces or newlines at an end of the text are lost": lambda c: c.partition("\n")[2].strip(),
    "newlines at the end of the text are lost": lambda c: c.partition("\n")[2].rstrip("\n"),
    "lines are taken apart and put together otherwise": lambda c: "\n".join(
        c.partition("\n")[2].splitlines()
    ),
    "only one line is returned": lambda c: c.split("\n")[1],
    "the first line is returned as well": lambda c: c,
    "the digest is returned, not the text": lambda c: c.partition("\n")[0],
    "an empty text is whole as well": lambda c: c.partition("\n")[2] or None,
}
PROBES = [(as_file(body),) for body in ("one", "", "a\nb", "a\r\nb\n", " a ", "a\n\n")]


def whole(call, body: str, what: str) -> None:
    """Hand over a file that is whole."""
    got = call(as_file(body))
    if got == body:
        return
    fault = slip_of(call, PROBES, SLIPS, lambda a, b: type(a) is type(b) and a == b)
    if got is not None:
        expect.text(got, f"for {what}")
    fault = fault or ("it returned nothing (None)" if got is None else "it is another text")
    raise Broken(fault, f"for {what} it gives {show(got)}, right is {show(body)}")


def refused(call, content: str, fault: str, what: str) -> None:
    """Hand over a file that must not be believed."""
    if call(content) is None:
        return
    body = "some text"
    if call(f"{'0' * 64}\n{body}") is not None:
        fault = "any line of 64 digits is believed"
        if call(f"no digest\n{body}") is not None:
            fault = "it never looks at the digest"
    raise Broken(fault, f"for {what}")


def drawn(draw: torch.Generator, length: int) -> str:
    """Draw a text of letters, some beyond ASCII."""
    letters = "abc xyzäö\n"
    return "".join(letters[i] for i in torch.randint(len(letters), (length,), generator=draw))


@text_if_whole.property("what is whole comes back as it is")
def comes_back(call, draw):
    """Empty, one line, many, with newlines and \\r at the ends, and letters beyond ASCII."""
    whole(call, "weights 1 2 3", "one line")
    whole(call, "", "an empty text")
    whole(call, "\n", "a single newline")
    whole(call, "one\n\ntwo\n", "lines with newlines at the end")
    whole(call, "one\r\ntwo\r\n", "lines that end in \\r\\n")
    whole(call, "  spaces  ", "spaces at both ends")
    whole(call, "Grüße \u2192 ∑\u2028x", "letters beyond ASCII")
    whole(call, drawn(draw, 200), "a drawn text")


@text_if_whole.property("what has changed is refused")
def changed(call, draw):
    """One letter, one more, one less, two exchanged, a space, at any place."""
    body = "step 20\n" + drawn(draw, 60) + "end"
    line = digest(body)
    fault = "a text that has changed is believed"
    for place in (0, 30, len(body) - 1):
        other = body[:place] + ("q" if body[place] != "q" else "z") + body[place + 1 :]
        refused(call, f"{line}\n{other}", fault, f"another letter at {place}")
    refused(call, f"{line}\n{body[:-1]}", fault, "a last letter that is gone")
    refused(call, f"{line}\n{body}\n", fault, "a newline more at the end")
    refused(call, f"{line}\n {body}", fault, "a space more at the beginning")
    refused(call, f"{line}\n{body.upper()}", fault, "small letters made large")


@text_if_whole.property("the first line is the digest, exactly, and nothing else")
def first_line(call, draw):
    """Cut, longer, in capitals, with spaces, missing, and another text's."""
    body = "weights " + drawn(draw, 20)
    line = digest(body)
    while line == line.upper():
        body += "x"
        line = digest(body)
    for content, fault, what in (
        (f"{line[:32]}\n{body}", "half of the digest is enough for it", "half of the digest"),
        (f"{line}00\n{body}", "more than the digest stands in the line", "digits more"),
        (f"{line} \n{body}", "the line may not hold more than the digest", "a space behind it"),
        (f"{line.upper()}\n{body}", "capitals are other digits here", "capitals"),
        (f"\n{body}", "a file without a digest is believed", "an empty first line"),
        (f"{line}{body}", "a file without a newline is believed", "no newline behind it"),
        (line, "a file without a newline is believed", "nothing but a digest"),
        (digest(""), "a file without a newline is believed", "the digest of nothing, no newline"),
        ("", "a file without a newline is believed", "nothing at all"),
        (f"{digest(body + '!')}\n{body}", "another text's digest is believed", "another's digest"),
        (f"sha256 {line}\n{body}", "the line may not hold more than the digest", "a word more"),
    ):
        if content == line and not body:
            continue
        refused(call, content, fault, what)
