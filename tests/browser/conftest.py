"""A real browser for the tests: Chromium as it is installed, driven by playwright.

Everything here is skipped, with the reason, where there is no browser. A test fails when a page
asks for anything outside the book, when a file is missing, and when a script raises an error.
"""

import functools
import http.server
import os
import shutil
import threading
from pathlib import Path

import pytest

from helpers.site import build

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def pytest_collection_modifyitems(items):
    """Mark what stands in this folder, so that only make test-browser runs it."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def browser():
    """A running browser; skips where none can be had."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        pytest.skip("playwright is not installed: make test-browser installs it")
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip(f"there is no browser here: install one of {', '.join(NAMES)}")
    # a container's root may have no sandbox, and its /dev/shm is small
    root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=path, args=[*root, "--disable-dev-shm-usage", "--disable-gpu"]
        )
        yield started
        started.close()


@pytest.fixture(scope="session")
def site(browser, tmp_path_factory):
    """The folder of the freshly built book."""
    return build.build(ROOT, tmp_path_factory.mktemp("book"))


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A static host that keeps no log."""

    def log_message(self, *arguments):
        """Say nothing."""


@pytest.fixture(scope="session")
def host(site):
    """The book's address on a static host, two folders below its root."""
    folder = site.parent.parent
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder))
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{site.relative_to(folder).as_posix()}/"
    server.shutdown()


@pytest.fixture
def open_page(browser):
    """A function that opens a page: open_page(base, name, width=..., scheme=..., scripts=...).

    Whatever is asked for outside `base`, fails or raises is an error when the test ends.
    """
    contexts, wrong = [], []

    def opened(base, name, width=1280, scheme="light", scripts=True):
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            java_script_enabled=scripts,
        )
        contexts.append(context)

        def request(route):
            if route.request.url.startswith(base):
                route.continue_()
            else:
                wrong.append(f"{name} asks for {route.request.url}")
                route.abort()

        context.route(lambda url: not url.startswith("data:"), request)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(f"{name}: {error}"))
        page.on("response", lambda r: r.status >= 400 and wrong.append(f"{r.status} {r.url}"))
        page.goto(base + name)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert not wrong, "\n".join(wrong)
