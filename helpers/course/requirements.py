"""The requirement files, read as packages and the versions that they are pinned to."""

import re


def requirement_files(tests):
    """Return the names of the requirement files to install, relative to the root."""
    return ["requirements.txt"] + (["tests/requirements.txt"] if tests else [])


def normal(name):
    """Return a package's name as the index compares it: lower case, with hyphens."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(path):
    """Return {package: line} of a requirement file, such as {"torch": "torch==2.13.0"}."""
    with open(path, encoding="utf-8") as file:
        lines = [line.split("#")[0].strip() for line in file]
    return {normal(re.split(r"[\[=]", line)[0]): line for line in lines if line}


def pinned(line):
    """Return the version that a line asks for."""
    return line.partition("==")[2]


def same(version, line):
    """Return whether a version is the one of a line; 2.13.0+cpu is a build of 2.13.0."""
    return version.split("+")[0] == pinned(line)
