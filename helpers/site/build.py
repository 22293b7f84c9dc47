"""python -m helpers site: the course as a web book in .build/site, from the saved outputs.

Sources are staged in .build/site-source, Sphinx makes pages of them, and what it made is checked.
Nothing is run and nothing is fetched. The book is there as it was until a new one is good.
"""

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

import nbformat

from helpers.site import faults, figures, glossary, lessons, pages, references, stage
from helpers.site.lessons import ROOT

HERE = Path(__file__).resolve().parent


class BookFault(Exception):
    """The book cannot be built; its text has a line for each fault."""


def write_sources(root: Path, folder: Path) -> None:
    """Write what Sphinx reads into an empty folder; raise BookFault naming every fault."""
    try:
        all_lessons = lessons.read_all(root / "lessons")
        texts, papers, found = _texts(root, all_lessons)
    except (ValueError, OSError) as error:
        raise BookFault(str(error)) from error
    (folder / "notebooks").mkdir(parents=True)
    for lesson in all_lessons:
        shutil.copy(lesson.path, folder / "notebooks")
        shown, wrong = stage.notebook(lesson, all_lessons, papers)
        nbformat.write(shown, folder / lesson.path.name)
        found += wrong
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name in pages.pictures(texts["readme.md"]):
        if (root / name).is_file():  # else Sphinx says that it is missing
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, folder / name)
    found += figures.misplaced({one.number: one.notebook for one in all_lessons})
    if found:
        raise BookFault("\n".join(found))


def _texts(
    root: Path, all_lessons: list[lessons.Lesson]
) -> tuple[dict[str, str], list[references.Reference], list[str]]:
    """Return {file: Markdown} of all pages that are no lesson, the papers, and what is wrong."""
    texts = {path.name: path.read_text(encoding="utf-8") for path in root.glob("lessons/*.md")}
    texts["readme.md"] = pages.readme((root / "README.md").read_text(encoding="utf-8"))
    texts |= pages.written(all_lessons, texts["readme.md"])
    texts["glossary.md"] = glossary.page(texts["glossary.md"])
    list_of_papers = texts.pop(references.PAGE)
    papers = references.read(list_of_papers)
    found = []
    for name, text in texts.items():
        texts[name], wrong = references.linked(text, papers)
        found += [f"{name}: {fault}" for fault in [*wrong, *faults.in_markdown(text)]]
    texts[references.PAGE] = references.with_anchors(list_of_papers, papers)
    return texts, papers, found


def run_sphinx(source: Path, site: Path, doctrees: Path) -> None:
    """Make pages of the sources; raise BookFault with Sphinx's warnings, if there is any."""
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-c", str(HERE), "-d", str(doctrees)]
    # -E: a second build would not repeat the warnings of the first
    command += ["-E", "-W", "--keep-going", "-n", "-q", "--no-color", str(source), str(site)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        if "No module named" in done.stderr:
            raise BookFault(f"{done.stderr.strip()}: `make site` installs it, or setup --tests")
        lines = (done.stderr or done.stdout).replace(f"{source.resolve()}/", "").splitlines()
        raise BookFault("\n".join(line for line in lines if line.strip()))


def build(root: Path = ROOT, built: Path = ROOT / ".build") -> Path:
    """Build the book of the course in root; return its folder. Raises: BookFault."""
    source, fresh, site = built / "site-source", built / "site-new", built / "site"
    for folder in (source, fresh):
        shutil.rmtree(folder, ignore_errors=True)
    write_sources(root, source)
    run_sphinx(source, fresh, built / "site-doctrees")
    found = faults.in_site(fresh)
    if found:
        raise BookFault("\n".join(found))
    shutil.rmtree(site, ignore_errors=True)
    fresh.rename(site)
    return site


def main(arguments: list[str]) -> int:
    """python -m helpers site; return the exit status, 1 where the book has a fault."""
    argparse.ArgumentParser(prog="python -m helpers site").parse_args(arguments)
    started = time.perf_counter()
    try:
        site = build()
    except BookFault as fault:
        print(f"The book cannot be built:\n{fault}", file=sys.stderr)
        return 1
    count = len(list(site.glob("*.html")))
    seconds = time.perf_counter() - started
    print(f"{count} pages in {seconds:.0f} s: open {site.relative_to(ROOT) / 'index.html'}")
    return 0
