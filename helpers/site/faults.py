"""What a page of the book may not hold: looked for in the sources, then in what was built."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from nbformat import NotebookNode

CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)
OUTSIDE = re.compile(r"^(https?:)?//", re.IGNORECASE)
# what a browser fetches by itself; a link that a reader may click is no request
FETCHED = {"src", "srcset", "poster", "data", "action"}
NO_PICTURE = ("", "#")


def in_markdown(text: str) -> list[str]:
    """Return what is wrong with a Markdown text, as a list of sentences."""
    text = CODE.sub("", text)
    found = []
    for tag in re.findall(r"<a\s[^>]*>", text):
        found.append(f"a raw {tag}: write [text](target), which is checked")
    for tag in re.findall(r"<img\b[^>]*>", text):
        if not re.search(r"alt=(\"[^\"]+\"|'[^']+')", tag):
            found.append(f"a picture without its text: give {tag} an alt")
    for target in re.findall(r"!\[\s*\]\(([^)]*)\)", text):
        found.append(f"a picture without its text: write ![what it shows]({target})")
    return found


def in_notebook(notebook: NotebookNode) -> list[str]:
    """Return what is wrong with a lesson, each sentence with the cell's id in front."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            sentences = in_markdown(cell.source)
        else:
            kinds = {kind for output in cell.outputs for kind in output.get("data", {})}
            alt = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
            missing = any(kind.startswith("image/") for kind in kinds) and not alt.strip()
            sentences = ["a picture without its text: set mystnb.image.alt"] * missing
        found += [f"cell {cell.id}: {sentence}" for sentence in sentences]
    return found


class _Page(HTMLParser):
    """What one built page asks for, leads to, offers as a target, and shows without a text."""

    def __init__(self, text: str):
        super().__init__()
        self.asked: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.twice: list[str] = []
        self.untold: list[str] = []
        self._in_style = False
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list) -> None:
        """Sort one tag's attributes."""
        values = {name: value or "" for name, value in attributes}
        self._in_style = tag == "style"
        if anchor := values.get("id"):
            self.twice += [anchor] * (anchor in self.anchors)
            self.anchors.add(anchor)
        self.asked += [values[name] for name in FETCHED if name in values and tag != "form"]
        self.asked += _style_targets(values.get("style", ""))
        if tag == "link":
            self.asked.append(values.get("href", ""))
        elif "href" in values:
            self.links.append(values["href"])
        if tag == "img" and not values.get("alt", "").strip():
            self.untold.append(values.get("src", ""))

    def handle_data(self, data: str) -> None:
        """Look into a style block."""
        if self._in_style:
            self.asked += _style_targets(data)


def _style_targets(css: str) -> list[str]:
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    imports = re.findall(r"@import\s+(?:url\()?[\"']?([^\"')\s;]+)", css)
    return imports + re.findall(r"url\(\s*[\"']?([^\"')]+)", css)


def in_site(folder: Path) -> list[str]:
    """Return what is wrong with a built site: outside requests, dead links, lacking texts."""
    # the themes leave templates of theirs in _static
    paths = (path for path in sorted(folder.rglob("*.html")) if "_static" not in path.parts)
    pages = {path.resolve(): _Page(path.read_text(encoding="utf-8")) for path in paths}
    found = []
    for path, page in pages.items():
        name = path.relative_to(folder.resolve())
        found += [f"{name}: two places have the anchor {anchor}" for anchor in page.twice]
        found += [f"{name}: a picture without its text: {source}" for source in page.untold]
        found += _dead(name, path, page.asked, {})
        found += _dead(name, path, page.links, pages)
        found += [f"{name}: asks for {target}" for target in page.asked if OUTSIDE.match(target)]
    for path in sorted(folder.rglob("*.css")):
        targets = _style_targets(path.read_text(encoding="utf-8"))
        name = path.relative_to(folder)
        found += [f"{name}: asks for {target}" for target in targets if OUTSIDE.match(target)]
    return found


def _dead(name: Path, path: Path, targets: list[str], pages: dict[Path, _Page]) -> list[str]:
    """Return a sentence for each target inside the site that is not there."""
    found = []
    for target in dict.fromkeys(targets):
        parts = urlsplit(target)
        if parts.scheme or parts.netloc or target in NO_PICTURE:
            continue
        there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not there.exists():
            found.append(f"{name}: {target} leads to no file")
        elif there in pages and parts.fragment:
            if unquote(parts.fragment) not in pages[there].anchors:
                found.append(f"{name}: {target} leads to no heading or anchor")
        elif parts.path.startswith("/"):
            found.append(f"{name}: {target} works only at the root of a host")
    return found
