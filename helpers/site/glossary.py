"""The glossary: each term gets an anchor, and each letter a heading."""

import re
from itertools import pairwise

ENTRY = re.compile(r"^- \*\*(?P<term>[^*\n]+)\*\*: (?P<text>[^\n]+)$", re.MULTILINE)


def anchor(term: str) -> str:
    """Return the anchor of a term on the glossary's page."""
    return "term-" + re.sub(r"[^a-z0-9]+", "-", term.lower()).strip("-")


def page(text: str) -> str:
    """Return the glossary with a heading for each letter and an anchor for each term.

    Raises: ValueError for a line that is no entry, and for terms out of the alphabet's order.
    """
    entries = list(ENTRY.finditer(text))
    terms = [entry["term"] for entry in entries]
    if not entries:
        raise ValueError("glossary.md holds no line of the form '- **term**: what it means.'")
    for line in text[entries[0].start() :].splitlines():
        if line and not ENTRY.match(line):
            raise ValueError(f"glossary.md: {line!r} is no line of the form '- **term**: ...'")
    for before, after in pairwise(terms):
        if before.lower() >= after.lower():
            raise ValueError(f"glossary.md: {after!r} stands behind {before!r}: sort the terms")
    lines, letter = [text[: entries[0].start()].rstrip()], ""
    for entry in entries:
        if entry["term"][0].upper() != letter:
            letter = entry["term"][0].upper()
            lines.append(f"\n## {letter}\n")
        lines.append(f"- [**{entry['term']}**]{{#{anchor(entry['term'])}}}: {entry['text']}")
    return "\n".join(lines) + "\n"
