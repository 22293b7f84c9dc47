"""The other end of the worker: start it, open an answer in it, call, close, survive anything."""

import builtins
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from helpers.exercises import plain, worker

ROOT = Path(__file__).resolve().parent.parent.parent
START_SECONDS = 120  # torch may have to be read from a slow disk
KNOWN = {"helpers", "torch", "numpy", "np", "F", "nn", "matplotlib", "plt", "pandas", "scipy"}
OURS = {path.stem for path in (ROOT / "helpers").iterdir()}
COMMAND = (sys.executable, "-m", "helpers.exercises.worker", "--details")


class Stopped(Exception):
    """An answer that gives no more replies; its text says why."""


class Ended(Stopped):
    """An answer whose process is gone, or says what it should not."""

    def __init__(self):
        super().__init__("it ended its process")


class Process:
    """A worker process, started at need and again after it was lost.

    command: what starts it; it must speak as helpers/exercises/worker.py does. environment: its
    variables, by default those of this process. One answer at a time is open in it. A time limit
    that passes ends the process, and with it the answer.
    """

    def __init__(
        self, command: Sequence[str] = COMMAND, environment: Mapping[str, str] | None = None
    ):
        self.command = list(command)
        self.environment = environment
        # only the words of one's own answers are passed on; see _without_words
        self.own = "--details" in self.command
        self._process = None
        self.start_seconds = 0.0  # that all starts took

    def start(self) -> None:
        """Start the process if none is running; RuntimeError if it does not greet."""
        if self._process is not None and self._process.poll() is None:
            return
        self.stop()
        began = time.perf_counter()
        self._process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=self.environment,
            start_new_session=True,  # an interrupt of the notebook must not reach it
        )
        self._fresh = True
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
        if greeting.get("hello") is not True:
            self.stop()
            raise RuntimeError(f"the process that runs answers greeted with {plain.show(greeting)}")
        self.start_seconds += time.perf_counter() - began

    def modules(self, imports: list[str]) -> list:
        """Return what the worker must be given to import, as [name, source]: nothing here."""
        return []

    def stop(self) -> None:
        """End the process and everything that runs in it."""
        process, self._process = self._process, None
        if process is None:
            return
        self.kill(process)
        try:
            process.stdin.close()
        except OSError:  # what was written to it has nobody to read it any more
            pass
        process.wait()

    def kill(self, process: subprocess.Popen) -> None:
        """Kill a process and, where the system knows groups, all that it started."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (AttributeError, OSError):
            process.kill()

    def open(self, source: str, function: str, imports: list[str], seconds: float) -> dict:
        """Open an answer, with this much time until it is closed; return the reply."""
        message = {"open": source, "function": function, "imports": imports}
        message["modules"] = self.modules(imports)
        if self._process is not None and not self._replies.empty():
            self.stop()  # nothing was asked: what waits there is not for this answer
        self.start()
        fresh, self._fresh = self._fresh, False
        self._limit = seconds
        self._end = time.monotonic() + seconds
        try:
            reply = self._ask(message)
        except Ended:
            if fresh:
                raise
            # an earlier answer may have broken the process: this one gets a process of its own
            self.stop()
            return self.open(source, function, imports, seconds)
        return reply if self.own else _without_words(reply)

    def call(self, arguments: list) -> dict:
        """Call the open answer's function; return the reply. Stopped if none will come."""
        reply = self._ask({"call": arguments})
        return reply if self.own else _without_words(reply)

    def close(self) -> None:
        """Close the open answer; the process stays warm for the next one."""
        if self._process is None:
            return
        try:
            self._end = max(self._end, time.monotonic() + 5)
            if self._ask({"close": True}).get("closed") is not True:
                self.stop()
        except Stopped:
            pass

    def _ask(self, message: dict) -> dict:
        if self._process is None:
            raise Stopped("it was stopped before")
        left = max(self._end - time.monotonic(), 0)
        # a process that reads nothing must not hold this one up: its end is the end of the writing
        clock = threading.Timer(left, self.kill, [self._process])
        clock.start()
        try:
            worker.write_message(self._process.stdin.fileno(), plain.encode(message))
            clock.cancel()
            reply = self._receive(self._end - time.monotonic())
        except OSError:
            self.stop()
            if time.monotonic() > self._end:
                raise Stopped(f"it took longer than {self._limit:g} s") from None
            raise Ended() from None
        except KeyboardInterrupt:
            self.stop()
            raise
        finally:
            clock.cancel()
        if "closed" in reply and "close" not in message:
            self.stop()
            raise Ended()
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
            raise Ended()
        return reply


def _without_words(reply: dict) -> dict:
    """Return a reply with no text but the name of a known exception, an import, a variable.

    Whoever writes an answer could put anything there, and it would stand on a page.
    """
    if "not plain" in reply:
        return {"not plain": "a value of another type than is allowed"}
    if "raised" not in reply:
        return reply
    raised = reply["raised"]
    known = vars(builtins).get(raised) if type(raised) is str else None
    error = isinstance(known, type) and issubclass(known, BaseException)
    clean = {"raised": raised if error else "an exception"}
    for key in ("refused", "name"):
        if key in reply:
            clean[key] = known_name(reply[key])
    return clean


def known_name(name: plain.Plain) -> str:
    """Return the name of a module that there is, less what stands behind it, or "a name"."""
    if type(name) is not str:
        return "a name"
    first, _, rest = name.partition(".")
    if first == "helpers" and rest.split(".")[0] in OURS:
        return f"helpers.{rest.split('.')[0]}"
    return first if first in sys.stdlib_module_names | KNOWN | OURS else "a name"


def _collect(stream, replies: queue.Queue) -> None:
    """Put every message of a pipe into a queue, and None at its end."""
    try:
        while (message := worker.read_message(stream.fileno())) is not None:
            if not replies.empty():  # nobody asked for two: they are forged, and may be without end
                break
            replies.put(message)
    except (OSError, ValueError):
        pass
    replies.put(None)
    stream.close()
