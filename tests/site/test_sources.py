"""What the book reads from the lessons, and what it does not let pass."""

import hashlib
import re
import shutil
from pathlib import Path

import nbformat
import pytest

from helpers.exercises import catalog
from helpers.lesson_names import lesson_of
from helpers.site import build, faults, glossary, lessons, pages, references, stage
from helpers.site.misconceptions import MISCONCEPTIONS
from tests.notebooks import code, display, write

ROOT = Path(__file__).resolve().parent.parent.parent
GOALS = "**You need** [00 · A](00_a.ipynb) and Python.\n\n**Time** 25 minutes."


def lesson(tmp_path, head="# 01 · B\n\nWhy B?", goals=GOALS, *cells):
    path = write(tmp_path / "01_b.ipynb", *cells, title=head)
    notebook = nbformat.read(path, as_version=4)
    notebook.cells.insert(1, nbformat.v4.new_markdown_cell(goals, id="goals"))
    nbformat.write(notebook, path)
    return path


def test_a_lesson_says_itself_what_it_needs_and_takes(tmp_path):
    read = lessons.read(lesson(tmp_path))
    assert (read.title, read.question, read.minutes) == ("01 · B", "Why B?", 25)
    assert (read.number, read.name, read.needs) == ("01", "B", ("00",))


def test_a_split_lesson_is_one_of_its_own_and_may_be_needed(tmp_path):
    goals = "**You need** [03 · A](03_a.ipynb#here), [03a · B](03a_b.ipynb), [03](03_a.ipynb), "
    goals += "[a page](notes.md).\n\n**Time** 5 minutes."
    path = lesson(tmp_path, "# 03b · C\n\nWhy?", goals).rename(tmp_path / "03b_c.ipynb")
    read = lessons.read(path)
    assert (read.number, read.title, read.needs) == ("03b", "03b · C", ("03", "03a"))


def test_a_lesson_with_a_strange_name_or_number_stops_the_book_with_a_sentence(tmp_path):
    lesson(tmp_path / "lessons")
    shutil.copy(tmp_path / "lessons/01_b.ipynb", tmp_path / "lessons/01 copy.ipynb")
    with pytest.raises(build.BookFault, match=r"^'01 copy\.ipynb' in lessons/ is no lesson's name"):
        build.write_sources(tmp_path, tmp_path / "book")
    (tmp_path / "lessons/01 copy.ipynb").rename(tmp_path / "lessons/01a_c.ipynb")
    with pytest.raises(ValueError, match=r"^01a_c\.ipynb: .* no line of the form '# 01a · Title"):
        lessons.read_all(tmp_path / "lessons")


def test_parts_are_those_of_the_readme_and_none_may_be_left_out(tmp_path):
    first = lessons.read(lesson(tmp_path))
    readme = (
        "**Part 1: the start**\n\n| lesson |\n|---|\n| [01 · B](lessons/01_b.ipynb) |\n\nNo more."
    )
    assert lessons.in_parts([first], readme) == {"Part 1: the start": [first]}
    with pytest.raises(ValueError, match=r"README.md, The lessons: its tables lack 01_b.ipynb"):
        lessons.in_parts([first], readme.replace("01_b", "02_c"))
    course = lessons.in_parts(lessons.read_all(), (ROOT / "README.md").read_text(encoding="utf-8"))
    assert course["Part 2: the modern decoder"][0].number == "14"


@pytest.mark.parametrize(
    "head, goals, lacks",
    [
        ("# B\n\nWhy?", GOALS, "# 01 · Title"),
        ("# 01 · B\n\nWhy?", "**Time** 25 minutes.", "**You need**"),
        ("# 01 · B\n\nWhy?", "**You need** nothing.", "**Time** N minutes."),
    ],
)
def test_a_lesson_that_lacks_a_line_is_named(tmp_path, head, goals, lacks):
    with pytest.raises(ValueError, match=re.escape(lacks)) as caught:
        lessons.read(lesson(tmp_path, head, goals))
    assert "01_b.ipynb" in str(caught.value)


@pytest.mark.parametrize(
    "text, words",
    [
        ('see <a href="x.html">x</a>', "raw <a href"),
        ("![](x.png)", "![what it shows](x.png)"),
        ('<img src="x.png">', 'give <img src="x.png"> an alt'),
        ('<img src="x.png" alt="">', "an alt"),
    ],
)
def test_a_fault_in_markdown_is_found(text, words):
    (sentence,) = faults.in_markdown(text)
    assert words in sentence


@pytest.mark.parametrize(
    "text",
    ["`<a href=x>`", "```html\n<a href=x>\n```", "![a plot](x.png)", '<img src="x" alt="a plot">'],
)
def test_what_is_right_or_code_is_no_fault(text):
    assert faults.in_markdown(text) == []


def test_a_picture_without_its_text_is_found_by_its_cell(tmp_path):
    path = write(tmp_path / "00_a.ipynb", code("plot()", outputs=[display("p", image_png="AA")]))
    (sentence,) = faults.in_notebook(nbformat.read(path, as_version=4))
    assert "mystnb.image.alt" in sentence and sentence.startswith("cell ")


PAPERS = references.read(
    "- Ann Lee and others. *On A.* ACL 2020.\n- Bo Wu, Cy Ho. *On B.* ACL 2021; TMLR 2022. (B)\n"
)


