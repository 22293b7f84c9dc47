"""A PostgreSQL server of the tests' own, in a temporary folder, as a user without rights."""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import psycopg

NOBODY = 65534


class NoServer(Exception):
    """There is no PostgreSQL here, and none can be had; the text says why."""


def programs(unpacked: Path) -> Path:
    """Return the folder of initdb and postgres; NoServer if there is none.

    What is installed is used. Else Debian's or Ubuntu's package is fetched and unpacked into a
    folder of the test's own, which asks for no rights and leaves nothing behind.
    """
    found = shutil.which("postgres")
    places = [Path(found).resolve().parent] if found else []
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for place in places:
        if (place / "initdb").exists() and (place / "postgres").exists():
            return place
    if not shutil.which("apt-get") or not shutil.which("dpkg"):
        raise NoServer("PostgreSQL is not installed")
    try:
        return _fetched(unpacked)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise NoServer(f"PostgreSQL is not installed and cannot be fetched: {error}") from None


def _fetched(folder: Path) -> Path:
    said = _run("apt-cache", "depends", "postgresql", cwd=folder)
    names = re.findall(r"\b(postgresql-\d+)\b", said)
    if not names:
        raise ValueError("the package index does not know it")
    _run("apt-get", "download", "-qq", names[0], "libpq5", cwd=folder)
    for package in folder.glob("*.deb"):
        _run("dpkg", "-x", str(package), str(folder), cwd=folder)
    return next(folder.glob("usr/lib/postgresql/*/bin"))


def _run(*command: str, cwd: Path) -> str:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300)
    if done.returncode:
        raise ValueError((done.stderr.strip().splitlines() or ["it failed"])[-1])
    return done.stdout


@contextlib.contextmanager
def server():
    """Start a server, and yield the URL of an empty database; NoServer if that cannot be."""
    folder = Path(tempfile.mkdtemp(prefix="gradebook-"))
    folder.chmod(0o755)
    process = None
    try:
        (folder / "programs").mkdir()
        place = programs(folder / "programs")
        data = folder / "data"
        data.mkdir(mode=0o700)
        before = []
        if os.geteuid() == 0:  # PostgreSQL refuses to be root
            os.chown(data, NOBODY, NOBODY)
            before = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--"]
        libraries = ":".join(str(path) for path in (folder / "programs").glob("usr/lib/*-linux-*"))
        settings = {**os.environ, "LC_ALL": "C", "LD_LIBRARY_PATH": libraries}
        made = subprocess.run(
            [*before, place / "initdb", "-D", data, "-U", "grader", "-A", "trust", "-E", "UTF8"],
            env=settings,
            cwd=data,
            capture_output=True,
            text=True,
            timeout=300,
        )
        if made.returncode:
            raise NoServer(f"PostgreSQL does not start: {made.stderr.strip()[-300:]}")
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        quick = ["-c", "fsync=off", "-c", "unix_socket_directories=", "-c", "jit=off"]
        process = subprocess.Popen(
            [*before, place / "postgres", "-D", data, "-h", "127.0.0.1", "-p", str(port), *quick],
            env=settings,
            cwd=data,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _wait(process, port)
        yield f"postgresql+psycopg://grader@127.0.0.1:{port}/postgres"
    finally:
        if process is not None:
            process.send_signal(signal.SIGQUIT)
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _wait(process: subprocess.Popen, port: int) -> None:
    for _ in range(600):
        try:
            psycopg.connect(f"host=127.0.0.1 port={port} user=grader dbname=postgres").close()
            return
        except psycopg.OperationalError:
            if process.poll() is not None:
                break
            time.sleep(0.2)
    raise NoServer("PostgreSQL does not start")
