"""Which Python the course runs on, and one sentence for every other.

An old Python must be able to read every file of set-up, to say that it is too old: there is only
the standard library in them, and no syntax newer than Python 3.6.
"""

import subprocess

SUPPORTED = ((3, 11), (3, 12), (3, 13), (3, 14))


class SetupError(Exception):
    """A set-up that cannot go on; its text is one sentence that names the remedy."""


def version_text(version):
    """Return "3.12" for (3, 12, 1)."""
    return f"{version[0]}.{version[1]}"


def supported_text():
    """Return the supported versions as words: 3.11, 3.12, 3.13 or 3.14."""
    names = [version_text(version) for version in SUPPORTED]
    return ", ".join(names[:-1]) + " or " + names[-1]


def check_python(version):
    """Raise SetupError when this version of Python is not supported."""
    if tuple(version[:2]) in SUPPORTED:
        return
    for newer in reversed(SUPPORTED):
        name = "python" + version_text(newer)
        if runs(name):
            remedy = "You have {0}: run `make learn PYTHON={0}` or `{0} -m helpers setup`."
            remedy = remedy.format(name)
            break
    else:
        remedy = "Install one from python.org, then run `make learn PYTHON=python3.12`."
    found = ".".join(str(part) for part in version[:3])
    raise SetupError(
        f"This course needs Python {supported_text()}, and this is Python {found}. {remedy}"
    )


def runs(name):
    """Return whether a Python of that name can be started; a wrapper on the path may fail."""
    try:
        return subprocess.run([name, "-c", ""], stderr=subprocess.DEVNULL).returncode == 0
    except OSError:
        return False
