"""Papers: the page of references gets an anchor for each, and lessons' citations lead to it.

An entry is a line "- Names. *Title.* Place year. (short name)". A lesson cites "Names *Title.*" in
its own list, or in prose by surname and year, as in "Holtzman et al. 2020" or "Wu and others
(2016)". A citation that the page of references does not hold is a fault.
"""

import re
from dataclasses import dataclass

ENTRY = re.compile(r"^- (?P<names>[^*\n]+)\. \*(?P<title>[^*\n]+)\*(?P<rest>[^\n]*)$", re.MULTILINE)
# the first surname, then what shows that it is a paper and no person of the story, then the year
CITED = re.compile(
    r"(?P<surname>[A-Z][\w'-]+)(?P<more> et al\.| and others| (?:and|&) [A-Z][\w'-]+)"
    r",?\s\(?(?P<year>[12]\d{3})\)?"
)
PAGE = "references.md"


@dataclass(frozen=True)
class Reference:
    """One entry of the page of references."""

    surname: str  # of the first author
    title: str
    years: tuple[str, ...]
    anchor: str


def read(text: str) -> list[Reference]:
    """Return the entries of the page of references; entries of libraries are no papers.

    Raises: ValueError for two entries that would have one anchor.
    """
    found = []
    for entry in ENTRY.finditer(text):
        surname = entry["names"].split(",")[0].removesuffix(" and others").split()[-1]
        years = tuple(re.findall(r"\b[12]\d{3}\b", entry["rest"]))
        words = re.sub(r"[^a-z0-9 ]", "", entry["title"].lower()).split()
        anchor = "-".join(["paper", surname.lower(), *years[:1], *words[:3]])
        if any(other.anchor == anchor for other in found):
            raise ValueError(f"{PAGE} holds {entry['title']!r} twice: delete one of the lines")
        found.append(Reference(surname, entry["title"], years, anchor))
    return found


def with_anchors(text: str, known: list[Reference]) -> str:
    """Return the page of references in which each title can be led to."""
    anchors = {reference.title: reference.anchor for reference in known}

    def line(entry: re.Match) -> str:
        return entry[0].replace(
            f"*{entry['title']}*", f"[*{entry['title']}*]{{#{anchors[entry['title']]}}}"
        )

    return ENTRY.sub(line, text)


def linked(text: str, known: list[Reference]) -> tuple[str, list[str]]:
    """Return Markdown in which every citation leads to the page of references, and what is wrong.

    Returns: (the text, a sentence for each citation that leads nowhere).
    """
    faults: list[str] = []
    by_title = {reference.title: reference for reference in known}

    def title(entry: re.Match) -> str:
        reference = by_title.get(entry["title"])
        if reference is None:
            faults.append(
                f"the paper {entry['title']!r} does not stand in {PAGE}: add it there, or write "
                "its title as it stands there"
            )
            return entry[0]
        return entry[0].replace(
            f"*{entry['title']}*", f"[*{entry['title']}*]({PAGE}#{reference.anchor})"
        )

    def prose(cited: re.Match) -> str:
        named = [r for r in known if r.surname == cited["surname"] and cited["year"] in r.years]
        if not named:
            faults.append(f"{cited[0]!r} is cited, but {PAGE} has no such paper: add it there")
        if len(named) != 1:
            return cited[0]  # of two papers of one year the list at the lesson's end tells which
        whole = cited[0]
        if whole.count("(") != whole.count(")"):  # the bracket opened before the name
            whole = whole.rstrip(")")
        return f"[{whole}]({PAGE}#{named[0].anchor}){cited[0][len(whole) :]}"

    return CITED.sub(prose, ENTRY.sub(title, text)), faults
