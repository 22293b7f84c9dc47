"""The other end of the worker: start it, open an answer in it, call, close, survive anything."""

import builtins
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path

from helpers.exercises import plain, worker

ROOT = Path(__file__).resolve().parent.parent.parent
START_SECONDS = 120  # torch may have to be read from a slow disk
COMMAND = (sys.executable, "-m", "helpers.exercises.worker", "--details")


class Stopped(Exception):
    """An answer that gives no more replies; its text says why."""


class Process:
    """A worker process, started at need and again after it was lost.

    command: what starts it; it must speak as helpers/exercises/worker.py does. One answer at a time
    is open in it. A time limit that passes ends the process, and with it the answer.
    """

    def __init__(self, command: Sequence[str] = COMMAND):
        self.command = list(command)
        # only the words of one's own answers are passed on; see _without_words
        self._own = "--details" in self.command
        self._process = None

    def start(self) -> None:
        """Start the process if none is running; RuntimeError if it does not greet."""
        if self._process is not None and self._process.poll() is None:
            return
        self.stop()
        self._process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            start_new_session=True,  # an interrupt of the notebook must not reach it
        )
        self._replies = queue.Queue()
        threading.Thread(
            target=_collect, args=(self._process.stdout, self._replies), daemon=True
        ).start()
        try:
            greeting = self._receive(START_SECONDS)
        except Stopped as error:
            raise RuntimeError(f"the process that runs answers did not start: {error}") from None
        except KeyboardInterrupt:
            self.stop()
            raise
        if greeting != {"hello": True}:
            self.stop()
            raise RuntimeError(f"the process that runs answers greeted with {plain.show(greeting)}")

    def modules(self, imports: list[str]) -> list:
        """Return what the worker must be given to import, as [name, source]: nothing here."""
        return []

    def stop(self) -> None:
        """End the process and everything that runs in it."""
        process, self._process = self._process, None
        if process is None:
            return
        _kill(process)
        process.stdin.close()
        process.wait()

    def open(self, source: str, function: str, imports: list[str], seconds: float) -> dict:
        """Open an answer, with this much time until it is closed; return the reply."""
        self.start()
        self._limit = seconds
        self._end = time.monotonic() + seconds
        message = {"open": source, "function": function, "imports": imports}
        reply = self._ask(message | {"modules": self.modules(imports)})
        return reply if self._own else _without_words(reply)

    def call(self, arguments: list) -> dict:
        """Call the open answer's function; return the reply. Stopped if none will come."""
        reply = self._ask({"call": arguments})
        return reply if self._own else _without_words(reply)

    def close(self) -> None:
        """Close the open answer; the process stays warm for the next one."""
        if self._process is None:
            return
        try:
            self._end = max(self._end, time.monotonic() + 5)
            if self._ask({"close": True}) != {"closed": True}:
                self.stop()
        except Stopped:
            pass

    def _ask(self, message: dict) -> dict:
        if self._process is None:
            raise Stopped("it was stopped before")
        try:
            worker.write_message(self._process.stdin.fileno(), plain.encode(message))
            reply = self._receive(self._end - time.monotonic())
        except OSError:
            self.stop()
            raise Stopped("it ended its process") from None
        except KeyboardInterrupt:
            self.stop()
            raise
        if reply == {"closed": True} and "close" not in message:
            raise Stopped("it ended its process")
        return reply

    def _receive(self, seconds: float) -> dict:
        try:
            message = self._replies.get(timeout=max(seconds, 0))
        except queue.Empty:
            self.stop()
            raise Stopped(f"it took longer than {getattr(self, '_limit', seconds):g} s") from None
        try:
            reply = plain.decode(message) if message is not None else None
        except ValueError:
            reply = None
        if not isinstance(reply, dict):
            self.stop()
            raise Stopped("it ended its process")
        return reply


def _without_words(reply: dict) -> dict:
    """Return a reply with no text but the name of a known exception, an import, a variable.

    Whoever writes an answer could put anything there, and it would stand on a page.
    """
    if "not plain" in reply:
        return {"not plain": "a value of another type than is allowed"}
    if "raised" not in reply:
        return reply
    known = getattr(builtins, str(reply["raised"]), None)
    error = isinstance(known, type) and issubclass(known, BaseException)
    clean = {"raised": reply["raised"] if error else "an exception"}
    for key in ("refused", "name"):
        if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]{0,39}", str(reply.get(key, ""))):
            clean[key] = reply[key]
    return clean


def _collect(stream, replies: queue.Queue) -> None:
    """Put every message of a pipe into a queue, and None at its end."""
    try:
        while (message := worker.read_message(stream.fileno())) is not None:
            replies.put(message)
    except (OSError, ValueError):
        pass
    replies.put(None)
    stream.close()


def _kill(process: subprocess.Popen) -> None:
    """Kill a process and, where the system knows groups, all that it started."""
    try:
        import os
        import signal

        os.killpg(process.pid, signal.SIGKILL)
    except (AttributeError, OSError):
        process.kill()