@pytest.mark.parametrize(
    "cited, anchor",
    [
        ("(Lee et al. 2020)", "paper-lee-2020-on-a"),
        ("Lee and others (2020)", "paper-lee-2020-on-a"),
        ("Wu and Ho 2022", "paper-wu-2021-on-b"),
        ("Wu & Ho, 2021", "paper-wu-2021-on-b"),
        ("- Bo Wu, Cy Ho. *On B.* ACL 2021.", "paper-wu-2021-on-b"),
    ],
)
def test_a_citation_leads_to_its_paper(cited, anchor):
    text = f"As {cited} says" if "*" not in cited else cited
    linked, found = references.linked(text, PAPERS)
    assert f"](references.md#{anchor})" in linked and found == []
    words = re.search(r"\[([^]]+)\]\(references", linked)[1]
    assert words.count("(") == words.count(")"), "a bracket is cut in two by the link"
    assert re.sub(r"\[([^]]+)\]\(references[^)]+\)", r"\1", linked) == text


@pytest.mark.parametrize(
    "cited", ["(Lee et al. 2019)", "Ng and others (2020)", "- A. *On C.* 2020"]
)
def test_a_citation_of_no_paper_is_found(cited):
    linked, found = references.linked(cited, PAPERS)
    assert linked == cited
    assert len(found) == 1 and "references.md" in found[0]


def test_a_paper_that_stands_twice_is_found():
    with pytest.raises(ValueError, match="twice"):
        references.read("- A B. *On A.* ACL 2020.\n" * 2)


def test_glossary_terms_have_anchors_letters_and_order():
    page = glossary.page("# Glossary\n\n- **KV cache**: kept.\n- **Law**: l.\n")
    assert "## K\n" in page and "## L\n" in page and "[**KV cache**]{#term-kv-cache}: kept." in page
    with pytest.raises(ValueError, match="'b' stands behind 'c'"):
        glossary.page("- **c**: x\n- **b**: x\n")
    with pytest.raises(ValueError, match="'lost' is no line of the form"):
        glossary.page("- **c**: x\nlost\n")


def test_every_name_that_a_page_wants_is_filled_in():
    readme = (ROOT / "README.md").read_text(encoding="utf-8").replace("## Handing in", "## Other")
    written = pages.written(lessons.read_all(), readme)
    assert {"index.md", "exercises.md", "figures.md", "instructor.md"} <= set(written)
    for exercise in catalog.exercises():
        assert f"#{stage.anchor(exercise)}" in written["exercises.md"]
    assert "readme.md#grading" in written["instructor.md"]
    assert "readme.md#handing-in" not in written["instructor.md"]


@pytest.mark.parametrize("belief, exercise, words", MISCONCEPTIONS)
def test_a_misconception_meets_feedback_that_the_check_really_gives(belief, exercise, words):
    function = catalog.find(exercise).function
    path = ROOT / f"helpers/exercises/checks/lesson_{lesson_of(exercise)}/{function}.py"
    joined = re.sub(r'"\s*\n?\s*f?"', "", path.read_text(encoding="utf-8"))
    assert words in joined


def test_an_exercise_shows_hints_properties_and_an_answer_in_place_of_its_check():
    exercise = catalog.find("03.3")
    (one,) = [each for each in lessons.read_all() if each.number == "03"]
    shown, _ = stage.notebook(one, [one], [])
    text = "\n".join(cell.source for cell in shown.cells)
    assert 'check("03.3"' not in text and "from helpers.exercises import" not in text
    assert "(exercise-03-3)=\n### 03.3" in text and "Hint 3 of 3" in text
    assert catalog.solution_text(exercise).strip() in text
    for hint in exercise.hints:
        assert stage.plain(hint) in text
    saved = nbformat.read(one.path, as_version=4)
    assert saved == one.notebook, "the lesson itself is changed"


def test_mark_up_in_a_hint_is_shown_and_not_obeyed():
    assert stage.plain("a*b*c [1](x) `d` <b> $e$ _f_") == (
        r"a\*b\*c \[1\]\(x\) \`d\` \<b\> \$e\$ \_f\_"
    )


def test_faults_of_all_files_are_told_together(tmp_path):
    root = tmp_path / "course"
    shutil.copytree(ROOT / "lessons", root / "lessons")
    shutil.copy(ROOT / "README.md", root)
    with (root / "lessons/questions.md").open("a", encoding="utf-8") as file:
        file.write('<a href="x">x</a>\n')
    path = root / "lessons/08_sampling_controls.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.metadata.pop("mystnb", None)
        cell.source = cell.source.replace("operate(SAMPLING)", "pass")
        cell.id = "renamed" if cell.id == "what-each-keeps" else cell.id
    notebook.cells[3].source += "\n\nNobody et al. 2020 say so."
    nbformat.write(notebook, path)
    with pytest.raises(build.BookFault) as caught:
        build.write_sources(root, tmp_path / "source")
    text = str(caught.value)
    for words in (
        "questions.md: a raw <a",
        "08_sampling_controls.ipynb, cell renamed: a picture without its text",
        f"08_sampling_controls.ipynb, cell {notebook.cells[3].id}: 'Nobody et al. 2020' is cited",
        "operate(SAMPLING) stands in 0 cells of the lessons",
    ):
        assert words in text


def test_the_formula_script_is_the_published_one():
    path = ROOT / "helpers/site/static/mathjax"
    digest = hashlib.sha256((path / "tex-svg.js").read_bytes()).hexdigest()
    assert digest in (path / "README.md").read_text(encoding="utf-8")
    assert "Apache License" in (path / "LICENSE").read_text(encoding="utf-8")


def test_pictures_of_the_readme_go_with_it(tmp_path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = pages.pictures(readme)
    assert named == ["data/benchmarks/decoding.png"]
    assert pages.pictures("[a link](data/x.json), ![afar](https://a.org/b.png)") == []
    build.write_sources(ROOT, tmp_path / "sources")
    for name in named:
        assert (tmp_path / "sources" / name).read_bytes() == (ROOT / name).read_bytes()
