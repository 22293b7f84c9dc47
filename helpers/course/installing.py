"""pip, watched: what goes by while it works, and one sentence when it fails."""

import os
import re
import shutil
import subprocess
import sys
import threading
import time

from helpers.course.python_version import SetupError, supported_text
from helpers.course.torch_build import CPU, cpu_index
from helpers.course.venv_folder import last_lines

SECONDS_BETWEEN_LINES = 5
# what pip writes when a thing went wrong, and what to do about it; the first that fits counts
REMEDIES = (
    (
        ("No space left", "Errno 28", "Disk quota exceeded", "Errno 122"),
        "The disk is full: free some room and run it again; what is installed stays.",
    ),
    (
        ("ProxyError", "Cannot connect to proxy", "Tunnel connection failed"),
        "The proxy lets nothing through: mend the variables http_proxy and https_proxy, or pip's "
        "own setting (`pip config list`), and run it again.",
    ),
    (
        ("CERTIFICATE_VERIFY_FAILED", "SSLError"),
        "The package index's certificate is not trusted here: where a proxy reads along, set "
        "PIP_CERT to the file of its certificate, and run it again.",
    ),
    (
        (
            "Retrying (",
            "NewConnectionError",
            "name resolution",
            "Timeout",
            "timed out",
            "Connection broken",
            "IncompleteRead",
            "incomplete-download",
            "ConnectionResetError",
            "DO NOT MATCH THE HASHES",
            ".whl is invalid",
        ),
        "The package index could not be reached, or broke off: check the network and run it again; "
        "it goes on.",
    ),
    (
        ("No matching distribution",),
        "There is no build of that package for this system: Linux (x86-64, ARM64), macOS 14 or "
        f"later on Apple silicon, and 64-bit Windows have them, with Python {supported_text()}.",
    ),
    (
        ("ResolutionImpossible", "conflicting dependencies"),
        "What is installed here does not go with what the course needs: take an environment of its "
        "own, by `make learn`.",
    ),
    (
        ("No module named 'pip", "No module named pip"),
        "The environment's pip is broken: delete the folder .venv and run it again.",
    ),
    (
        ("Permission denied", "Errno 13", "Read-only file system", "Errno 30"),
        "That folder cannot be written: use a copy of the course, or an environment, of your own.",
    ),
    ((), "pip failed: mend what it says above and run it again; what is installed stays."),
)


def remedy_for(text):
    """Return one sentence that says what to do about a failed pip, from what pip wrote."""
    return next(
        remedy for signs, remedy in REMEDIES if not signs or any(sign in text for sign in signs)
    )


def pip_install(python, words, torch, temporary, packages):
    """Install into an environment, and show what goes by: pip's bars in a terminal, else lines.

    Args:
        python: the environment's interpreter.
        words: what follows `pip install`.
        torch: "cpu" to look for PyTorch in the index of CPU builds as well.
        temporary: a folder that pip may fill while it works; it is emptied before and after.
        packages: the folder that packages are installed into, watched to count them.
    Raises: SetupError with the remedy when pip fails; its last lines are printed before.
    """
    command = [python, "-m", "pip", "--disable-pip-version-check", "install"]
    command += ["--extra-index-url", cpu_index()] if torch == CPU else []
    settings = dict(os.environ)
    settings.update(dict.fromkeys(("TMPDIR", "TEMP", "TMP"), temporary), PYTHONUNBUFFERED="1")
    shutil.rmtree(temporary, ignore_errors=True)  # left by an interruption
    os.makedirs(temporary)
    bars = sys.stdout.isatty()
    process = subprocess.Popen(
        command + list(words),
        stdout=None if bars else subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=settings,
    )
    try:
        if not bars:
            errors = watch(process, Passing(temporary, packages))
        else:
            errors = process.communicate()[1]
    finally:
        if process.poll() is None:  # interrupted: pip ends before the folder it works in
            process.kill()
            process.wait()
        shutil.rmtree(temporary, ignore_errors=True)
    if process.returncode:
        errors = errors.decode(errors="replace")
        print(last_lines(errors), file=sys.stderr)
        raise SetupError(remedy_for(errors))


def watch(process, passing, every=SECONDS_BETWEEN_LINES):
    """Print a line every few seconds until a process ends; return what it wrote to stderr."""
    errors = []
    readers = [
        threading.Thread(target=lambda: errors.append(process.stderr.read()), daemon=True),
        threading.Thread(target=lambda: passing.read(process.stdout), daemon=True),
    ]
    for reader in readers:
        reader.start()
    start = time.monotonic()
    while True:
        try:
            process.wait(every)
            break
        except subprocess.TimeoutExpired:
            print(f"{time.monotonic() - start:5.0f} s: {passing}", flush=True)
    for reader in readers:
        reader.join()
    return errors[0]


class Passing:
    """What pip is at, read from what it writes and from the folders that it fills."""

    def __init__(self, temporary, packages):
        self.temporary, self.packages = temporary, packages
        self.found, self.now, self.to_install = 0, "", 0
        self.before = self._count()

    def read(self, lines):
        """Take in the lines that pip writes, until it ends."""
        for line in lines:
            line = line.decode(errors="replace").strip()
            fetched = re.match(r"(?:Downloading|Using cached) (?:.*/)?(\S+)(.*)", line)
            if line.startswith(("Collecting ", "Processing ")):  # from an index, from a folder
                self.found += 1
            elif fetched and ".metadata" not in fetched.group(1):
                self.now = ", now " + "-".join(fetched.group(1).split("-")[:2]) + fetched.group(2)
            elif line.startswith("Installing collected packages:"):
                self.to_install = line.count(",") + 1

    def __str__(self):
        if self.to_install:
            done = min(max(0, self._count() - self.before), self.to_install)
            return f"{done} of {self.to_install} packages installed"
        return f"{self.found} packages found, {self._fetched() / 1e6:.0f} MB fetched{self.now}"

    def _count(self):
        try:
            return sum(name.endswith(".dist-info") for name in os.listdir(self.packages))
        except OSError:
            return 0

    def _fetched(self):
        size = 0
        for folder, _, names in os.walk(self.temporary):
            for name in names:
                try:
                    size += os.path.getsize(os.path.join(folder, name))
                except OSError:  # moved meanwhile
                    pass
        return size


def clear_half_installed(packages):
    """Delete what an interrupted pip left of a package; return whether there was anything.

    pip writes a package's RECORD last, and takes one without it for installed. What it had moved
    aside to replace it has a name that begins with ~.
    """
    halves = [
        path
        for path in (os.path.join(packages, name) for name in os.listdir(packages))
        if os.path.basename(path).startswith("~")
        or (path.endswith(".dist-info") and not os.path.exists(os.path.join(path, "RECORD")))
    ]
    for path in halves:
        shutil.rmtree(path, ignore_errors=True)
    return bool(halves)
