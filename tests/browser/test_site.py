"""The book in a real browser: light and dark, wide and narrow, by mouse and by keyboard."""

import hashlib
from pathlib import Path

import pytest

from helpers.site import figures

AXE = Path(__file__).resolve().parent / "axe"
# one page of each kind; a lesson with formulas, a figure to operate, pictures and exercises
KINDS = ("index", "08_sampling_controls", "figures", "exercises", "glossary", "instructor")
TOO_WIDE = """() => {
    const wide = document.documentElement.scrollWidth > innerWidth;
    if (!wide) return [];
    const out = [...document.querySelectorAll(".bd-article *")].filter(
        (element) => element.getBoundingClientRect().right > innerWidth + 1);
    return ["page is wider than the window: " +
            out.slice(0, 3).map((e) => e.tagName + " " + e.textContent.slice(0, 40)).join("; ")];
}"""


def file_base(site):
    return site.resolve().as_uri() + "/"


@pytest.mark.parametrize("width", [390, 820, 1280])
def test_no_page_scrolls_sideways_or_asks_outside(open_page, host, site, width):
    names = sorted(path.name for path in site.glob("*.html"))
    page = open_page(host, names[0], width)
    found = []
    for name in names:
        page.goto(host + name)
        # a formula may be wider than its source; pages without one have no MathJax
        page.evaluate("() => window.MathJax?.startup?.promise?.then(() => null)")
        found += [f"{name} at {width}: {wrong}" for wrong in page.evaluate(TOO_WIDE)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    "scheme, width, names",
    [("light", 1280, KINDS), ("dark", 1280, KINDS[:3]), ("dark", 390, KINDS[1:2])],
)
def test_axe_finds_nothing_serious(open_page, host, scheme, width, names):
    found = []
    for name in names:
        page = open_page(host, f"{name}.html", width, scheme)
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
        page.evaluate("() => document.querySelectorAll('details').forEach((d) => (d.open = true))")
        page.evaluate((AXE / "axe.min.js").read_text(encoding="utf-8"))
        # preload: axe would ask for style sheets by itself, at addresses that no page uses
        report = page.evaluate("async () => (await axe.run({ preload: false })).violations")
        for one in report:
            if one["impact"] in ("serious", "critical"):
                where = "; ".join(node["html"][:120] for node in one["nodes"][:3])
                found.append(f"{name}: {one['id']} ({one['help']}): {where}")
    assert not found, "\n".join(found)


def test_axe_is_the_published_one():
    digest = hashlib.sha256((AXE / "axe.min.js").read_bytes()).hexdigest()
    assert digest in (AXE / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("place", ["a static host", "a file"])
def test_search_finds_a_word_that_stands_only_in_an_output(open_page, host, site, place):
    base = host if place == "a static host" else file_base(site)
    page = open_page(base, "search.html?q=exceeds")
    page.wait_for_selector("#search-results li a")
    hits = page.eval_on_selector_all("#search-results li a", "all => all.map((a) => a.textContent)")
    assert any("Decoding" in hit for hit in hits), hits


@pytest.mark.parametrize("place", ["a static host", "a file"])
def test_formulas_are_drawn_without_a_request(open_page, host, site, place):
    base = host if place == "a static host" else file_base(site)
    page = open_page(base, "03_causal_attention.html")
    page.wait_for_selector("mjx-container svg", state="attached")


@pytest.mark.parametrize("figure", figures.FIGURES.values(), ids=figures.FIGURES)
def test_a_figure_follows_the_keys(open_page, host, figure):
    page = open_page(host, "figures.html")
    box = page.locator(f"#figure-{figure.name}")
    reading = box.locator(".reading")
    places = [control.start for control in figure.controls]
    assert reading.text_content() == figure.state(*places).reading
    slider = len(figure.controls) - 1
    box.locator("input[type=range]").last.focus()
    for key, step in (("ArrowLeft", -1), ("ArrowLeft", -1), ("ArrowRight", 1)):
        page.keyboard.press(key)
        places[slider] += step
        state = figure.state(*places)
        assert reading.text_content() == state.reading
        shown = box.locator("input[type=range]").last.get_attribute("aria-valuetext")
        assert shown == figure.controls[slider].values[places[slider]]
    for slot, value in zip(figure.slots, state.values, strict=True):
        id, attribute = slot.split()
        place = page.locator(f"#{id}")
        found = place.text_content() if attribute == "text" else place.get_attribute(attribute)
        assert found == value, slot


def test_a_list_of_choices_follows_the_keys_too(open_page, host):
    page = open_page(host, "figures.html")
    page.locator("#figure-mask select").focus()
    page.keyboard.press("ArrowDown")
    reading = page.locator("#figure-mask .reading").text_content()
    assert reading == figures.MASK.state(1, figures.MASK.controls[1].start).reading


def test_the_mouse_moves_a_figure(open_page, host):
    page = open_page(host, "figures.html")
    slider = page.locator("#figure-cache input")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    reading = page.locator("#figure-cache .reading").text_content()
    assert reading == figures.CACHE.states()[-1].reading


def test_without_scripts_the_figures_stand_still_and_say_what_they_show(open_page, host):
    page = open_page(host, "figures.html", scripts=False)
    for figure in figures.FIGURES.values():
        box = page.locator(f"#figure-{figure.name}")
        assert box.locator("svg").is_visible()
        assert not box.locator(".controls").is_visible()
        assert box.locator(".reading").text_content() == figure.first().reading


def test_a_lesson_can_be_printed(open_page, host):
    page = open_page(host, "08_sampling_controls.html")
    page.emulate_media(media="print")
    assert page.locator(".bd-article").is_visible()
    for hidden in (".bd-sidebar-primary", ".bd-header-article", "#figure-sampling .controls"):
        assert not page.locator(hidden).first.is_visible(), hidden
    assert page.pdf().startswith(b"%PDF")


def test_a_dark_page_is_printed_light_and_is_dark_again_afterwards(open_page, host):
    page = open_page(host, "index.html", scheme="dark")
    ink = "getComputedStyle(document.querySelector('.bd-article p')).color"
    on_screen = page.evaluate(ink)
    page.evaluate(f"addEventListener('beforeprint', () => {{ window.printed = {ink}; }})")
    page.pdf()
    assert max(int(part) for part in page.evaluate("printed")[4:-1].split(",")) < 90
    assert min(int(part) for part in on_screen[4:-1].split(",")) > 160
    assert page.evaluate(ink) == on_screen


def test_a_reader_can_choose_dark_pages(open_page, host):
    page = open_page(host, "index.html")
    page.locator(".theme-switch-button:visible").first.click()
    page.locator(".theme-change-button[data-mode=dark]:visible").click()
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert max(int(part) for part in ground[4:-1].split(",")[:3]) < 60, ground
