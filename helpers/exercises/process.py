"""The other end of the worker: start it, open an answer in it, call, close, survive anything."""

import os
import queue
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from typing import IO

from helpers.exercises import plain, words, worker
from helpers.files import ROOT

MOST = 2  # replies that may wait, an answer's last and its end; who writes more forges them
START_SECONDS = 120  # torch may have to be read from a slow disk
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
        self.own = "--details" in self.command  # of strangers' answers no word is passed on
        self.start_seconds = 0.0  # that all starts took
        self._process = None
        self._number = ""  # of the open answer

    def start(self) -> None:
        """Start the process if none is running; RuntimeError if it does not greet."""
        if self._process is not None and self._process.poll() is None:
            return
        self.stop()
        began = time.perf_counter()
        try:
            self._start()
        except (OSError, Stopped) as error:
            self.stop()
            raise RuntimeError(f"the process that runs answers did not start: {error}") from None
        except BaseException:  # an interrupt: it must not be taken for a process that greeted
            self.stop()
            raise
        self.start_seconds += time.perf_counter() - began

    def _start(self) -> None:
        self._process = subprocess.Popen(
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env=self.environment,
            bufsize=0,
            start_new_session=True,  # an interrupt of the notebook must not reach it
        )
        self._messages, self._replies = queue.Queue(), queue.Queue()
        for work, pipe, messages in (
            (_send, self._process.stdin, self._messages),
            (_collect, self._process.stdout, self._replies),
        ):
            threading.Thread(target=work, args=(pipe, messages), daemon=True).start()
        self._fresh = True
        self._limit = START_SECONDS
        greeting = self._receive(START_SECONDS)
        if greeting != {"hello": True}:
            raise Stopped(f"it greeted with {plain.show(greeting)}")

    def stop(self) -> None:
        """End the process and everything that runs in it."""
        process, self._process, self._number = self._process, None, ""
        if process is None:
            return
        self._messages.put(None)  # the end of its input: it ends its answer, then itself
        try:
            process.wait(1)
        except subprocess.TimeoutExpired:
            pass
        finally:
            self.kill(process)
        process.wait()

    def kill(self, process: subprocess.Popen) -> None:
        """Kill a process and, where the system knows groups, all that it started."""
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (AttributeError, OSError):
            process.kill()

    def modules(self, imports: list[str]) -> list:
        """Return what the worker must be given to import, as [name, source]: nothing here."""
        return []

    def open(self, source: str, function: str, imports: list[str], seconds: float) -> dict:
        """Open an answer, with this much time for all its replies; return the first one."""
        self.close()
        self.start()
        fresh, self._fresh = self._fresh, False
        self._number = secrets.token_hex(8)
        self._limit = seconds
        self._left = seconds  # of the time in which the answer is waited for
        request = {"open": source, "function": function, "imports": imports}
        request |= {"modules": self.modules(imports), "number": self._number}
        try:
            return self._ask(request)
        except Ended:
            if fresh:
                raise
        # an answer before it may have broken the process: this one gets a new one
        self.stop()
        return self.open(source, function, imports, seconds)

    def call(self, arguments: list) -> dict:
        """Call the open answer's function; return the reply. Stopped if none will come."""
        return self._ask({"call": arguments})

    def close(self) -> None:
        """Close the open answer; the process stays warm for the next one."""
        if not self._number:
            return
        try:
            self._left = max(self._left, 5)
            self._ask({"close": True})
        except Stopped:
            pass

    def _ask(self, message: dict) -> dict:
        if not self._number:
            raise Stopped("it was stopped before")
        try:
            self._messages.put(plain.encode(message))
            reply = self._next()
            while reply.get("number") != self._number:  # of an answer before, or forged
                reply = self._next()
        except KeyboardInterrupt:
            self.stop()
            raise
        closed = "closed" in reply
        if closed != ("close" in message):  # out of step: the next answer gets a new process
            self.stop()
        if closed:
            self._number = ""
            if "close" not in message:
                raise Ended()
        del reply["number"]
        return reply if self.own else words.without_words(reply)

    def _next(self) -> dict:
        """Return the next reply, and take the wait for it from the answer's time."""
        began = time.monotonic()
        try:
            return self._receive(self._left)
        finally:
            self._left -= time.monotonic() - began

    def _receive(self, seconds: float) -> dict:
        try:
            message = self._replies.get(timeout=max(seconds, 0))
        except queue.Empty:
            self.stop()
            raise Stopped(f"it took longer than {self._limit:g} s") from None
        try:
            reply = plain.decode(message) if message is not None else None
        except ValueError:
            reply = None
        if not _well_formed(reply):
            self.stop()
            raise Ended()
        return reply


def _well_formed(reply: plain.Plain) -> bool:
    """Return whether a reply is of the form that a worker gives; an answer may have forged it."""
    return isinstance(reply, dict) and all(
        type(value) in (bool, int) or (type(value) is str and len(value) < 500)
        for name, value in reply.items()
        if name not in ("result", "arguments")
    )


def _send(pipe: IO, messages: queue.Queue) -> None:
    """Write the messages of a queue to a pipe, and close it at their end, None.

    A thread of its own does this, since an answer may have stopped reading.
    """
    try:
        while (message := messages.get()) is not None:
            worker.write_message(pipe.fileno(), message)
    except OSError:
        pass
    pipe.close()


def _collect(pipe: IO, replies: queue.Queue) -> None:
    """Put every message of a pipe into a queue, and None at its end."""
    try:
        while (message := worker.read_message(pipe.fileno())) is not None:
            replies.put(message)
            if replies.qsize() > MOST:
                break
    except OSError:
        pass
    replies.put(None)
    pipe.close()
