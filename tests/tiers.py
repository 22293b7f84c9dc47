"""Two tiers of tests, what is left while they run, and skipped tests told once: a pytest plugin.

`make test` tries everything that a change is likely to break, in minutes. `make test-all` (with
COURSE_TESTS=all) also runs the tests marked thorough, and draws all the examples that a property
asks for; in the quick tier it draws a quarter of them.
"""

import json
import os
import time
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

ALL = os.environ.get("COURSE_TESTS") == "all"
ROOT = Path(__file__).resolve().parent.parent
TIMES = ROOT / ".build" / "test-times.json"
EVERY = 15  # seconds between two lines that say how much is left
# skips that take more away than one test: what was not tried, and how to have it tried
MISSING = {
    "the sandbox": ("sandbox", "bwrap"),
    "the real model": ("gguf", "real-model"),
}


def examples(count: int, **more) -> settings:
    """`@examples(60)`: a property is tried on 60 drawn examples, on 15 in the quick tier."""
    return settings(max_examples=count if ALL else max(5, count // 4), **more)


def pytest_configure(config):
    """Say what the marker means, and start the clock where lines are written."""
    config.addinivalue_line("markers", "thorough: takes long; run by make test-all")
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Told(config), "course-told")


def pytest_collection_modifyitems(config, items):
    """Leave the thorough tests to make test-all."""
    if ALL:
        return
    left_out = [item for item in items if item.get_closest_marker("thorough")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("thorough")]


class Told:
    """What a run says of itself: how much is left, what was skipped and why."""

    def __init__(self, config):
        self.times = self.known(config)
        self.ours = config is not None and config.rootpath == ROOT  # and not a test's own run
        self.seconds, self.skipped = {}, Counter()
        self.expected, self.done = 0.0, 0.0
        self.started = self.said = time.monotonic()
        self.usual = 0.1

    @staticmethod
    def known(config) -> dict[str, float]:
        """Return how long each test took the last time, on this machine."""
        try:
            return {name: float(took) for name, took in json.loads(TIMES.read_text()).items()}
        except (OSError, ValueError, AttributeError, TypeError):
            return {}

    def weight(self, name: str) -> float:
        """Return how long a test is likely to take."""
        return self.times.get(name, self.usual)

    def pytest_collection_finish(self, session):
        """Add up what is to be run, where this process collects it itself."""
        self.expected = sum(self.weight(item.nodeid) for item in session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, node, ids):
        """Add up what is to be run by workers; all of them collect the same."""
        self.expected = sum(map(self.weight, ids))

    def pytest_runtest_logreport(self, report):
        """Keep times and reasons; now and then say how much is left."""
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.skipped and isinstance(report.longrepr, tuple):
            self.skipped[report.longrepr[2].removeprefix("Skipped: ")] += 1
        if report.when != "teardown":
            return
        self.done += self.weight(report.nodeid)
        now = time.monotonic()
        if now - self.said > EVERY and 0 < self.done < self.expected:
            self.said = now
            share = self.done / self.expected
            left = (now - self.started) * (1 - share) / share
            print(f"\n{share:5.0%} done, about {in_words(left)} left", flush=True)

    def pytest_sessionfinish(self):
        """Keep the times for the next run's estimate."""
        if self.seconds and self.ours:
            times = {name: round(took, 3) for name, took in {**self.times, **self.seconds}.items()}
            TIMES.parent.mkdir(exist_ok=True)
            temporary = TIMES.with_suffix(".new")
            temporary.write_text(json.dumps(times))
            temporary.replace(TIMES)

    def pytest_terminal_summary(self, terminalreporter):
        """Tell each reason of a skip once, and end with what was not tried at all."""
        for reason, count in self.skipped.most_common():
            terminalreporter.write_line(f"skipped {count}: {' '.join(reason.split())}")
        for what, signs in MISSING.items():
            if any(sign in reason.lower() for reason in self.skipped for sign in signs):
                terminalreporter.write_line(f"This run did not try {what}: see the reason above.")


def in_words(seconds: float) -> str:
    """Return "40 s" or "3 min"."""
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
