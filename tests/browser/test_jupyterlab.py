"""Lessons in JupyterLab as a learner uses it: run all, compare what is saved, solve an exercise."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest

from helpers.exercises import catalog
from helpers.figures.sampling import SAMPLING
from helpers.lesson_names import number_of
from tests.browser.conftest import ROOT
from tests.nbval_strict import kinds

WAIT = 120_000  # milliseconds, on a busy machine
LIVE = "07_decoding.ipynb"  # it has a slider
# no question about news, no cell left out of the page, nothing completed or closed while typing
OVERRIDES = {
    "@jupyterlab/apputils-extension:notification": {"fetchNews": "false", "checkForUpdates": False},
    "@jupyterlab/notebook-extension:tracker": {
        "windowingMode": "none",
        "codeCellConfig": {"autoClosingBrackets": False},
    },
    "@jupyterlab/codemirror-extension:plugin": {"defaultConfig": {"autoClosingBrackets": False}},
    "@jupyterlab/completer-extension:manager": {"autoCompletion": False},
}


@pytest.fixture(scope="module")
def lab(browser, tmp_path_factory):
    """A running JupyterLab on copies of the lessons: (its address, the folder of the copies)."""
    folder = tmp_path_factory.mktemp("lab")
    for path in (ROOT / "lessons").glob("*.ipynb"):
        (folder / "work").mkdir(exist_ok=True)
        shutil.copy(path, folder / "work")
    (folder / "settings").mkdir()
    (folder / "settings/overrides.json").write_text(json.dumps(OVERRIDES))
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--port=0", "--allow-root"]
    command += [f"--ServerApp.root_dir={folder}", "--IdentityProvider.token="]
    command += [f"--LabApp.app_settings_dir={folder / 'settings'}"]
    own = {name: str(folder / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR")}
    own["COURSE_PROGRESS"] = str(folder / "progress.json")
    own["JUPYTERLAB_WORKSPACES_DIR"] = str(folder / "workspaces")
    log = (folder / "log.txt").open("w")
    server = subprocess.Popen(command, env=os.environ | own, stdout=log, stderr=log)
    try:
        yield address(folder / "log.txt", server), folder
    finally:
        server.terminate()
        server.wait(timeout=30)
        log.close()


def address(log, server):
    """Wait until the server answers; return its address."""
    for _ in range(600):
        found = re.search(r"http://(?:localhost|127\.0\.0\.1):\d+/", log.read_text())
        if found:
            try:
                urllib.request.urlopen(found[0] + "api", timeout=5)
                return found[0]
            except OSError:
                pass
        assert server.poll() is None, log.read_text()
        time.sleep(0.1)
    raise AssertionError(f"JupyterLab did not start:\n{log.read_text()}")


@pytest.fixture
def lesson(browser, lab):
    """A function that opens a lesson in JupyterLab and waits until its kernel is ready."""
    base, _ = lab
    context = browser.new_context(viewport={"width": 1400, "height": 1000})
    context.set_default_timeout(WAIT)

    def opened(name):
        page = context.new_page()
        page.goto(f"{base}lab/workspaces/{number_of(name)}/tree/work/{name}?reset")
        page.wait_for_selector(".jp-Notebook .jp-CodeCell")
        page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]")
        page.locator(".jp-Toolbar-kernelName", has_text="Python 3").wait_for()
        return page

    yield opened
    context.close()


def restart_and_run_all(page):
    """Restart the kernel, run all cells, and wait until the last one has run."""
    dialog = page.locator(".jp-Dialog button >> text=Restart")
    for second in range(120):
        if dialog.is_visible():
            break
        if second % 30 == 0:  # a command that JupyterLab has not got ready yet does nothing
            page.locator(".lm-MenuBar-itemLabel >> text=Run").click()
            entry = page.locator(".lm-Menu-itemLabel")
            entry.get_by_text("Restart Kernel and Run All Cells…", exact=True).click()
        page.wait_for_timeout(1000)
        # on a busy machine the first kernel may not be there yet, and JupyterLab asks which
        select = page.locator(".jp-Dialog").get_by_text("Select", exact=True)
        if select.is_visible():
            select.click()
    dialog.click()
    page.wait_for_function(
        """() => {
            const prompts = [...document.querySelectorAll(".jp-CodeCell .jp-InputPrompt")]
                .map((prompt) => prompt.textContent.trim());
            const idle = document.querySelector(
                ".jp-Notebook-ExecutionIndicator[data-status=idle]");
            return idle && prompts.every((text, i) => text === `[${i + 1}]:`);
        }""",
        timeout=WAIT,
    )


def saved(page, path):
    """Save; return the notebook that then lies in the folder."""
    before = path.stat().st_mtime_ns
    page.keyboard.press("Control+s")
    for _ in range(100):
        if path.stat().st_mtime_ns != before:
            return nbformat.read(path, as_version=4)
        page.wait_for_timeout(100)
    raise AssertionError(f"{path.name} was not saved")


def texts(cell):
    """Return what a cell printed, showed as text, or raised."""
    return [
        output.get("text") or output.get("data", {}).get("text/plain") or output.get("evalue")
        for output in cell.outputs
    ]


def compare(run, name):
    """Hold what JupyterLab saved against the lesson as it is published."""
    published = nbformat.read(ROOT / "lessons" / name, as_version=4)
    for before, after in zip(published.cells, run.cells, strict=True):
        assert after.source == before.source
        if before.cell_type == "code":
            assert kinds(after.outputs) == kinds(before.outputs), before.id
            if "nbval-ignore-output" not in before.metadata.get("tags", []):
                assert texts(after) == texts(before), before.id


def test_a_lesson_with_a_slider_runs_saves_the_same_and_the_slider_follows_the_keys(lesson, lab):
    page = lesson(LIVE)
    restart_and_run_all(page)
    compare(saved(page, lab[1] / "work" / LIVE), LIVE)
    picture = page.locator(".jupyter-widgets img").first
    picture.wait_for()
    before = picture.get_attribute("src")
    page.locator(".jupyter-widgets.widget-slider .noUi-handle").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_function(
        "(old) => ![null, undefined, old].includes("
        "document.querySelector('.jupyter-widgets img')?.src)",
        arg=before,
    )


def shown(box, figure):
    """Return what a figure shows by its slots, and its sentence."""
    values = []
    for slot in figure.slots:
        id, attribute = slot.split()
        place = box.locator(f"#{id}")
        values.append(
            place.text_content() if attribute == "text" else place.get_attribute(attribute)
        )
    return values, box.locator(".reading").text_content()


def test_a_figure_follows_the_keys_in_jupyterlab_to_the_numbers_of_the_books_page(
    lesson, lab, open_page, host
):
    name = "08_sampling_controls.ipynb"
    page = lesson(name)
    restart_and_run_all(page)
    compare(saved(page, lab[1] / "work" / name), name)
    box = page.locator(".jp-OutputArea .operable")
    book = open_page(host, name.replace("ipynb", "html"))
    still = book.locator("#figure-sampling")
    knobs, sliders = box.locator(".noUi-handle"), still.locator("input[type=range]")
    seen = [shown(box, SAMPLING)]
    assert seen == [shown(still, SAMPLING)]
    for place, key in ((0, "ArrowRight"), (1, "ArrowLeft"), (1, "ArrowLeft"), (0, "ArrowLeft")):
        before = box.locator(".reading").text_content()
        knobs.nth(place).focus()
        page.keyboard.press(key)
        page.wait_for_function(
            "old => document.querySelector('.operable .reading').textContent !== old",
            arg=before,
        )
        sliders.nth(place).focus()
        book.keyboard.press(key)
        seen.append(shown(box, SAMPLING))
        assert seen[-1] == shown(still, SAMPLING)
    assert len({reading for _, reading in seen}) == 5


def test_lesson_01_runs_saves_the_same_and_an_exercise_is_solved_by_typing(lesson, lab):
    exercise, name = catalog.find("01.1"), "01_toy_language.ipynb"
    page = lesson(name)
    restart_and_run_all(page)
    compare(saved(page, lab[1] / "work" / name), name)

    stub = page.locator(".jp-CodeCell", has_text="def floor_bits").first
    check = page.locator(".jp-CodeCell", has_text='check("01.1", floor_bits)').first
    assert "not attempted" in check.locator(".jp-OutputArea").inner_text()
    stub.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    for number, line in enumerate(catalog.solution_text(exercise).strip().splitlines()):
        if number:
            page.keyboard.press("Enter")
            page.keyboard.press("Home")
            page.keyboard.press("Shift+End")
            page.keyboard.press("Delete")  # the editor's own indentation
        page.keyboard.type(line)
    page.keyboard.press("Shift+Enter")
    check.locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    check.locator(".jp-OutputArea", has_text="01.1 Bits: solved").wait_for()
    record = json.loads((lab[1] / "progress.json").read_text())
    assert "01.1" in json.dumps(record)
